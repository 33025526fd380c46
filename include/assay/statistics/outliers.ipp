#pragma once

#include "assay/statistics/outliers.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE TukeyFences tukey_fences(std::span<const double> samples) {
  detail::expect_samples(samples, 1, "tukey_fences()");
  const std::vector<double> sorted = detail::sorted_copy(samples);
  const double first = quantile_of_sorted(sorted, 0.25), third = quantile_of_sorted(sorted, 0.75);
  const double range = third - first;
  return {first - 3 * range, first - 1.5 * range, third + 1.5 * range, third + 3 * range};
}

ASSAY_DETAIL_HEADER_INLINE OutlierCounts count_outliers(std::span<const double> samples) {
  const TukeyFences fences = tukey_fences(samples);
  OutlierCounts counts;
  for (const double sample : samples) switch (fences.class_of(sample)) {
      case OutlierClass::low_severe: ++counts.low_severe; break;
      case OutlierClass::low_mild: ++counts.low_mild; break;
      case OutlierClass::none: ++counts.none; break;
      case OutlierClass::high_mild: ++counts.high_mild; break;
      case OutlierClass::high_severe: ++counts.high_severe; break;
    }
  return counts;
}

}  // namespace assay::inline v0
