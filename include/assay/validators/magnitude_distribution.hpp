#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "assay/core/index.hpp"
#include "assay/formats/limits.hpp"

namespace assay::inline v0 {

/// How large the values of a tensor are: counts by binade, from which one sees what range a format must have.
struct MagnitudeDistribution {
  /// Binades told apart: float32 has no others. What lies beyond counts to the outermost.
  static constexpr int least_exponent = -149, largest_exponent = 127;

  std::array<Index, static_cast<std::size_t>(largest_exponent - least_exponent + 1)>
      binades{};                                              ///< values with 2^e ≤ |value| < 2^(e+1)
  Index count = 0;                                            ///< finite values
  Index zeros = 0;                                            ///< of those
  Index not_finite = 0;                                       ///< NaN and infinities
  double square_sum = 0;                                      ///< of all finite values
  double largest = 0;                                         ///< magnitude
  double smallest = std::numeric_limits<double>::infinity();  ///< magnitude that is not 0; infinite if there is none

  /// Counts a value; NaN and infinities apart.
  void add(double value);

  /// How many values have magnitudes in [2^exponent, 2^(exponent+1)). Precondition: exponent ≥ `least_exponent`, and
  /// counted.
  [[nodiscard]] Index in_binade(int exponent) const {
    return binades[static_cast<std::size_t>(exponent - least_exponent)];
  }
  /// √(mean of squares) of the finite values; 0 where there is none.
  [[nodiscard]] double root_mean_square() const {
    return count == 0 ? 0 : std::sqrt(square_sum / static_cast<double>(count));
  }
  /// Largest magnitude over root mean square: what a scale for all values costs. 4 to 5 for normal values; 0 if all are
  /// 0.
  [[nodiscard]] double peak_to_root_mean_square() const { return square_sum == 0 ? 0 : largest / root_mean_square(); }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/magnitude_distribution.ipp"
#endif
