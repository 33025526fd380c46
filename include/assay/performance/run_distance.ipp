#pragma once

#include "assay/performance/run_distance.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::vector<double> RunDistance::of(const RunSeries& series) const {
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
  const Moments moments = moments_of(
      clipped(samples.baseline));  // of clipped runs, as those to come are: several modes have their deviation
  const double inflation = autocorrelated ? variance_inflation(samples.baseline) : 1;
  const double deviation = std::max(moments.deviation * std::sqrt(inflation),
                                    1e-9);  // of equal runs: what differs by more than a billionth is far away
  std::vector<double> distances = clipped(samples.candidate);
  for (double& distance : distances)
    distance = (distance - moments.mean - samples.shift_of(minimum_effect)) / deviation;
  return distances;
}

}  // namespace assay::inline v0
