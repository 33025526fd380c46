#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/release/gate_report.hpp"
#include "assay/release/gate_text.hpp"
#include "assay/report/markdown_text.hpp"
#include "assay/report/write_file.hpp"

namespace assay::inline v0 {

/// The report as a section of release notes, in GitHub Flavored Markdown: the answer, a table of the gates, what is let
/// through and by whom, and what was tested where. Whatever the outcomes hold shows as text. At most 20 outcomes a gate
/// are named.
[[nodiscard]] std::string gate_markdown(const GateReport& report);

/// Writes `gate_markdown` to a file, whole or not at all (`write_file`).
[[nodiscard]] inline Result<void> write_gate_markdown(const GateReport& report, const std::filesystem::path& path) {
  return write_file(path, gate_markdown(report));
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/gate_markdown.ipp"
#endif
