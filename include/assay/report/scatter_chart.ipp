#pragma once

#include "assay/report/scatter_chart.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE ScatterLabels::ScatterLabels(const std::vector<double>& xs, const std::vector<double>& ys,
                                                        double line_height, double bunch_gap, double top, double bottom)
    : x(xs.size()), y(ys.size()) {
  std::vector<std::size_t> order(xs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return xs[a] != xs[b] ? xs[a] < xs[b] : a < b; });
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && xs[order[end]] - xs[order[end - 1]] <= bunch_gap) ++end;
    std::vector<std::size_t> bunch(order.begin() + static_cast<std::ptrdiff_t>(begin),
                                   order.begin() + static_cast<std::ptrdiff_t>(end));
    std::sort(bunch.begin(), bunch.end(),
              [&](std::size_t a, std::size_t b) { return ys[a] != ys[b] ? ys[a] < ys[b] : a < b; });
    for (const std::size_t point : bunch) x[point] = xs[order[end - 1]];
    place(bunch, ys, line_height, top, bottom);
    begin = end;
  }
}

ASSAY_DETAIL_HEADER_INLINE void ScatterLabels::place(const std::vector<std::size_t>& bunch,
                                                     const std::vector<double>& ys, double line_height, double top,
                                                     double bottom) {
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < bunch.size(); ++i) {
    blocks.push_back({ys[bunch[i]] - line_height * static_cast<double>(i), 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].first() >= blocks.back().first()) {
      blocks[blocks.size() - 2].sum += blocks.back().sum;
      blocks[blocks.size() - 2].count += blocks.back().count;
      blocks.pop_back();
    }
  }
  const double lowest = std::max(top, bottom - line_height * static_cast<double>(bunch.size() - 1));
  std::size_t i = 0;
  for (const Block& block : blocks)
    for (std::size_t member = 0; member < block.count; ++member, ++i)
      y[bunch[i]] = std::clamp(block.first(), top, lowest) + line_height * static_cast<double>(i);
}

