#pragma once

#include "assay/validators/detail/magnitude_chart.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

/// 2^exponent on an axis: "2⁻⁵".
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string binade_text(int exponent) {
  const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "2⁻" : "2";
  for (const char digit : std::to_string(std::abs(exponent))) text += digits[digit - '0'];
  return text;
}

ASSAY_DETAIL_HEADER_INLINE std::string magnitude_svg(const MagnitudeDistribution& values) {
  constexpr double left = 52, top = 24, width = 488, height = 150, bottom = top + height;
  int first = 1, last = 0;
  Index most = 0;
  for (int exponent = MagnitudeDistribution::least_exponent; exponent <= MagnitudeDistribution::largest_exponent;
       ++exponent) {
    const Index count = values.in_binade(exponent);
    if (count == 0) continue;
    if (first > last) first = exponent;
    last = exponent;
    most = std::max(most, count);
  }
  std::string svg = "<figure class=\"chart\"><figcaption>magnitudes: values by binade</figcaption>";
  if (most == 0) return svg + "<p class=\"note\">All values are zero or not finite.</p></figure>";
  const double decades = std::max(1.0, std::ceil(std::log10(static_cast<double>(most)) + 0.2));
  const auto rise = [&](double count) { return std::max(3.0, height * (std::log10(count) + 0.2) / (decades + 0.2)); };
  const double bar = std::min(40.0, width / (last - first + 1));
  svg += "<svg class=\"series\" role=\"img\" aria-label=\"magnitudes from " + binade_text(first) + " to " +
         binade_text(last + 1) + "\" viewBox=\"0 0 570 222\">";
  const int step = std::max(1, static_cast<int>(decades) / 4);
  for (int decade = 0; decade <= static_cast<int>(decades); decade += step) {
    const std::string y = coordinate(bottom - rise(std::pow(10.0, decade)));
    svg += "<path class=\"grid\" d=\"M52 " + y + "H540\"/><text x=\"46\" y=\"" + y +
           "\" dy=\"4\" text-anchor=\"end\">" + decade_text(decade) + "</text>";
  }
  std::string bars;
  const int stride = std::max(1, static_cast<int>(std::ceil(44 / bar)));
  for (int exponent = first; exponent <= last; ++exponent) {
    const double x = left + bar * (exponent - first);
    if (const Index count = values.in_binade(exponent); count > 0) {
      const std::string up = coordinate(rise(static_cast<double>(count)));
      bars += "M" + coordinate(x + 0.5) + " " + coordinate(bottom) + "v-" + up + "H" + coordinate(x + bar - 0.5) + "v" +
              up + "z";
    }
    if ((last - exponent) % stride == 0)
      svg += "<text x=\"" + coordinate(x) + "\" y=\"192\" text-anchor=\"middle\">" + binade_text(exponent) + "</text>";
  }
  return svg + "<path class=\"below\" d=\"" + bars +
         "\"/><path class=\"axis\" d=\"M52 24V174H540\"/><text x=\"296\" y=\"216\" "
         "text-anchor=\"middle\">|value|</text>" +
         "<text x=\"2\" y=\"12\">values</text></svg></figure>";
}

}  // namespace assay::inline v0::detail
