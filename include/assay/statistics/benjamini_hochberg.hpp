#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "assay/statistics/detail/samples.hpp"

namespace assay::inline v0 {

/// The adjusted p-values of many tests, each at the place of its own: min over j ≥ i of p₍ⱼ₎·n/j, at most 1. Rejecting what is at most q keeps the expected
/// share of wrong rejections among all rejections at or below q, for independent tests and for positively dependent ones.
/// Source: Benjamini, Hochberg, Journal of the Royal Statistical Society B 57 (1995); dependence: Benjamini, Yekutieli, Annals of Statistics 29 (2001).
///
/// The tests are all that were asked, not those that look interesting: leave none out. O(n log n).
/// Misuse: a value that is no probability, NaN among them. No tests give no values.
[[nodiscard]] inline std::vector<double> benjamini_hochberg(std::span<const double> p_values) {
  for (const double p : p_values)
    expect(p >= 0 && p <= 1, [&] { return "benjamini_hochberg() was given " + detail::short_text(p) + ", which is no probability"; });
  const std::size_t n = p_values.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(n);
  double least = 1;
  for (std::size_t rank = n; rank-- > 0;) {
    least = std::min(least, p_values[order[rank]] * (static_cast<double>(n) / static_cast<double>(rank + 1)));
    adjusted[order[rank]] = least;
  }
  return adjusted;
}

}  // namespace assay::inline v0
