#pragma once

#include <cmath>

#include "assay/core/config.hpp"
#include "assay/core/index.hpp"

namespace assay::inline v0::detail {

/// An upper bound of S = |A||B| in O(m·n·k/64): with k cut into chunks c, by Cauchy and Schwarz
///
///   S_ij ≤ Σ_c ‖f·A_ic‖·‖B_cj/f‖ for any positive weights f_k,
///
/// once with f = 1 and once with f_k = √(‖B_k:‖/‖A_:k‖), which takes scales that differ along k out of it. The smaller
/// of both is a factor of 1.3 to 1.6 above S on dense data; on sparse or wildly scaled data it may be thousands: so it
/// serves only where it is proved to be at most `tolerated_looseness`.
inline constexpr Index chunk_depth = 64;
inline constexpr double tolerated_looseness = 16;

/// Covers the rounding errors of norms and sums, for up to 2^20 chunks.
inline constexpr double norm_inflation = 1 + 0x1p-30;

/// Turns Σ_i a_ik² and Σ_j b_kj² of a term into its weights f and 1/f for A and B: f = √(‖B_k:‖/‖A_:k‖), 1 where that
/// cannot be had, and 0 where the term adds nothing.
ASSAY_FUNCTION inline void balance(double& squares_a, double& squares_b) {
  const double ratio = squares_b / squares_a;
  const bool usable = ratio > 0 && ratio < 0x1p900;
  const bool no_product = squares_a == 0 || squares_b == 0;
  squares_a = usable ? std::sqrt(std::sqrt(ratio)) : no_product ? 0 : 1;
  squares_b = usable ? 1 / squares_a : no_product ? 0 : 1;
}

}  // namespace assay::inline v0::detail
