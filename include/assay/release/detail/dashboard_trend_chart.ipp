#pragma once

#include "assay/release/detail/dashboard_trend_chart.hpp"

#include <algorithm>
#include <cstdlib>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE TrendChart::TrendChart(const Trend& trend) : trend_(trend) {
  scale_.low = scale_.high = trend.points.front().median;
  std::vector<double> lows, highs;
  for (const TrendPoint& point : trend.points) {
    scale_.low = std::min(scale_.low, point.median);
    scale_.high = std::max(scale_.high, point.median);
    lows.push_back(point.low);
    highs.push_back(point.high);
  }
  // A single sample far off must not flatten everything else: nine of ten runs are shown to their extremes.
  scale_.low = std::min(scale_.low, quantile(lows, 0.1));
  scale_.high = std::max(scale_.high, quantile(highs, 0.9));
  const double margin =
      scale_.high > scale_.low ? 0.08 * (scale_.high - scale_.low) : std::max(std::fabs(scale_.high) * 0.01, 1e-300);
  scale_.low -= margin;
  scale_.high += margin;
  choose_unit();
}

ASSAY_DETAIL_HEADER_INLINE std::string TrendChart::svg() const {
  std::string text = "<svg class=\"series trend\" role=\"img\" aria-label=\"" +
                     escaped_markup(trend_.series->key + ": " + std::to_string(trend_.points.size()) + " runs, " +
                                    std::to_string(trend_.steps.size()) + " change points") +
                     "\" viewBox=\"0 0 570 256\">";
  for (const double scaled : ticks({scale_.low / factor_, scale_.high / factor_, false}))
    text += "<path class=\"grid\" d=\"M" + coordinate(left) + " " + at_y(scaled * factor_) + "H" +
            coordinate(left + width) + "\"/><text x=\"" + coordinate(left - 8) + "\" y=\"" + at_y(scaled * factor_) +
            "\" dy=\"4\" text-anchor=\"end\">" + tick_of(scaled) + "</text>";
  text += "<path class=\"axis\" d=\"M" + coordinate(left) + " " + coordinate(top) + "V" + coordinate(top + height) +
          "H" + coordinate(left + width) + "\"/>" + labels() + samples() + levels() + steps();
  return text + "<text x=\"2\" y=\"12\">" +
         escaped_markup(clipped(visible(trend_.series->metric + (unit_.empty() ? "" : ", " + unit_)), 50)) +
         (trend_.series->direction == Direction::lower_is_better ? " (lower is better)" : " (higher is better)") +
         "</text></svg>";
}

ASSAY_DETAIL_HEADER_INLINE std::string TrendChart::sparkline() const {
  std::string path;
  const std::size_t step = (trend_.points.size() + 59) / 60;
  for (std::size_t i = 0; i < trend_.points.size(); i += step)
    path += (path.empty() ? "M" : "L") + coordinate(2 + 76 * share_of(i)) + " " +
            coordinate(18 - 16 * scale_.position(trend_.points[i].median));
  return "<svg class=\"spark\" aria-hidden=\"true\" viewBox=\"0 0 80 20\"><path class=\"line\" d=\"" + path +
         (trend_.points.size() == 1 ? "h3" : "") + "\"/></svg>";
}

