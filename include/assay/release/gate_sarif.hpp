#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "assay/core/result.hpp"
#include "assay/release/gate_report.hpp"
#include "assay/release/gate_run.hpp"
#include "assay/report/sarif.hpp"
#include "assay/report/write_file.hpp"

namespace assay::inline v0 {

/// The report as SARIF 2.1.0: a result a gate that is not green, and one a finding that is let through, which then
/// carries a suppression whose justification is the reason, with owner and expiry among its properties. `run` is
/// `gate_run(report)` with environment and command. The invocation's `exitCode` is that of the report.
[[nodiscard]] std::string gate_sarif(const GateReport& report, const Run& run);

/// Writes `gate_sarif` to a file, whole or not at all (`write_file`).
[[nodiscard]] inline Result<void> write_gate_sarif(const GateReport& report, const Run& run,
                                                   const std::filesystem::path& path) {
  return write_file(path, gate_sarif(report, run));
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/gate_sarif.ipp"
#endif
