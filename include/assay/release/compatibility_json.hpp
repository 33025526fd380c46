#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "assay/core/result.hpp"
#include "assay/release/compatibility_grid.hpp"
#include "assay/release/compatibility_report.hpp"
#include "assay/report/write_file.hpp"

namespace assay::inline v0 {

inline constexpr const char* compatibility_schema = "assay-compatibility/1";  ///< name and version of the form

/// The report for programs, a combination a line: its values, its state, and who certified it, when, where, from which
/// file.
[[nodiscard]] std::string compatibility_json(const CompatibilityReport& report);

/// Writes it to a file, whole or not at all (`write_file`).
[[nodiscard]] inline Result<void> write_compatibility_json(const CompatibilityReport& report,
                                                           const std::filesystem::path& path) {
  return write_file(path, compatibility_json(report));
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/compatibility_json.ipp"
#endif
