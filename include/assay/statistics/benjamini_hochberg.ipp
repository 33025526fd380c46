#pragma once

#include "assay/statistics/benjamini_hochberg.hpp"

#include <algorithm>
#include <numeric>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::vector<double> benjamini_hochberg(std::span<const double> p_values) {
  for (const double p : p_values)
    expect(p >= 0 && p <= 1,
           [&] { return "benjamini_hochberg() was given " + detail::short_text(p) + ", which is no probability"; });
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