/// 2^n and 3·2^n within the scale.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<double> octave_ticks(const ChartScale& scale) {
  std::vector<double> values;
  for (int exponent = -64; exponent <= 64; ++exponent)
    for (const double tick : {std::ldexp(1.0, exponent), std::ldexp(1.5, exponent)})
      if (tick >= scale.low && tick <= scale.high) values.push_back(tick);
  return values;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string scatter_svg(const ScatterChart& chart) {
  constexpr double left = 52, top = 34, width = 800, height = 380, right = left + width, bottom = top + height,
                   label_room = 130;
  std::string svg = "<figure class=\"chart scroll\"><figcaption>" + escaped_markup(chart.title) + "</figcaption>";
  std::vector<ScatterPoint> points;
  double least_x = std::numeric_limits<double>::infinity(), most_x = -least_x, most_y = chart.from_zero ? 0 : -least_x,
         least_y = chart.from_zero ? 0 : least_x;
  bool unbounded = false;
  const auto beyond = [&](double y) { return y > chart.y_limit || y == std::numeric_limits<double>::infinity(); };
  for (const ScatterPoint& point : chart.points) {
    if (!std::isfinite(point.x) || (chart.logarithmic_x && point.x <= 0) || std::isnan(point.y) ||
        point.y == -std::numeric_limits<double>::infinity())
      continue;
    points.push_back(point);
    least_x = std::min(least_x, point.x);
    most_x = std::max(most_x, point.x);
    if (beyond(point.y)) unbounded = true;
    for (const double y : {point.y, point.low, point.high})
      if (std::isfinite(y) && !beyond(y)) most_y = std::max(most_y, y), least_y = std::min(least_y, y);
  }
  if (points.empty()) return svg + "<p class=\"note\">This chart holds no points.</p></figure>";
  const double margin = std::max(0.5, (most_x - least_x) * 0.04);
  const ChartScale horizontal = chart.logarithmic_x ? ChartScale{least_x / 1.06, most_x * 1.06, true}
                                                    : ChartScale{least_x - margin, most_x + margin, false};
  if (least_y > most_y) least_y = most_y = 0;  // there are points beyond the limit alone
  const double room = chart.from_zero ? most_y * 0.04 : (most_y - least_y) * 0.06;
  const ChartScale vertical{chart.from_zero ? least_y : least_y - room, most_y > least_y ? most_y + room : least_y + 1,
                            false};
  const double floor = unbounded ? top + 26 : top;  // infinity has a line of its own above the others
  const auto at_x = [&](double x) { return left + (width - label_room) * horizontal.position(x); };
  const auto at_y = [&](double y) { return beyond(y) ? top : bottom - (bottom - floor) * vertical.position(y); };
  using detail::coordinate;

  svg += "<svg class=\"series scatter\" role=\"img\" aria-label=\"" + escaped_markup(chart.title) +
         "\" viewBox=\"0 0 860 460\">";
  for (const double tick : detail::ticks(vertical))
    svg += "<path class=\"grid\" d=\"M" + coordinate(left) + " " + coordinate(at_y(tick)) + "H" + coordinate(right) +
           "\"/><text x=\"44\" y=\"" + coordinate(at_y(tick)) + "\" dy=\"4\" text-anchor=\"end\">" +
           detail::tick_text(tick) + "</text>";
  if (unbounded)
    svg += "<path class=\"grid\" stroke-dasharray=\"3 3\" d=\"M" + coordinate(left) + " " + coordinate(top) + "H" +
           coordinate(right) + "\"/><text x=\"44\" y=\"" + coordinate(top) + "\" dy=\"4\" text-anchor=\"end\">" +
           (std::isfinite(chart.y_limit) ? "&gt;" + detail::tick_text(chart.y_limit) : "∞") + "</text>";
  for (const double tick : chart.logarithmic_x ? detail::octave_ticks(horizontal) : detail::ticks(horizontal))
    svg += "<path class=\"grid\" d=\"M" + coordinate(at_x(tick)) + " " + coordinate(bottom) + "v5\"/><text x=\"" +
           coordinate(at_x(tick)) + "\" y=\"" + coordinate(bottom + 20) + "\" text-anchor=\"middle\">" +
           detail::tick_text(tick) + "</text>";
  svg += "<path class=\"axis\" d=\"M" + coordinate(left) + " " + coordinate(top - 8) + "V" + coordinate(bottom) + "H" +
         coordinate(right) + "\"/>";

  std::vector<double> xs, ys;
  for (const ScatterPoint& point : points) xs.push_back(at_x(point.x)), ys.push_back(at_y(point.y));
  const detail::ScatterLabels labels(xs, ys, 16, 48, top, bottom - 4);
  std::vector<std::size_t> marked;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (points[i].marked) marked.push_back(i);
  std::sort(marked.begin(), marked.end(),
            [&](std::size_t a, std::size_t b) { return xs[a] != xs[b] ? xs[a] < xs[b] : ys[a] > ys[b]; });
  std::string line;
  for (const std::size_t i : marked) line += (line.empty() ? "M" : "L") + coordinate(xs[i]) + " " + coordinate(ys[i]);
  if (!line.empty()) svg += "<path class=\"line\" d=\"" + line + "\"/>";
  for (std::size_t i = 0; i < points.size(); ++i)
    if (points[i].low < points[i].y)
      svg += "<path class=\"whisker\" d=\"M" + coordinate(xs[i]) + " " + coordinate(ys[i]) + "V" +
             coordinate(std::isfinite(points[i].low) ? at_y(points[i].low) : bottom) + "\"/>";
  for (std::size_t i = 0; i < points.size(); ++i)
    if (points[i].high > points[i].y)
      svg += "<path class=\"whisker\" d=\"M" + coordinate(xs[i]) + " " + coordinate(ys[i]) + "V" +
             coordinate(at_y(points[i].high)) + "\"/>";
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ScatterPoint& point = points[i];
    const double label_x = labels.x[i] + 22;
    svg += "<path class=\"leader\" d=\"M" + coordinate(xs[i] + 5) + " " + coordinate(ys[i]) + "L" +
           coordinate(label_x - 4) + " " + coordinate(labels.y[i]) + "\"/>";
    svg += std::string("<g class=\"") + (point.marked ? "best" : "other") + "\"><title>" +
           escaped_markup(point.note.empty() ? point.name : point.note) + "</title><circle cx=\"" + coordinate(xs[i]) +
           "\" cy=\"" + coordinate(ys[i]) + "\" r=\"4\"/><text x=\"" + coordinate(label_x) + "\" y=\"" +
           coordinate(labels.y[i]) + "\" dy=\"4\">" + escaped_markup(point.name) + "</text></g>";
  }
  svg += "<text x=\"" + coordinate(left + width / 2) + "\" y=\"" + coordinate(bottom + 42) +
         "\" text-anchor=\"middle\">" + escaped_markup(chart.x_label) + "</text><text x=\"2\" y=\"12\">" +
         escaped_markup(chart.y_label) + "</text></svg>";
  const std::size_t left_out = chart.points.size() - points.size();
  if (left_out > 0)
    svg += std::string("<p class=\"note\">Not drawn, since not finite") +
           (chart.logarithmic_x ? " or not above 0" : "") + ": " + std::to_string(left_out) + " of " +
           std::to_string(chart.points.size()) + " points.</p>";
  return svg + "</figure>";
}

}  // namespace assay::inline v0
