#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "assay/core/config.hpp"
#include "assay/formats/limits.hpp"
#include "assay/kernels/gemm/detail/chunk_weights.hpp"

namespace assay::inline v0::detail {

/// Of every vector of a matrix (rows of A, columns of B) at least these shares of the elements reach so many times its
/// root mean square.
struct MagnitudeShares {
  static constexpr int levels = 6;
  double share[levels] = {1, 1, 1, 1, 1, 1};

  /// Ascending. A function, as devices have no constants that are arrays.
  [[nodiscard]] ASSAY_FUNCTION static constexpr double level(int k) {
    constexpr double values[levels] = {0.1, 0.25, 0.4, 0.6, 0.85, 1.2};
    return values[k];
  }
  void meet(const double* other) {
    for (int k = 0; k < levels; ++k) share[k] = other[k] < share[k] ? other[k] : share[k];
  }
};

/// How many times S = Σ |a||b| may ‖a‖·‖b‖ be, of all rows a and columns b, and so what is bounded by it chunk by
/// chunk: whatever the order of their elements, S is no less than where the largest of one meet the smallest of the
/// other (the rearrangement inequality: Hardy, Littlewood, Pólya, "Inequalities", theorem 368), of which the shares
/// tell a lower bound. Infinite where they tell nothing, as of sparse data; about 6 of normal data, 3.5 of uniform.
[[nodiscard]] inline double most_looseness(const MagnitudeShares& a, const MagnitudeShares& b) {
  constexpr int levels = MagnitudeShares::levels;
  double ends[2 * levels + 2] = {0, 1};
  for (int k = 0; k < levels; ++k) {
    ends[2 + k] = 1 - a.share[k];
    ends[2 + levels + k] = b.share[k];
  }
  std::sort(std::begin(ends), std::end(ends));
  double least = 0;  // of S, in units of ‖a‖·‖b‖
  for (int i = 0; i + 1 < 2 * levels + 2; ++i) {
    const double middle = (ends[i] + ends[i + 1]) / 2;
    double ascending = 0, descending = 0;
    for (int k = 0; k < levels; ++k) {
      if (1 - a.share[k] <= middle) ascending = MagnitudeShares::level(k);
      if (middle <= b.share[k]) descending = MagnitudeShares::level(k);
    }
    least += (ends[i + 1] - ends[i]) * ascending * descending;
  }
  return (1 + 0x1p-20) / least;
}

/// The root mean square of a vector of so many terms, no less, from the norms of its chunks, which are rounded up and
/// lie `pitch` apart.
[[nodiscard]] inline double root_mean_square_of(const double* norms, Index pitch, Index chunks, Index terms) {
  double squares = 0;
  for (Index chunk = 0; chunk < chunks; ++chunk) squares += norms[chunk * pitch] * norms[chunk * pitch];
  return std::sqrt(squares / static_cast<double>(terms)) * norm_inflation;
}

/// Single-precision limits that are no less than the levels of a root mean square.
struct LevelLimits {
  float limit[MagnitudeShares::levels];

  explicit LevelLimits(double root_mean_square) {
    for (int k = 0; k < MagnitudeShares::levels; ++k) {
      const double exact = MagnitudeShares::level(k) * root_mean_square;
      limit[k] = static_cast<float>(exact);
      if (static_cast<double>(limit[k]) < exact) limit[k] = next_up(limit[k]);
    }
  }
  /// counts[k·pitch] += whether the value reaches level k.
  void count(float value, Index pitch, std::int32_t* counts) const {
    for (int k = 0; k < MagnitudeShares::levels; ++k) counts[k * pitch] += std::fabs(value) >= limit[k] ? 1 : 0;
  }
};

}  // namespace assay::inline v0::detail