ASSAY_DETAIL_HEADER_INLINE void TrendChart::choose_unit() {
  unit_ = trend_.series->unit == "1" ? "" : trend_.series->unit;
  const double size = std::max(std::fabs(scale_.low), std::fabs(scale_.high));
  if (unit_ == "s") {
    for (const auto& [factor, name] : {std::pair{1.0, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}) {
      factor_ = factor;
      unit_ = name;
      if (size >= factor) break;
    }
  } else if (size >= 1e5 || (size < 1e-3 && size > 0)) {
    const int exponent = static_cast<int>(std::floor(std::log10(size) / 3)) * 3;
    if (std::abs(exponent) > 300) return;
    factor_ = std::pow(10.0, exponent);
    unit_ = decade_text(exponent) + (unit_.empty() ? "" : " " + unit_);
  }
}

ASSAY_DETAIL_HEADER_INLINE std::string TrendChart::tick_of(double tick) const {
  const double span = (scale_.high - scale_.low) / factor_,
               size = std::max(std::fabs(scale_.high), std::fabs(scale_.low)) / factor_;
  const int digits =
      size > 0 && span > 0 ? std::clamp(static_cast<int>(std::ceil(std::log10(size / span))) + 2, 3, 12) : 3;
  const std::string text = number_text(std::fabs(tick) < span * 1e-9 ? 0.0 : tick, digits);
  if (text.find('.') == std::string::npos || text.find('e') != std::string::npos) return text;
  const std::size_t kept = text.find_last_not_of('0');
  return text.substr(0, text[kept] == '.' ? kept : kept + 1);
}

ASSAY_DETAIL_HEADER_INLINE std::string TrendChart::labels() const {
  const std::size_t count = trend_.points.size();
  std::size_t longest = 1;
  std::vector<std::size_t> firsts;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0 && trend_.points[i].label == trend_.points[i - 1].label) continue;
    firsts.push_back(i);
    longest = std::max(longest, std::min<std::size_t>(display_width(trend_.points[i].label), 14));
  }
  const std::size_t most = std::clamp<std::size_t>(70 / (longest + 2), 2, 12),
                    step = std::max<std::size_t>(1, (firsts.size() + most - 1) / most);
  std::string text;
  for (std::size_t k = 0; k < firsts.size(); k += step) {
    const std::size_t i = firsts[k];
    text += "<text x=\"" + at_x(i) + "\" y=\"" + coordinate(top + height + 18) + "\" text-anchor=\"" +
            (count > 1 && i == 0           ? "start"
             : i + 1 == count && count > 1 ? "end"
                                           : "middle") +
            "\">" + escaped_markup(clipped(visible(trend_.points[i].label), 14)) + "</text>";
  }
  return text;
}

ASSAY_DETAIL_HEADER_INLINE std::string TrendChart::samples() const {
  constexpr std::size_t most_points = 400;
  const std::size_t count = trend_.points.size(), step = (count + most_points - 1) / most_points;
  std::string line, whiskers, dots;
  for (std::size_t i = 0; i < count; i += step) {
    const TrendPoint& point = trend_.points[i];
    line += (line.empty() ? "M" : "L") + at_x(i) + " " + at_y(point.median);
    if (count <= 120 && point.high > point.low)
      whiskers += "M" + at_x(i) + " " + at_y(point.low) + "V" + at_y(point.high);
    if (count <= 120)
      dots += "<circle class=\"dot\" cx=\"" + at_x(i) + "\" cy=\"" + at_y(point.median) + "\" r=\"3\"><title>" +
              escaped_markup(clipped(visible(point.label), 40)) + ": " +
              escaped_markup(quantity_text(point.median, trend_.series->unit)) + ", " + std::to_string(point.samples) +
              (point.samples == 1 ? " sample" : " samples") + "</title></circle>";
  }
  return "<path class=\"whisker\" d=\"" + whiskers + "\"/><path class=\"line\" d=\"" + line + "\"/>" + dots;
}

ASSAY_DETAIL_HEADER_INLINE std::string TrendChart::levels() const {
  if (trend_.steps.empty()) return {};
  std::string path;
  for (std::size_t i = 0; i < trend_.levels.size(); ++i) {
    const double from = i == 0 ? left : before(trend_.steps[i - 1].position),
                 to = i == trend_.steps.size() ? left + width : before(trend_.steps[i].position);
    path += "M" + coordinate(from) + " " + at_y(trend_.levels[i]) + "H" + coordinate(to);
  }
  return "<path class=\"level\" d=\"" + path + "\"/>";
}

ASSAY_DETAIL_HEADER_INLINE std::string TrendChart::steps() const {
  std::string text;
  for (std::size_t i = 0; i < trend_.steps.size(); ++i) {
    const TrendStep& step = trend_.steps[i];
    const std::string x = coordinate(before(step.position));
    text += "<g class=\"change " + std::string(step.worsening > 0 ? "worse" : "better") + "\"><path d=\"M" + x + " " +
            coordinate(top - 4) + "V" + coordinate(top + height) + "\"/><text x=\"" + x + "\" y=\"" +
            coordinate(i % 2 == 0 ? top - 8 : top - 22) + "\" text-anchor=\"middle\">" +
            share_text(std::fabs(step.worsening)).substr(1) +
            (trend_.steps.size() > 3 ? ""
             : step.worsening > 0    ? " worse"
                                     : " better") +
            "</text></g>";
  }
  return text;
}

}  // namespace assay::inline v0::detail
