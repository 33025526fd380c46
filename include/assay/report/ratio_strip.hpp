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
  [[nodiscard]] std::size_t bins() const { return static_cast<std::size_t>(last_decade - first_decade) * bins_per_decade + 2; }
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
[[nodiscard]] inline RatioAxis ratio_axis(const std::vector<double>& ratios) {
  RatioAxis axis;
  for (const double ratio : ratios)
    if (std::isfinite(ratio) && ratio > 0)
      axis.last_decade = std::clamp(static_cast<int>(std::ceil(std::log10(ratio))), axis.last_decade, 6);
  return axis;
}

/// Labels of an axis, placed in percent but within its ends, for the head of a column of strips.
[[nodiscard]] inline std::string ratio_axis_markup(const RatioAxis& axis) {
  std::string markup = "<span class=\"strip-axis\" aria-hidden=\"true\">";
  for (const int decade : {RatioAxis::first_decade, 0, axis.last_decade})
    markup += "<span style=\"left:clamp(1.1em," + detail::coordinate(100 * axis.position(decade)) + "%,100% - 1.1em)\">" +
              detail::decade_text(decade) + "</span>";
  return markup + "</span>";
}

/// How often each error / allowed occurs, as a strip of bars with the line at 1; what lies above it has the class
/// `above`. Heights go with the square root of the count, so that one case among thousands still shows. O(n log n).
[[nodiscard]] inline std::string ratio_strip_svg(std::vector<double> ratios, const RatioAxis& axis) {
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
  std::sort(ratios.begin(), ratios.end(), [](double left, double right) { return std::isnan(right) ? !std::isnan(left) : left < right; });
  const std::string told = "error / allowed of " + std::to_string(ratios.size()) + (ratios.size() == 1 ? " case" : " cases") + ": median " +
                           number_text(ratios[ratios.size() / 2]) + ", largest " + number_text(ratios.back()) + ", " +
                           std::to_string(above) + " above 1";
  const std::string width = std::to_string(10 * axis.bins()),
                    one = detail::coordinate(10 * static_cast<double>(axis.bins()) * axis.position(0));
  std::string svg = "<svg class=\"strip\" role=\"img\" aria-label=\"" + told + "\" viewBox=\"0 0 " + width +
                    " 26\" preserveAspectRatio=\"none\"><title>" + told + "</title><path class=\"base\" d=\"M0 26H" + width + "\"/>";
  if (!bars[0].empty()) svg += "<path class=\"below\" d=\"" + bars[0] + "\"/>";
  if (!bars[1].empty()) svg += "<path class=\"above\" d=\"" + bars[1] + "\"/>";
  return svg + "<path class=\"one\" d=\"M" + one + " 0V26\"/></svg>";
}

}  // namespace assay::inline v0
