#pragma once

#include <cmath>
#include <cstdint>

namespace assay::inline v0::detail {

/// P(at most `successes` of `trials`), each with `probability`: the sum of its terms in logarithms, accurate to some
/// 1e-12 relative. O(successes). Preconditions: 0 < probability < 1, successes ≤ trials.
[[nodiscard]] inline double binomial_at_most(std::uint64_t successes, std::uint64_t trials, double probability) {
  const auto n = static_cast<double>(trials);
  const double odds = std::log(probability) - std::log1p(-probability);
  double term = n * std::log1p(-probability), sum = 0;
  for (std::uint64_t k = 0;; ++k) {
    sum += std::exp(term);
    if (k == successes) return sum < 1 ? sum : 1;
    term += std::log((n - static_cast<double>(k)) / static_cast<double>(k + 1)) + odds;
  }
}

}  // namespace assay::inline v0::detail
