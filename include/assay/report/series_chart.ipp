#pragma once

#include "assay/report/series_chart.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string series_svg(const Series& series) {
  constexpr std::size_t most_points = 400;
  constexpr double left = 70, top = 24, width = 470, height = 186;
  std::string svg = "<figure class=\"chart\"><figcaption>" + escaped_markup(series.title) + "</figcaption>";
  std::vector<double> xs, ys;
  for (const auto& [x, y] : series.points)
    if (std::isfinite(x) && std::isfinite(y)) xs.push_back(x), ys.push_back(y);
  if (xs.empty()) return svg + "<p class=\"note\">This series holds no finite points.</p></figure>";

  ChartScale horizontal = chart_scale(xs);
  ChartScale vertical = chart_scale(ys);
  if (!horizontal.logarithmic) horizontal.low = *std::min_element(xs.begin(), xs.end());
  // A logarithmic axis has no place for zero: points at zero ask for a linear one.
  for (ChartScale* scale : {&horizontal, &vertical})
    if (const std::vector<double>& values = scale == &horizontal ? xs : ys;
        scale->logarithmic && *std::min_element(values.begin(), values.end()) <= 0)
      *scale = {0, scale->high, false};

  const auto at_x = [&](double x) { return detail::coordinate(left + width * horizontal.position(x)); };
  const auto at_y = [&](double y) { return detail::coordinate(top + height * (1 - vertical.position(y))); };
  const std::string right_edge = detail::coordinate(left + width), bottom_edge = detail::coordinate(top + height),
                    left_edge = detail::coordinate(left);
  svg +=
      "<svg class=\"series\" role=\"img\" aria-label=\"" + escaped_markup(series.title) + "\" viewBox=\"0 0 570 262\">";
  for (const double tick : detail::ticks(vertical))
    svg += "<path class=\"grid\" d=\"M" + left_edge + " " + at_y(tick) + "H" + right_edge + "\"/><text x=\"62\" y=\"" +
           at_y(tick) + "\" dy=\"4\" text-anchor=\"end\">" + detail::tick_text(tick) + "</text>";
  for (const double tick : detail::ticks(horizontal))
    svg += "<path class=\"grid\" d=\"M" + at_x(tick) + " " + bottom_edge + "v5\"/><text x=\"" + at_x(tick) +
           "\" y=\"228\" text-anchor=\"middle\">" + detail::tick_text(tick) + "</text>";
  svg += "<path class=\"axis\" d=\"M" + left_edge + " 24V" + bottom_edge + "H" + right_edge + "\"/>";

  const std::size_t step = (series.points.size() + most_points - 1) / most_points;
  std::string line, dots;
  bool pen_down = false;
  for (std::size_t i = 0; i < series.points.size(); i += step) {
    const auto& [x, y] = series.points[i];
    const bool finite = std::isfinite(x) && std::isfinite(y);
    if (finite) line += (pen_down ? "L" : "M") + at_x(x) + " " + at_y(y);
    if (finite && xs.size() <= 60)
      dots += "<circle class=\"dot\" cx=\"" + at_x(x) + "\" cy=\"" + at_y(y) + "\" r=\"2.5\"/>";
    pen_down = finite;
  }
  svg += "<path class=\"line\" d=\"" + line + "\"/>" + dots;
  svg += "<text x=\"310\" y=\"252\" text-anchor=\"middle\">" + escaped_markup(series.x_label) +
         "</text><text x=\"2\" y=\"12\">" + escaped_markup(series.y_label) + "</text></svg>";
  std::string note;
  if (step > 1)
    note += "Every " + std::to_string(step) + "th of " + std::to_string(series.points.size()) + " points is drawn. ";
  if (xs.size() < series.points.size())
    note += "Not finite, hence gaps: " + std::to_string(series.points.size() - xs.size()) + " of " +
            std::to_string(series.points.size()) + " points.";
  return svg + (note.empty() ? "" : "<p class=\"note\">" + note + "</p>") + "</figure>";
}

}  // namespace assay::inline v0
