#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "assay/statistics/samples.hpp"

/// The distribution of Mann and Whitney's U under the hypothesis that both samples come from the same distribution.
namespace assay::inline v0::detail {

/// Whether the exact distribution of U for samples of sizes m and n costs next to nothing and loses no digits.
[[nodiscard]] constexpr bool exact_u_is_cheap(std::size_t m, std::size_t n) noexcept {
  return m <= 1000 && n <= 1000 && m * n <= 3000;
}

/// P(U = u), u from 0 to mn, without ties: the coefficients of the Gaussian binomial, Π (1 − q^(n+i)) / (1 − q^i) over
/// i from 1 to m, over C(m+n, m), after Mann, Whitney, Annals of Mathematical Statistics 18 (1947), and Andrews, "The
/// theory of partitions", ch. 3. The upper half mirrors the lower. O(mn·min(m, n)).
[[nodiscard]] std::vector<double> exact_u_distribution(std::size_t m, std::size_t n);

/// The standard deviation of U: √(mn/12·(N+1 − Σ(t³−t)/(N(N−1)))), t the sizes of the groups of equal values. `ties` is
/// Σ(t³−t).
[[nodiscard]] inline double u_deviation(std::size_t m, std::size_t n, double ties = 0) noexcept {
  const auto pairs = static_cast<double>(m) * static_cast<double>(n), total = static_cast<double>(m + n);
  return std::sqrt(std::fmax(pairs / 12 * (total + 1 - ties / (total * (total - 1))), 0.0));
}

/// P(U ≤ u) by the normal approximation with continuity correction.
[[nodiscard]] inline double normal_u_at_most(double u, std::size_t m, std::size_t n, double deviation) noexcept {
  const double centered = u + 0.5 - static_cast<double>(m) * static_cast<double>(n) / 2;
  if (deviation == 0) return centered >= 0 ? 1 : 0;
  return normal_probability_below(centered / deviation);
}

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/statistics/detail/u_distribution.ipp"
#endif
