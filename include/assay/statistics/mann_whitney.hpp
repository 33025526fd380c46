#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "assay/statistics/detail/u_distribution.hpp"

namespace assay::inline v0 {

/// The test of Mann and Whitney (and Wilcoxon): do values of x tend to be larger than values of y?
struct MannWhitney {
  double u = 0;            ///< pairs with x > y, and half of those with x = y; from 0 to mn
  double p_greater = 1;    ///< P(U ≥ u) where both come from one distribution: small if x tends to be larger
  double p_less = 1;       ///< P(U ≤ u): small if x tends to be smaller
  double p_two_sided = 1;  ///< twice the smaller, at most 1
  bool exact = true;       ///< else by the normal approximation
};

namespace detail {

/// x and y merged: U, and the sizes of the groups of equal values in ascending order.
struct RankedPair {
  double u = 0;
  double ties = 0;  ///< Σ(t³−t)
  std::vector<std::size_t> groups;
};

[[nodiscard]] RankedPair ranked(std::span<const double> x, std::span<const double> y);

}  // namespace detail

/// The test of `x` against `y`, whatever their distribution, of independent values. Source: Mann, Whitney, Annals of
/// Mathematical Statistics 18 (1947); ties: Lehmann, "Nonparametrics", 1975.
///
/// Exact for mn ≤ 3000 without ties, and with ties, conditionally on them, for some 40 values in all; else normal with
/// the correction for ties and for continuity. Small samples cannot be significant: the smallest two-sided p is 0.10
/// for 3 against 3, 0.029 for 4, 0.008 for 5.
///
/// O(N log N) beside the exact distribution's O(mn·min(m, n)), with ties O(N·m²n), some 10 ms at most. Misuse: no
/// samples on a side, a sample that is NaN, infinite or beyond `largest_sample`.
[[nodiscard]] MannWhitney mann_whitney(std::span<const double> x, std::span<const double> y);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/statistics/mann_whitney.ipp"
#endif
