#pragma once

#include <vector>

#include "assay/performance/detail/oriented_samples.hpp"
#include "assay/performance/run_series.hpp"
#include "assay/statistics/autocorrelation.hpp"
#include "assay/statistics/moments.hpp"
#include "assay/statistics/order_statistics.hpp"

namespace assay::inline v0 {

/// How far runs lie from the baseline: in its deviations, worse upward. What the charts (CUSUM, EWMA) add up.
struct RunDistance {
  /// values beyond `clip` deviations (of the median absolute deviation) from the baseline's median count as so far:
  /// one wild run raises no alarm
  bool robust = true;
  double clip = 3;             ///< deviations that one run counts at most
  bool autocorrelated = true;  ///< the deviation is multiplied by the root of the baseline's `variance_inflation`
  double minimum_effect = 0;   ///< so much worse counts as 0

  /// The distances of the runs since the baseline, in their order. O(n log n). Preconditions: a baseline of two runs at
  /// least; all values of magnitude ≤ 1e150, and the baseline's median is not 0 if any of them is not positive.
  [[nodiscard]] std::vector<double> of(const RunSeries& series) const;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/run_distance.ipp"
#endif
