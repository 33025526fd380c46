#pragma once

#include "assay/report/distribution_chart.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string distribution_svg(const Series& series) {
  constexpr double left = 64, top = 24, width = 476, height = 180, bottom = top + height;
  std::string html = "<figure class=\"chart\"><figcaption>" + escaped_markup(series.title) + "</figcaption>";

  std::vector<double> ends;
  double most = 0, elements = 0, refuted = 0, beyond = 0;
  for (const auto& [end, count] : series.points) {
    if (!(count > 0) || !std::isfinite(count)) continue;
    most = std::max(most, count);
    elements += count;
    if (!(end <= 1)) refuted += count;
    if (!std::isfinite(end)) beyond += count;
    if (std::isfinite(end) && end > 0) ends.push_back(end);
  }
  if (elements == 0) return html + "<p class=\"note\">This distribution holds no elements.</p></figure>";

  // decades around all bins and the line at 1
  const double least = ends.empty() ? 1 : *std::min_element(ends.begin(), ends.end()),
               largest = ends.empty() ? 1 : *std::max_element(ends.begin(), ends.end());
  const int first = std::max(-12, std::min(-1, static_cast<int>(std::floor(std::log10(least))) - 1));
  const int last = std::min(12, std::max(1, static_cast<int>(std::ceil(std::log10(largest)))));
  const double margin = beyond > 0 ? 76 : 0;
  const auto at_x = [&](double ratio) {
    return left +
           (width - margin) * std::clamp(ratio > 0 ? (std::log10(ratio) - first) / (last - first) : 0.0, 0.0, 1.0);
  };
  const double decades = std::max(1.0, std::ceil(std::log10(most) + 0.2));
  const auto rise = [&](double count) {
    return std::max(3.0, height * (std::log10(std::max(count, 1.0)) + 0.2) / (decades + 0.2));
  };

  std::string svg = "<svg class=\"series\" role=\"img\" aria-label=\"" + number_text(elements) + " elements, " +
                    number_text(refuted) + " of them above an error / allowed of 1\" viewBox=\"0 0 570 262\">";
  const int step = std::max(1, static_cast<int>(decades) / 4);
  for (int decade = 0; decade <= static_cast<int>(decades); decade += step) {
    const std::string y = detail::coordinate(bottom - rise(std::pow(10.0, decade)));
    svg += "<path class=\"grid\" d=\"M64 " + y + "H540\"/><text x=\"56\" y=\"" + y +
           "\" dy=\"4\" text-anchor=\"end\">" + detail::decade_text(decade) + "</text>";
  }
  const int stride = std::max(1, (last - first + 4) / 6);
  for (int decade = first; decade <= last; ++decade)
    if (decade % stride == 0)
      svg += "<text x=\"" + detail::coordinate(at_x(std::pow(10.0, decade))) + "\" y=\"222\" text-anchor=\"middle\">" +
             detail::decade_text(decade) + "</text>";

  std::string bars[2];
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const auto& [end, count] = series.points[i];
    if (!(count > 0) || !std::isfinite(count)) continue;
    double from, to;
    if (!std::isfinite(end)) {
      from = left + width - 44, to = left + width;
    } else {
      const double start = i > 0                                     ? series.points[i - 1].first
                           : i + 1 < series.points.size() && end > 0 ? end * end / series.points[i + 1].first
                                                                     : 0;
      to = std::max(at_x(end), left + 4);
      from = std::min(at_x(start), to - 2);
    }
    const double up = rise(count);
    bars[end <= 1 ? 0 : 1] += "M" + detail::coordinate(from + 0.5) + " " + detail::coordinate(bottom) + "v-" +
                              detail::coordinate(up) + "H" + detail::coordinate(to - 0.5) + "v" +
                              detail::coordinate(up) + "z";
  }
  if (!bars[0].empty()) svg += "<path class=\"below\" d=\"" + bars[0] + "\"/>";
  if (!bars[1].empty()) svg += "<path class=\"above\" d=\"" + bars[1] + "\"/>";
  if (beyond > 0)
    svg += "<text x=\"" + detail::coordinate(left + width - 22) + "\" y=\"222\" text-anchor=\"middle\">∞, NaN</text>";
  const std::string one = detail::coordinate(at_x(1));
  svg += "<path class=\"axis\" d=\"M64 24V204H540\"/><path class=\"one\" d=\"M" + one +
         " 16V204\"/><text class=\"limit\" x=\"" + one +
         "\" y=\"12\" text-anchor=\"middle\">allowed ◂ 1 ▸ refuted</text><text x=\"310\" y=\"252\" "
         "text-anchor=\"middle\">" +
         escaped_markup(series.x_label.empty() ? "error / allowed" : series.x_label) +
         "</text><text x=\"2\" y=\"12\">" + escaped_markup(series.y_label.empty() ? "elements" : series.y_label) +
         "</text></svg>";
  return html + svg + "<p class=\"note\">" + number_text(refuted) + " of " + number_text(elements) +
         " elements above 1; both axes logarithmic.</p></figure>";
}

}  // namespace assay::inline v0
