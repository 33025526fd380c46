#pragma once

#include "assay/report/heat_map_chart.hpp"

#include <limits>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE HeatMap reduced(const HeatMap& map, std::size_t most) {
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

/// Elements first–last that a cell covers.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string cell_range(std::size_t cell, std::int64_t elements) {
  const std::int64_t first = static_cast<std::int64_t>(cell) * elements;
  return elements <= 1 ? std::to_string(first) : std::to_string(first) + "–" + std::to_string(first + elements - 1);
}

ASSAY_DETAIL_HEADER_INLINE std::string HeatMapDrawing::plot() const {
  const double cell = std::min(28.0, 512.0 / static_cast<double>(std::max(map_.rows, map_.columns)));
  const auto pixels = [&](std::size_t cells) { return std::max(16.0, cell * static_cast<double>(cells)); };
  const auto side = [&](std::size_t cells) { return coordinate(pixels(cells)); };
  const double on_phone = std::min(1.0, phone_pixels / pixels(map_.columns));  // labels fit there, too
  const std::string last_column = std::to_string(static_cast<std::int64_t>(map_.columns) * map_.columns_per_cell);
  const double digits = 7.0 * static_cast<double>(last_column.size()) + 6;
  const std::string last_row = std::to_string(static_cast<std::int64_t>(map_.rows) * map_.rows_per_cell);
  std::string html = "<div class=\"heat-plot\" style=\"--w:" + side(map_.columns) + "px;--r:" + side(map_.columns) +
                     "/" + side(map_.rows) + ";--c:" + std::to_string(last_row.size() + 1) +
                     "ch\"><span class=\"heat-title\">column</span><div class=\"heat-columns\">" +
                     axis(map_.columns, map_.columns_per_cell, "left", on_phone * pixels(map_.columns) / digits) +
                     "</div><span class=\"heat-side\">row</span><div class=\"heat-rows\">" +
                     axis(map_.rows, map_.rows_per_cell, "top", on_phone * pixels(map_.rows) / line_pixels) + "</div>";
  html += "<svg class=\"heat\" role=\"img\" tabindex=\"0\" aria-label=\"" +
          escaped_markup("heat map, " + std::to_string(map_.rows) + " × " + std::to_string(map_.columns) + " cells. " +
                         peak_text()) +
          "\" viewBox=\"0 0 " + std::to_string(map_.columns) + " " + std::to_string(map_.rows) +
          "\" preserveAspectRatio=\"none\" data-map=\"" + std::to_string(map_.rows) + " " +
          std::to_string(map_.columns) + " " + std::to_string(map_.rows_per_cell) + " " +
          std::to_string(map_.columns_per_cell) + "\" data-values=\"" + values() + "\">";
  for (std::size_t color = 0; color <= heat_levels; ++color)
    if (!paths_[color].empty())
      html += "<path class=\"h" + (color == heat_levels ? std::string("x") : std::to_string(color)) + "\" d=\"" +
              paths_[color] + "\"/>";
  if (!crosses_.empty()) html += "<path class=\"cross\" d=\"" + crosses_ + "\"/>";
  if (const auto& peak = first_odd_ ? first_odd_ : largest_)
    html += "<rect class=\"peak\" x=\"" + std::to_string(peak->second) + "\" y=\"" + std::to_string(peak->first) +
            "\" width=\"1\" height=\"1\"/>";
  return html + "</svg></div>";
}

ASSAY_DETAIL_HEADER_INLINE std::string HeatMapDrawing::legend() const {
  std::string html;
  if (ratios_) {
    html = "<div class=\"steps-legend\" aria-label=\"colors of error / allowed\">";
    for (std::size_t color = 0; color <= heat_levels; ++color) {
      if (color == heat_levels && paths_[color].empty()) continue;
      html += "<span" + std::string(color == 4 ? " class=\"refuted\"" : "") + "><i class=\"h" +
              (color == heat_levels ? std::string("x") : std::to_string(color)) + "\"></i>" + ratio_level_names[color] +
              "</span>";
    }
    return html + "</div>";
  }
  html = "<p class=\"legend\">" + number_text(scale_.low);
  if (scale_.high > scale_.low) {
    for (std::size_t color = 0; color < heat_levels; ++color)
      html += "<i class=\"h" + std::to_string(color) + "\"></i>";
    html += "<span>" + number_text(scale_.high) + "</span>" + (scale_.logarithmic ? " (logarithmic)" : "");
  } else {
    html += "<i class=\"h0\"></i>";
  }
  if (!paths_[heat_levels].empty()) html += "<i class=\"hx\"></i>NaN or infinite";
  return html + "</p>";
}

