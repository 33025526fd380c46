#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "assay/report/text.hpp"

namespace assay::inline v0 {

/// The values that a chart's axis or colors span, linear or logarithmic.
struct ChartScale {
  double low = 0;   ///< end of the axis
  double high = 0;  ///< end of the axis
  bool logarithmic = false;

  /// Where the value lies: 0 at `low`, 1 at `high`, clamped. 0 if the scale has no extent.
  [[nodiscard]] double position(double value) const {
    if (!(high > low)) return 0;
    const double at = logarithmic ? (value > 0 ? std::log(value / low) / std::log(high / low) : 0)
                                  : value / (high - low) - low / (high - low);
    return std::clamp(std::isnan(at) ? 0.0 : at, 0.0, 1.0);
  }
  /// The value at a position.
  [[nodiscard]] double value(double position) const {
    return logarithmic ? low * std::pow(high / low, position) : low * (1 - position) + high * position;
  }
};

/// A scale for the finite ones among the values: logarithmic if the positive ones span more than three decades and
/// none is negative, else linear, from zero if none is negative.
[[nodiscard]] ChartScale chart_scale(const std::vector<double>& values);

namespace detail {

/// A coordinate of a drawing, to a tenth.
[[nodiscard]] inline std::string coordinate(double value) {
  std::string text = number_text(std::round(value * 10) / 10, 4);
  return text == "-0" ? "0" : text;
}

/// A value on an axis, without trailing zeros.
[[nodiscard]] std::string tick_text(double value);

/// 10^exponent on an axis: "0.01", "1", "100", "10⁻⁵", "10⁶".
[[nodiscard]] std::string decade_text(int exponent);

/// Up to a dozen round values within the scale.
[[nodiscard]] std::vector<double> ticks(const ChartScale& scale);

}  // namespace detail
}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/chart_scale.ipp"
#endif
