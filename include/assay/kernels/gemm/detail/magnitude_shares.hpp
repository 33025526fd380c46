#pragma once

#include <algorithm>
#include <iterator>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

/// Of every vector of a matrix (rows of A, columns of B) at least these shares of the elements reach so many times its root mean square.
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

/// How many times S = Σ |a||b| may ‖a‖·‖b‖ be, of all rows a and columns b, and so what is bounded by it chunk by chunk: whatever the order of their
/// elements, S is no less than where the largest of one meet the smallest of the other (the rearrangement inequality: Hardy, Littlewood, Pólya, "Inequalities",
/// theorem 368), of which the shares tell a lower bound. Infinite where they tell nothing, as of sparse data; about 6 of normal data, 3.5 of uniform.
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

}  // namespace assay::inline v0::detail
