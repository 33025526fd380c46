#pragma once

#include "assay/release/read_evidence.hpp"

#include <string>
#include <string_view>

#include "assay/core/config.hpp"
#include "assay/report/json.hpp"
#include "assay/report/junit_reader.hpp"
#include "assay/report/ocp_reader.hpp"
#include "assay/report/read_file.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<Run> read_evidence(const std::filesystem::path& path) {
  const auto text = read_file(path, "a file of results");
  if (!text) return text.propagate();
  const std::string_view content = text.value();
  const std::size_t first = content.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const std::string_view line = content.substr(0, content.find('\n'));
  const bool xml = first != content.npos && content[first] == '<';
  const bool ocp = line.find("\"schemaVersion\"") != line.npos || line.find("\"testRunArtifact\"") != line.npos;
  Result<Run> run = xml ? run_from_junit(content) : ocp ? run_from_ocp(content) : run_from_json(content);
  if (!run) return failure(run.error().kind, "'" + path.string() + "': " + run.error().message);
  return run;
}

}  // namespace assay::inline v0
