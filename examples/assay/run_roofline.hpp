#pragma once

#include <string>

#include "assay/core/result.hpp"
#include "assay/core/run.hpp"
#include "assay/fleet/chips/chip.hpp"
#include "assay/suite/case.hpp"
#include "chips_options.hpp"

namespace assay_program {

/// The chip. Errors: as of `catalog_with` and `ChipCatalog::find`.
[[nodiscard]] assay::Result<assay::Chip> chip_of(const RooflineRequest& request);

/// Holds the kernel times of what passed against a chip's roofline: each gets the measurement `roofline_share`. Prints
/// for every operation, backend and formats the case that came nearest; with a `page`, draws them there. Times are of
/// single calls among checks: shares are lower bounds, and nothing is judged by them. Operations whose problems no
/// formula fits, and formats whose peak the chip does not state, are named. Error: the page cannot be written.
[[nodiscard]] assay::Result<void> tell_roofline(const assay::Suite& suite, const assay::Chip& chip,
                                                const std::string& page, assay::Run& run);

}  // namespace assay_program
