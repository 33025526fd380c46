#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "assay/performance/detail/oriented_samples.hpp"
#include "assay/performance/run_series.hpp"
#include "assay/statistics/autocorrelation.hpp"
#include "assay/statistics/moments.hpp"
#include "assay/statistics/order_statistics.hpp"

namespace assay::inline v0 {

/// How far runs lie from the baseline: in its deviations, worse upward. What the charts (CUSUM, EWMA) add up.
struct RunDistance {
  bool robust =
      true;  ///< values beyond `clip` deviations (of the median absolute deviation) from the baseline's median count as so far: one wild run raises no alarm
  double clip = 3;             ///< deviations that one run counts at most
  bool autocorrelated = true;  ///< the deviation is multiplied by the root of the baseline's `variance_inflation`
  double minimum_effect = 0;   ///< so much worse counts as 0

  /// The distances of the runs since the baseline, in their order. O(n log n).
  /// Preconditions: a baseline of two runs at least; all values of magnitude ≤ 1e150, and the baseline's median is not 0 if any of them is not positive.
  [[nodiscard]] std::vector<double> of(const RunSeries& series) const {
    const detail::OrientedSamples samples = detail::orient(series.baseline(), series.since_baseline(), series.direction);
    double low = -largest_sample, high = largest_sample;
    if (const double typical = deviations_per_median_absolute_deviation * median_absolute_deviation(samples.baseline);
        robust && typical > 0) {
      const double middle = median(samples.baseline);
      low = middle - clip * typical;
      high = middle + clip * typical;
    }
    const auto clipped = [&](std::vector<double> values) {
      for (double& value : values) value = std::clamp(value, low, high);
      return values;
    };
    const Moments moments =
        moments_of(clipped(samples.baseline));  // of clipped runs, as those to come are: several modes have their deviation
    const double inflation = autocorrelated ? variance_inflation(samples.baseline) : 1;
    const double deviation =
        std::max(moments.deviation * std::sqrt(inflation), 1e-9);  // of equal runs: what differs by more than a billionth is far away
    std::vector<double> distances = clipped(samples.candidate);
    for (double& distance : distances) distance = (distance - moments.mean - samples.shift_of(minimum_effect)) / deviation;
    return distances;
  }
};

}  // namespace assay::inline v0
