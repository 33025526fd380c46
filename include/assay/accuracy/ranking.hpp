#pragma once

#include <span>

namespace assay::inline v0 {

/// The chance that a positive sample scores above a negative one, ties counting half (area under the ROC curve). NaN
/// where a kind is missing. O(n log n). Misuse: sizes that differ, a score that is NaN.
[[nodiscard]] double area_under_roc(std::span<const double> scores, std::span<const bool> positive);

/// Σ (recall_i − recall_{i−1}) · precision_i over falling thresholds, equal scores being one threshold; as
/// scikit-learn's average_precision_score. NaN without positives. O(n log n). Misuse: as above.
[[nodiscard]] double average_precision(std::span<const double> scores, std::span<const bool> positive);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/ranking.ipp"
#endif
