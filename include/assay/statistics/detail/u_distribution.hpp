#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/statistics/detail/samples.hpp"

/// The distribution of Mann and Whitney's U under the hypothesis that both samples come from the same distribution.
namespace assay::detail {

/// Whether the exact distribution of U for samples of sizes m and n costs no more than some 10 ms.
[[nodiscard]] constexpr bool exact_u_is_cheap(std::size_t m, std::size_t n) noexcept { return m <= 1000 && n <= 1000 && m * n <= 3000; }

/// P(U = u), u from 0 to mn, without ties: P(m,n; u) = m/(m+n)·P(m−1,n; u−n) + n/(m+n)·P(m,n−1; u), after Mann, Whitney, Annals of
/// Mathematical Statistics 18 (1947): the largest of all belongs to one sample or to the other. O(m²n²).
[[nodiscard]] inline std::vector<double> exact_u_distribution(std::size_t m, std::size_t n) {
  std::vector<std::vector<double>> of(n + 1, std::vector<double>(m * n + 1, 0.0));  // [j]: of sizes i and j
  for (std::vector<double>& row : of) row[0] = 1;
  for (std::size_t i = 1; i <= m; ++i)
    for (std::size_t j = 1; j <= n; ++j) {
      const double first = static_cast<double>(i) / static_cast<double>(i + j), second = 1 - first;
      for (std::size_t u = i * j + 1; u-- > 0;)
        of[j][u] = (u >= j ? first * of[j][u - j] : 0.0) + (u <= i * (j - 1) ? second * of[j - 1][u] : 0.0);
    }
  return of[n];
}

/// The standard deviation of U: √(mn/12·(N+1 − Σ(t³−t)/(N(N−1)))), t the sizes of the groups of equal values. `ties` is Σ(t³−t).
[[nodiscard]] inline double u_deviation(std::size_t m, std::size_t n, double ties = 0) noexcept {
  const auto pairs = static_cast<double>(m) * static_cast<double>(n), total = static_cast<double>(m + n);
  return std::sqrt(std::fmax(pairs / 12 * (total + 1 - ties / (total * (total - 1))), 0.0));
}

/// P(U ≤ u) by the normal approximation with continuity correction.
[[nodiscard]] inline double normal_u_at_most(double u, std::size_t m, std::size_t n, double deviation) noexcept {
  const double centred = u + 0.5 - static_cast<double>(m) * static_cast<double>(n) / 2;
  if (deviation == 0) return centred >= 0 ? 1 : 0;
  return normal_probability_below(centred / deviation);
}

}  // namespace assay::detail
