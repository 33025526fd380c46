#pragma once

#include <cstddef>
#include <string>

#include "assay/performance/detail/oriented_samples.hpp"
#include "assay/performance/detail/regression_text.hpp"
#include "assay/performance/detail/series_fitness.hpp"
#include "assay/performance/regression_judgment.hpp"
#include "assay/performance/run_series.hpp"
#include "assay/statistics/order_statistics.hpp"

namespace assay::inline v0 {

/// What the newest run is held against.
enum class ThresholdReference {
  previous_run,  ///< what most tools do: 2 % a release add up to 26.8 % over twelve, below any threshold of 5 %
  baseline_median
};

/// The newest run is `regressed` if it is worse than its reference by more than a threshold. It knows nothing of noise:
/// use it where a limit is promised to somebody, not to find changes. O(n).
struct ThresholdDetector {
  double threshold = 0.05;  ///< relative; from 0 to below 1
  ThresholdReference reference = ThresholdReference::baseline_median;

  [[nodiscard]] std::string name() const {
    return detail::percent_text(threshold) +
           (reference == ThresholdReference::previous_run ? " over the previous run" : " over the baseline's median");
  }
  [[nodiscard]] RegressionJudgment judge(const RunSeries& series) const;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/threshold_detector.ipp"
#endif
