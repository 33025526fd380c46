#pragma once

#include <string>
#include <vector>

#include "assay/performance/history.hpp"

namespace assay::inline v0 {

/// A history as CSV that `import_csv` reads back: a row a sample, a column for every label and every member of a
/// configuration that occurs. (labels other than version, commit, build and branch where `CsvColumns::labels` names
/// them). Environments, clocks and notes stay behind, as do members named as another column is. O(samples).
[[nodiscard]] std::string csv_text(const History& history);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/export_csv.ipp"
#endif
