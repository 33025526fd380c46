#pragma once

#include "assay/report/ratio_strip.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE RatioAxis ratio_axis(const std::vector<double>& ratios) {
  RatioAxis axis;
  for (const double ratio : ratios)
    if (std::isfinite(ratio) && ratio > 0)
      axis.last_decade = std::clamp(static_cast<int>(std::ceil(std::log10(ratio))), axis.last_decade, 6);
  return axis;
}

ASSAY_DETAIL_HEADER_INLINE std::string ratio_axis_markup(const RatioAxis& axis) {
  std::string markup = "<span class=\"strip-axis\" aria-hidden=\"true\">";
  for (const int decade : {RatioAxis::first_decade, 0, axis.last_decade})
    markup += "<span style=\"left:clamp(1.1em," + detail::coordinate(100 * axis.position(decade)) +
              "%,100% - 1.1em)\">" + detail::decade_text(decade) + "</span>";
  return markup + "</span>";
}

ASSAY_DETAIL_HEADER_INLINE std::string ratio_strip_svg(std::vector<double> ratios, const RatioAxis& axis) {
  constexpr double height = 26;
  if (ratios.empty()) return "";
  std::vector<std::size_t> counts(axis.bins());
  std::size_t above = 0;
  for (const double ratio : ratios) {
    ++counts[axis.bin(ratio)];
    above += ratio <= 1 ? 0 : 1;
  }
  const auto most = static_cast<double>(*std::max_element(counts.begin(), counts.end()));
  std::string bars[2];
  for (std::size_t bin = 0; bin < counts.size(); ++bin) {
    if (counts[bin] == 0) continue;
    const double bar = std::max(2.5, (height - 1) * std::sqrt(static_cast<double>(counts[bin]) / most));
    bars[bin > axis.bin(1) ? 1 : 0] += "M" + std::to_string(10 * bin + 1) + " " + detail::coordinate(height) + "v-" +
                                       detail::coordinate(bar) + "h8v" + detail::coordinate(bar) + "z";
  }
  std::sort(ratios.begin(), ratios.end(),
            [](double left, double right) { return std::isnan(right) ? !std::isnan(left) : left < right; });
  const std::string told = "error / allowed of " + std::to_string(ratios.size()) +
                           (ratios.size() == 1 ? " case" : " cases") + ": median " +
                           number_text(ratios[ratios.size() / 2]) + ", largest " + number_text(ratios.back()) + ", " +
                           std::to_string(above) + " above 1";
  const std::string width = std::to_string(10 * axis.bins()),
                    one = detail::coordinate(10 * static_cast<double>(axis.bins()) * axis.position(0));
  std::string svg = "<svg class=\"strip\" role=\"img\" aria-label=\"" + told + "\" viewBox=\"0 0 " + width +
                    " 26\" preserveAspectRatio=\"none\"><title>" + told + "</title><path class=\"base\" d=\"M0 26H" +
                    width + "\"/>";
  if (!bars[0].empty()) svg += "<path class=\"below\" d=\"" + bars[0] + "\"/>";
  if (!bars[1].empty()) svg += "<path class=\"above\" d=\"" + bars[1] + "\"/>";
  return svg + "<path class=\"one\" d=\"M" + one + " 0V26\"/></svg>";
}

}  // namespace assay::inline v0
