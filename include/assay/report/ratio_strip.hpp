#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "assay/report/chart_scale.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

/// A logarithmic axis for error / allowed, one for all strips that are to be compared: from 10⁻³, below which errors do
/// not differ to a reader, to the decade above the largest value, at least 10 and at most 10⁶. The first bin takes what
/// is smaller, the last one what is larger, infinite or NaN.
struct RatioAxis {
  static constexpr int first_decade = -3;            ///< exponent of ten
  static constexpr std::size_t bins_per_decade = 4;  ///< on the logarithmic axis
  int last_decade = 1;                               ///< exponent of ten

  /// How many bins an axis has, the two at its ends included.
  [[nodiscard]] std::size_t bins() const {
    return static_cast<std::size_t>(last_decade - first_decade) * bins_per_decade + 2;
  }
  /// The bin of a value. 1 itself falls below the line at 1.
  [[nodiscard]] std::size_t bin(double ratio) const {
    if (!(ratio >= 0) || std::isinf(ratio)) return bins() - 1;
    if (ratio == 0) return 0;
    const double at = std::ceil((std::log10(ratio) - first_decade) * static_cast<double>(bins_per_decade));
    return static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(bins() - 1)));
  }
  /// Where 10^decade lies: 0 at the left end, 1 at the right one.
  [[nodiscard]] double position(int decade) const {
    return (1 + static_cast<double>(bins_per_decade) * (decade - first_decade)) / static_cast<double>(bins());
  }
};

/// The axis that holds all of the values.
[[nodiscard]] RatioAxis ratio_axis(const std::vector<double>& ratios);

/// Labels of an axis, placed in percent but within its ends, for the head of a column of strips.
[[nodiscard]] std::string ratio_axis_markup(const RatioAxis& axis);

/// How often each error / allowed occurs, as a strip of bars with the line at 1; what lies above it has the class
/// `above`. Heights go with the square root of the count, so that one case among thousands still shows. O(n log n).
[[nodiscard]] std::string ratio_strip_svg(std::vector<double> ratios, const RatioAxis& axis);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/ratio_strip.ipp"
#endif
