#pragma once

#include <limits>
#include <span>

#include "assay/statistics/moments.hpp"

namespace assay::inline v0 {

/// How many standard deviations of `window` the value lies above its mean: the classic of dashboards, here for those
/// who have it already.
///
/// Its weaknesses, which no threshold mends:
/// - With a window of 10 and a limit of 2 it accuses 9.0 % of runs in which nothing changed (4.5 % on the slow side),
///   not 4.6 %: mean and deviation are estimates, so that z/√(1 + 1/n) has Student's distribution with n − 1 degrees of
///   freedom. `prediction_interval` knows this.
/// - It is blind to drift. A window that slides over a noise-free ramp gives z = √(3(n + 1)/n) whatever the slope, 1.82
///   for n = 10: never 2.
/// - A change is seen once: n runs later the window holds nothing but the new level, which is then normal. `CusumChart`
///   and `EwmaChart` against a frozen baseline have neither fault.
/// - One extreme run in the window swells the deviation and hides what follows.
///
/// Where all of the window are equal: 0 for that value, else ±∞. O(n). Misuse: a window of fewer than two values; a
/// value that is NaN, infinite or beyond `largest_sample`.
[[nodiscard]] inline double z_score(std::span<const double> window, double value) {
  detail::expect_samples({&value, 1}, 1, "z_score()");
  const Moments moments = moments_of(window);
  const double distance = value - moments.mean;
  if (moments.deviation > 0) return distance / moments.deviation;
  return distance == 0 ? 0 : std::numeric_limits<double>::infinity() * (distance > 0 ? 1 : -1);
}

}  // namespace assay::inline v0
