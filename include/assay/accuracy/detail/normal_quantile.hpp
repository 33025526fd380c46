#pragma once

#include <cmath>

#include "assay/statistics/samples.hpp"

namespace assay::inline v0::detail {

/// z with P(Z ≤ z) = probability, by bisection. Misuse: a probability outside (0, 1).
[[nodiscard]] inline double normal_quantile_of(double probability) {
  expect_share(probability, "the probability whose normal quantile is wanted");
  double below = -40, above = 40;
  for (int i = 0; i < 80; ++i) {
    const double middle = (below + above) / 2;
    (normal_probability_below(middle) < probability ? below : above) = middle;
  }
  return (below + above) / 2;
}

}  // namespace assay::inline v0::detail
