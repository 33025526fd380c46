#pragma once

#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/fleet/chips/chip_catalog.hpp"
#include "chips_options.hpp"

namespace assay_program {

/// The chips that we know, and those of the files.
[[nodiscard]] assay::Result<assay::ChipCatalog> catalog_with(const std::vector<std::string>& files);

/// Those of the names, in their order. Errors: as of `ChipCatalog::find`.
[[nodiscard]] assay::Result<std::vector<assay::Chip>> chips_named(const assay::ChipCatalog& catalog,
                                                                  const std::vector<std::string>& names);

/// `command` is the command line, for reports.
[[nodiscard]] int chips(const ChipsOptions& options, const std::string& command);

}  // namespace assay_program
