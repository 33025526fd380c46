#pragma once

#include "assay/report/chart_scale.hpp"

#include <limits>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE ChartScale chart_scale(const std::vector<double>& values) {
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
  if (low >= 0 && high > 0 && high / least_positive > 1e3 && std::isfinite(high / least_positive))
    return {least_positive, high, true};
  return {std::min(low, 0.0), high, false};
}

namespace detail {

ASSAY_DETAIL_HEADER_INLINE std::string tick_text(double value) {
  std::string text = number_text(value);
  const std::size_t point = text.find('.');
  if (point == std::string::npos) return text;
  const std::size_t end = std::min(text.find('e'), text.size());
  const std::size_t kept = text.find_last_not_of('0', end - 1);
  return text.erase(kept == point ? point : kept + 1, end - (kept == point ? point : kept + 1));
}

ASSAY_DETAIL_HEADER_INLINE std::string decade_text(int exponent) {
  if (exponent >= -2 && exponent <= 3) return tick_text(std::pow(10.0, exponent));
  const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(exponent < 0 ? -exponent : exponent)) text += digits[digit - '0'];
  return text;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<double> ticks(const ChartScale& scale) {
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
  for (int i = 0; i < 12 && (first + i) * step <= scale.high * (1 + 1e-9) + step * 1e-9; ++i)
    values.push_back((first + i) * step);
  return values;
}

}  // namespace detail

}  // namespace assay::inline v0
