#pragma once

#include <string>

#include "assay/collectives/measurement/sweep_result.hpp"

namespace assay::inline v0 {

/// A row a point, with a heading; points that were not measured are left out. `assay history import --name-column
/// operation --value-column "busbw [GB/s]"` reads it; so do spreadsheets. Lines end in "\n".
[[nodiscard]] std::string csv_text(const SweepResult& result);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/measurement/sweep_csv.ipp"
#endif
