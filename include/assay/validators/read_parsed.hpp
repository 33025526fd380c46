#pragma once

#include <filesystem>
#include <string>

#include "assay/core/result.hpp"
#include "assay/report/read_file.hpp"

namespace assay::inline v0::detail {

/// What `parse` makes of a file's text. Errors: as of `read_file`, with what to name instead, or as `parse`; the
/// message names the file.
template <class Parse>
[[nodiscard]] auto read_parsed(const std::filesystem::path& path, const std::string& wanted, Parse parse)
    -> decltype(parse(std::string())) {
  const auto text = read_file(path, wanted);
  if (!text) return text.propagate();
  auto parsed = parse(text.value());
  if (!parsed) return failure(parsed.error().kind, path.string() + ": " + parsed.error().message);
  return parsed;
}

}  // namespace assay::inline v0::detail
