#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/heat_map.hpp"
#include "assay/core/series.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/text.hpp"

/// Heat maps and series as inline SVG. Colours come from the page's style sheet: classes h0 … h8 (light to heavy),
/// hx (not finite), axis, grid, line, dot.
namespace assay {

/// The values that a chart's axis or colours span, linear or logarithmic.
struct ChartScale {
  double low = 0;
  double high = 0;
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

/// A map of at most `most` cells a side: of the cells that fall together the largest counts, and a NaN counts as larger
/// than all. Values that are missing are NaN. O(cells).
[[nodiscard]] inline HeatMap reduced(const HeatMap& map, std::size_t most = 64) {
  HeatMap small = map;
  if (map.rows == 0 || map.columns == 0 || map.values.size() / map.columns < map.rows) {
    small.rows = small.columns = 0;
    small.values.clear();
    return small;
  }
  const std::size_t row_step = (map.rows + most - 1) / most;
  const std::size_t column_step = (map.columns + most - 1) / most;
  if (row_step == 1 && column_step == 1) return small;
  small.rows = (map.rows + row_step - 1) / row_step;
  small.columns = (map.columns + column_step - 1) / column_step;
  small.rows_per_cell = map.rows_per_cell * static_cast<std::int64_t>(row_step);
  small.columns_per_cell = map.columns_per_cell * static_cast<std::int64_t>(column_step);
  small.values.assign(small.rows * small.columns, -std::numeric_limits<double>::infinity());
  for (std::size_t row = 0; row < map.rows; ++row)
    for (std::size_t column = 0; column < map.columns; ++column) {
      double& kept = small.values[row / row_step * small.columns + column / column_step];
      const double value = map.at(row, column);
      if (!std::isnan(kept) && (std::isnan(value) || value > kept)) kept = value;
    }
  return small;
}

namespace detail {

inline constexpr std::size_t heat_levels = 9;

[[nodiscard]] inline std::string coordinate(double value) {
  std::string text = number_text(std::round(value * 10) / 10, 4);
  return text == "-0" ? "0" : text;
}

/// Elements first … last that a cell covers, as the title of the axis tells them.
[[nodiscard]] inline std::string cell_range(std::size_t cell, std::int64_t elements) {
  const std::int64_t first = static_cast<std::int64_t>(cell) * elements;
  return elements <= 1 ? std::to_string(first) : std::to_string(first) + "–" + std::to_string(first + elements - 1);
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

/// A heat map as SVG with its legend: one path a colour, runs of equal cells joined, so that 64 × 64 cells take some
/// 30 kB at most. Says where the largest value is.
[[nodiscard]] inline std::string heat_map_svg(const HeatMap& given) {
  const HeatMap map = reduced(given);
  std::string svg = "<figure><figcaption>" + escaped_markup(given.title) + "</figcaption>";
  if (map.values.empty()) return svg + "<p class=\"note\">This map holds no cells.</p></figure>";

  const ChartScale scale = chart_scale(map.values);
  std::array<std::string, detail::heat_levels + 1> paths;
  const auto level = [&](std::size_t row, std::size_t column) {
    const double value = map.at(row, column);
    if (!std::isfinite(value)) return detail::heat_levels;
    return std::min(static_cast<std::size_t>(scale.position(value) * detail::heat_levels), detail::heat_levels - 1);
  };
  bool not_finite = false;
  std::optional<std::pair<std::size_t, std::size_t>> largest;
  for (std::size_t row = 0; row < map.rows; ++row)
    for (std::size_t column = 0; column < map.columns;) {
      const std::size_t color = level(row, column);
      std::size_t end = column;
      for (; end < map.columns && level(row, end) == color; ++end) {
        const double value = map.at(row, end);
        if (std::isfinite(value) && (!largest || value > map.at(largest->first, largest->second))) largest = {row, end};
      }
      const std::string width = std::to_string(end - column);
      paths[color] += std::string("M") + std::to_string(column) + " " + std::to_string(row) + "h" + width + "v1h-" + width + "z";
      not_finite = not_finite || color == detail::heat_levels;
      column = end;
    }

  const double cell = std::min(28.0, 512.0 / static_cast<double>(std::max(map.rows, map.columns)));
  const auto side = [&](std::size_t cells) { return detail::coordinate(std::max(8.0, cell * static_cast<double>(cells))); };
  svg += "<svg class=\"heat\" role=\"img\" aria-label=\"heat map\" width=\"" + side(map.columns) + "\" height=\"" + side(map.rows) +
         "\" viewBox=\"0 0 " + std::to_string(map.columns) + " " + std::to_string(map.rows) + "\" preserveAspectRatio=\"none\">";
  for (std::size_t color = 0; color <= detail::heat_levels; ++color)
    if (!paths[color].empty())
      svg +=
          "<path class=\"h" + (color == detail::heat_levels ? std::string("x") : std::to_string(color)) + "\" d=\"" + paths[color] + "\"/>";
  svg += "</svg><p class=\"legend\">" + number_text(scale.low);
  if (scale.high > scale.low) {
    for (std::size_t color = 0; color < detail::heat_levels; ++color) svg += "<i class=\"h" + std::to_string(color) + "\"></i>";
    svg += "<span>" + number_text(scale.high) + "</span>" + (scale.logarithmic ? " (logarithmic)" : "");
  } else {
    svg += "<i class=\"h0\"></i>";
  }
  if (not_finite) svg += "<i class=\"hx\"></i>NaN or infinite";
  svg += "</p><p class=\"note\">Rows downwards, columns to the right; a cell covers " + std::to_string(map.rows_per_cell) + " × " +
         std::to_string(map.columns_per_cell) + " elements.";
  if (largest)
    svg += " Largest: " + number_text(map.at(largest->first, largest->second)) + " in rows " +
           detail::cell_range(largest->first, map.rows_per_cell) + ", columns " +
           detail::cell_range(largest->second, map.columns_per_cell) + ".";
  if (map.rows != given.rows || map.columns != given.columns)
    svg += " Drawn smaller than its " + std::to_string(given.rows) + " × " + std::to_string(given.columns) +
           " cells; the largest of each group shows.";
  return svg + "</p></figure>";
}

/// A series as SVG with axes. Beyond 400 points every k-th is drawn, and the note says so; points that are not finite
/// leave a gap.
[[nodiscard]] inline std::string series_svg(const Series& series) {
  constexpr std::size_t most_points = 400;
  constexpr double left = 70, top = 10, width = 480, height = 200;
  std::string svg = "<figure><figcaption>" + escaped_markup(series.title) + "</figcaption>";
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
  svg += "<svg class=\"series\" role=\"img\" aria-label=\"series\" viewBox=\"0 0 570 262\">";
  for (const double tick : detail::ticks(vertical))
    svg += "<path class=\"grid\" d=\"M" + left_edge + " " + at_y(tick) + "H" + right_edge + "\"/><text x=\"62\" y=\"" + at_y(tick) +
           "\" dy=\"4\" text-anchor=\"end\">" + detail::tick_text(tick) + "</text>";
  for (const double tick : detail::ticks(horizontal))
    svg += "<path class=\"grid\" d=\"M" + at_x(tick) + " " + bottom_edge + "v5\"/><text x=\"" + at_x(tick) +
           "\" y=\"228\" text-anchor=\"middle\">" + detail::tick_text(tick) + "</text>";
  svg += "<path class=\"axis\" d=\"M" + left_edge + " 10V" + bottom_edge + "H" + right_edge + "\"/>";

  const std::size_t step = (series.points.size() + most_points - 1) / most_points;
  std::string line, dots;
  bool pen_down = false;
  for (std::size_t i = 0; i < series.points.size(); i += step) {
    const auto& [x, y] = series.points[i];
    const bool finite = std::isfinite(x) && std::isfinite(y);
    if (finite) line += (pen_down ? "L" : "M") + at_x(x) + " " + at_y(y);
    if (finite && xs.size() <= 60) dots += "<circle class=\"dot\" cx=\"" + at_x(x) + "\" cy=\"" + at_y(y) + "\" r=\"2.5\"/>";
    pen_down = finite;
  }
  svg += "<path class=\"line\" d=\"" + line + "\"/>" + dots;
  svg += "<text x=\"310\" y=\"252\" text-anchor=\"middle\">" + escaped_markup(series.x_label) +
         "</text><text transform=\"translate(14 110) rotate(-90)\" "
         "text-anchor=\"middle\">" +
         escaped_markup(series.y_label) + "</text></svg>";
  std::string note;
  if (step > 1) note += "Every " + std::to_string(step) + "th of " + std::to_string(series.points.size()) + " points is drawn. ";
  if (xs.size() < series.points.size())
    note += "Not finite, hence gaps: " + std::to_string(series.points.size() - xs.size()) + " of " + std::to_string(series.points.size()) +
            " points.";
  return svg + (note.empty() ? "" : "<p class=\"note\">" + note + "</p>") + "</figure>";
}

}  // namespace assay
