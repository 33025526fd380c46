#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "assay/report/text.hpp"

namespace assay::inline v0 {

/// The values that a chart's axis or colours span, linear or logarithmic.
struct ChartScale {
  double low = 0;   ///< end of the axis
  double high = 0;  ///< end of the axis
  bool logarithmic = false;

  /// Where the value lies: 0 at `low`, 1 at `high`, clamped. 0 if the scale has no extent.
  [[nodiscard]] double position(double value) const {
    if (!(high > low)) return 0;
    const double at =
        logarithmic ? (value > 0 ? std::log(value / low) / std::log(high / low) : 0) : value / (high - low) - low / (high - low);
    return std::clamp(std::isnan(at) ? 0.0 : at, 0.0, 1.0);
  }
  /// The value at a position.
  [[nodiscard]] double value(double position) const {
    return logarithmic ? low * std::pow(high / low, position) : low * (1 - position) + high * position;
  }
};

/// A scale for the finite ones among the values: logarithmic if the positive ones span more than three decades and
/// none is negative, else linear, from zero if none is negative.
[[nodiscard]] inline ChartScale chart_scale(const std::vector<double>& values) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  double least_positive = low;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
    if (value > 0) least_positive = std::min(least_positive, value);
  }
  if (!(low <= high)) return {};
  if (low >= 0 && high > 0 && high / least_positive > 1e3 && std::isfinite(high / least_positive)) return {least_positive, high, true};
  return {std::min(low, 0.0), high, false};
}

namespace detail {

/// A coordinate of a drawing, to a tenth.
[[nodiscard]] inline std::string coordinate(double value) {
  std::string text = number_text(std::round(value * 10) / 10, 4);
  return text == "-0" ? "0" : text;
}

/// A value on an axis, without trailing zeros.
[[nodiscard]] inline std::string tick_text(double value) {
  std::string text = number_text(value);
  const std::size_t point = text.find('.');
  if (point == std::string::npos) return text;
  const std::size_t end = std::min(text.find('e'), text.size());
  const std::size_t kept = text.find_last_not_of('0', end - 1);
  return text.erase(kept == point ? point : kept + 1, end - (kept == point ? point : kept + 1));
}

/// 10^exponent on an axis: "0.01", "1", "100", "10⁻⁵", "10⁶".
[[nodiscard]] inline std::string decade_text(int exponent) {
  if (exponent >= -2 && exponent <= 3) return tick_text(std::pow(10.0, exponent));
  const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(exponent < 0 ? -exponent : exponent)) text += digits[digit - '0'];
  return text;
}

/// Up to a dozen round values within the scale.
[[nodiscard]] inline std::vector<double> ticks(const ChartScale& scale) {
  std::vector<double> values;
  if (!(scale.high > scale.low) || !std::isfinite(scale.high - scale.low)) return values;
  if (scale.logarithmic) {
    const int first = static_cast<int>(std::ceil(std::log10(scale.low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log10(scale.high) + 1e-9));
    const int step = std::max(1, (last - first + 4) / 5);
    for (int exponent = first; exponent <= last; exponent += step) values.push_back(std::pow(10.0, exponent));
    return values;
  }
  const double rough = (scale.high - scale.low) / 4;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double step = power * (rough / power >= 5 ? 5 : rough / power >= 2 ? 2 : 1);
  if (!(step > 0) || !std::isfinite(step)) return values;
  const double first = std::ceil(scale.low / step - 1e-9);
  for (int i = 0; i < 12 && (first + i) * step <= scale.high * (1 + 1e-9) + step * 1e-9; ++i) values.push_back((first + i) * step);
  return values;
}

}  // namespace detail
}  // namespace assay::inline v0
