#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/statistics/order_statistics.hpp"

namespace assay::inline v0 {

/// Tukey's classes by the distance beyond the quartiles, in interquartile ranges: mild beyond 1.5, severe beyond 3.
enum class OutlierClass : std::uint8_t { low_severe, low_mild, none, high_mild, high_severe };

/// Fences after Tukey, "Exploratory data analysis", 1977, with quartiles of type 7.
struct TukeyFences {
  double low_severe = 0;   ///< Q1 − 3·IQR
  double low_mild = 0;     ///< Q1 − 1.5·IQR
  double high_mild = 0;    ///< Q3 + 1.5·IQR
  double high_severe = 0;  ///< Q3 + 3·IQR

  /// A value on a fence is inside.
  [[nodiscard]] constexpr OutlierClass class_of(double value) const noexcept {
    if (value < low_severe) return OutlierClass::low_severe;
    if (value < low_mild) return OutlierClass::low_mild;
    if (value > high_severe) return OutlierClass::high_severe;
    return value > high_mild ? OutlierClass::high_mild : OutlierClass::none;
  }
};

/// The fences of samples. O(n log n). Misuse: as of `quantile`.
[[nodiscard]] TukeyFences tukey_fences(std::span<const double> samples);

/// How many samples are of each class. They are told of, never dropped: a slow run out of ten is a fact about the
/// subject.
struct OutlierCounts {
  std::size_t low_severe = 0;   ///< below `TukeyFences::low_severe`
  std::size_t low_mild = 0;     ///< between the two lower fences
  std::size_t none = 0;         ///< between the mild fences
  std::size_t high_mild = 0;    ///< between the two upper fences
  std::size_t high_severe = 0;  ///< above `TukeyFences::high_severe`

  /// All that lie beyond the mild fences.
  [[nodiscard]] constexpr std::size_t outliers() const noexcept {
    return low_severe + low_mild + high_mild + high_severe;
  }
};

/// O(n log n). Misuse: as of `quantile`.
[[nodiscard]] OutlierCounts count_outliers(std::span<const double> samples);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/statistics/outliers.ipp"
#endif
