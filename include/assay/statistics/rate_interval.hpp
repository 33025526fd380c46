#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace assay::inline v0 {

/// The interval of the probability of which `successes` of `trials` are a sample (Wilson, "Probable inference, the law
/// of succession, and statistical inference", 1927), `z` being the normal quantile: 1.96 for 95 percent.
struct RateInterval {
  /// Of the interval.
  double lower = 0, upper = 1;
};
/// Without trials the interval is [0, 1].
[[nodiscard]] inline RateInterval rate_interval(std::uint64_t successes, std::uint64_t trials, double z = 1.96) {
  if (trials == 0) return {};
  const double n = static_cast<double>(trials), rate = static_cast<double>(successes) / n;
  const double middle = (rate + z * z / (2 * n)) / (1 + z * z / n),
               half = z / (1 + z * z / n) * std::sqrt(rate * (1 - rate) / n + z * z / (4 * n * n));
  return {successes == 0 ? 0 : std::max(0.0, middle - half), successes == trials ? 1 : std::min(1.0, middle + half)};
}

}  // namespace assay::inline v0
