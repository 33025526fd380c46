#pragma once

#include "assay/performance/detail/regression_text.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string interval_text(const RegressionJudgment& judgment,
                                                                   double confidence) {
  return percent_text(confidence) + " interval " + percent_text(judgment.lower) + " to " + percent_text(judgment.upper);
}

ASSAY_DETAIL_HEADER_INLINE std::string reason_of(const RegressionJudgment& judgment, const RegressionOptions& options) {
  const std::string allowed = percent_text(options.minimum_effect), sizes = std::to_string(judgment.baseline_count) +
                                                                            " against " +
                                                                            std::to_string(judgment.candidate_count);
  if (std::isinf(judgment.lower) || std::isinf(judgment.upper))
    return sizes + " values are too few for an interval of " + percent_text(options.confidence) +
           " confidence: measure " + std::to_string(judgment.more_samples) + " more at least";
  const std::string found =
      change_text(judgment.change) + " (" + interval_text(judgment, options.confidence) + ", " + sizes + " values)";
  switch (judgment.verdict) {
    case RegressionVerdict::regressed: return found + ": beyond the " + allowed + " that are allowed";
    case RegressionVerdict::not_regressed:
      return found + (judgment.improved ? ": an improvement; record a new baseline to keep it"
                                        : ": not beyond the " + allowed + " that are allowed");
    case RegressionVerdict::rerun: break;
  }
  const std::string more = judgment.more_samples == 0
                               ? "it lies too near to them for any number of samples; allow more or less"
                               : "some " + std::to_string(judgment.more_samples) + " more on each side might tell";
  return found + ": whether that is beyond the " + allowed + " that are allowed cannot be told; " + more;
}

}  // namespace assay::inline v0::detail
