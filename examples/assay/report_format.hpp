#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/core/run.hpp"

namespace assay_program {

/// A form in which a run can be written.
struct ReportFormat {
  std::string name;
  std::string file;   ///< in the folder of the report
  std::string title;  ///< for people
  assay::Result<void> (*write)(const assay::Run&, const std::filesystem::path&) = nullptr;
};

/// All formats, in the order in which they are written.
[[nodiscard]] const std::vector<ReportFormat>& report_formats();

/// The formats named, each once, in the order of `report_formats`. Error `not_found` for an unknown name, with the
/// nearest.
[[nodiscard]] assay::Result<std::vector<const ReportFormat*>> report_formats_named(
    const std::vector<std::string>& names);

}  // namespace assay_program
