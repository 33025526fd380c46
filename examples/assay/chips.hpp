#pragma once

#include <string>
#include <string_view>
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

/// Bytes of an element in a format as chips name it: fp64, tf32, bf16, …
[[nodiscard]] double bytes_of_chip_format(std::string_view format);

/// `command` is the command line, for reports.
[[nodiscard]] int chips(const ChipsOptions& options, const std::string& command);

}  // namespace assay_program