ASSAY_DETAIL_HEADER_INLINE std::string HeatMapDrawing::peak_text() const {
  const auto place = [&](const Cell& cell) {
    return " in rows " + cell_range(cell.first, map_.rows_per_cell) + ", columns " +
           cell_range(cell.second, map_.columns_per_cell) + ".";
  };
  std::string text;
  if (first_odd_)
    text = std::to_string(odd_cells_) + (odd_cells_ == 1 ? " cell is" : " cells are") + " NaN or infinite, the first" +
           place(*first_odd_) + " ";
  if (!largest_) return text + "No cell is finite.";
  // ratios of tiles are rounded up
  return text + (first_odd_ ? "Largest finite: " : "Largest: ") + (ratios_ ? "at most " : "") +
         number_text(map_.at(largest_->first, largest_->second)) + place(*largest_);
}

ASSAY_DETAIL_HEADER_INLINE void HeatMapDrawing::draw() {
  for (std::size_t row = 0; row < map_.rows; ++row)
    for (std::size_t column = 0; column < map_.columns;) {
      const std::size_t color = level(row, column);
      std::size_t end = column;
      for (; end < map_.columns && level(row, end) == color; ++end) {
        const double value = map_.at(row, end);
        if (!std::isfinite(value)) {
          if (odd_cells_++ == 0) first_odd_ = {row, end};
        } else if (!largest_ || value > map_.at(largest_->first, largest_->second)) {
          largest_ = {row, end};
        }
        const std::string corner = std::to_string(end) + " " + std::to_string(row);
        if (color == heat_levels) crosses_ += "M" + corner + "l1 1m-1 0l1-1";
      }
      const std::string width = std::to_string(end - column);
      paths_[color] +=
          std::string("M") + std::to_string(column) + " " + std::to_string(row) + "h" + width + "v1h-" + width + "z";
      column = end;
    }
}

ASSAY_DETAIL_HEADER_INLINE std::string HeatMapDrawing::axis(std::size_t cells, std::int64_t elements, const char* from,
                                                            double room) {
  std::size_t step = 1;
  while ((cells + step - 1) / step > 5 ||
         (step < cells && static_cast<double>(step) * room < static_cast<double>(cells)))
    step *= 2;
  std::string html;
  for (std::size_t cell = 0; cell < cells; cell += step)
    html += "<span style=\"" + std::string(from) + ":" +
            coordinate(100 * static_cast<double>(cell) / static_cast<double>(cells)) + "%\">" +
            std::to_string(static_cast<std::int64_t>(cell) * elements) + "</span>";
  return html;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string heat_map_svg(const HeatMap& given) {
  const detail::HeatMapDrawing drawing(given);
  std::string html = "<figure class=\"chart\"><figcaption>" + escaped_markup(given.title) + "</figcaption>";
  if (drawing.map().values.empty()) return html + "<p class=\"note\">This map holds no cells.</p></figure>";
  html += drawing.plot() + "<p class=\"readout\" role=\"status\"></p>" + drawing.legend() + "<p class=\"note\">" +
          drawing.peak_text() + " A cell covers " + std::to_string(drawing.map().rows_per_cell) + " × " +
          std::to_string(drawing.map().columns_per_cell) + " elements.";
  if (drawing.map().rows != given.rows || drawing.map().columns != given.columns)
    html += " Drawn smaller than its " + std::to_string(given.rows) + " × " + std::to_string(given.columns) +
            " cells; the largest of each group shows.";
  return html + "</p></figure>";
}

}  // namespace assay::inline v0
