#pragma once

#include "assay/fleet/figure_page.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "assay/core/config.hpp"
#include "assay/report/chart_scale.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/page_style.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

namespace detail {

inline constexpr const char* bar_colors[] = {"#1f4e79", "#8a5a00", "#2e7048", "#645f57"};

[[nodiscard]] inline double length_of(const Bar& bar) {
  double length = 0;
  for (const Bar::Part& part : bar.parts) length += part.length;
  return length;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string bar_svg(const std::string& title, const std::string& unit,
                                               const std::vector<Bar>& bars) {
  constexpr double left = 220, right = 720, step = 26, top = 34;
  using detail::coordinate;
  double most = 0;
  std::vector<const Bar*> drawn;
  std::vector<std::string> names, not_drawn;
  for (const Bar& bar : bars) {
    const double length = detail::length_of(bar);
    if (!std::isfinite(length) || !std::isfinite(bar.high) || length < 0) {
      not_drawn.push_back(bar.name);
      continue;
    }
    drawn.push_back(&bar);
    most = std::max({most, length, bar.limit, bar.high});
    for (const Bar::Part& part : bar.parts)
      if (std::find(names.begin(), names.end(), part.name) == names.end()) names.push_back(part.name);
  }
  std::string svg = "<figure class=\"chart scroll\"><figcaption>" + escaped_markup(title) + "</figcaption>";
  if (!(most > 0)) return svg + "<p class=\"note\">No bar is longer than 0.</p></figure>";
  const auto at_x = [&](double length) { return left + (right - left) * length / most; };
  const auto color = [&](const std::string& name) {
    const auto place = std::find(names.begin(), names.end(), name) - names.begin();
    return std::string(detail::bar_colors[static_cast<std::size_t>(place) % std::size(detail::bar_colors)]);
  };
  const double height = top + step * static_cast<double>(drawn.size()) + 8;
  svg += "<svg class=\"series\" role=\"img\" aria-label=\"" + escaped_markup(title) + "\" viewBox=\"0 0 860 " +
         coordinate(height) + "\" style=\"width:54rem\">";
  double legend = left;
  for (const std::string& name : names) {
    if (names.size() == 1) break;
    svg += "<rect x=\"" + coordinate(legend) + "\" y=\"6\" width=\"12\" height=\"12\" fill=\"" + color(name) +
           "\"/><text x=\"" + coordinate(legend + 18) + "\" y=\"16\">" + escaped_markup(name) + "</text>";
    legend += 46 + 8 * static_cast<double>(name.size());
  }
  double y = top;
  for (const Bar* bar : drawn) {
    const double length = detail::length_of(*bar);
    svg += "<text x=\"" + coordinate(left - 8) + "\" y=\"" + coordinate(y + 13) + "\" text-anchor=\"end\">" +
           escaped_markup(bar->name) + "</text>";
    double from = 0;
    for (const Bar::Part& part : bar->parts) {
      if (!(part.length > 0)) continue;
      svg += "<rect x=\"" + coordinate(at_x(from)) + "\" y=\"" + coordinate(y) + "\" width=\"" +
             coordinate(at_x(from + part.length) - at_x(from)) + "\" height=\"18\" fill=\"" + color(part.name) +
             "\"><title>" + escaped_markup(part.name + ": " + number_text(part.length, 4) + " " + unit) +
             "</title></rect>";
      from += part.length;
    }
    const std::string stroke = "\" stroke=\"#b3261e\" stroke-width=\"2\"/>";
    if (bar->limit > 0) svg += "<path d=\"M" + coordinate(at_x(bar->limit)) + " " + coordinate(y - 3) + "v24" + stroke;
    if (bar->high > bar->low)
      svg += "<path d=\"M" + coordinate(at_x(bar->low)) + " " + coordinate(y + 9) + "H" + coordinate(at_x(bar->high)) +
             "M" + coordinate(at_x(bar->low)) + " " + coordinate(y + 4) + "v10M" + coordinate(at_x(bar->high)) + " " +
             coordinate(y + 4) + "v10\" stroke=\"#16130f\" stroke-width=\"1.5\"/>";
    const double end = std::max({at_x(length), at_x(bar->limit), at_x(bar->high)});
    svg += "<text x=\"" + coordinate(end + 8) + "\" y=\"" + coordinate(y + 13) + "\">" +
           escaped_markup(number_text(length, 4) + (bar->limit > 0 ? " of " + number_text(bar->limit, 4) : "") + " " +
                          unit) +
           "</text>";
    y += step;
  }
  svg += "</svg>";
  if (!not_drawn.empty()) {
    svg += "<p class=\"note\">Not drawn, since they have no finite length: ";
    for (const std::string& name : not_drawn) svg += (name == not_drawn.front() ? "" : ", ") + escaped_markup(name);
    svg += ".</p>";
  }
  return svg + "</figure>";
}

ASSAY_DETAIL_HEADER_INLINE std::string figure_page(const std::string& title, const std::string& picture,
                                                   const std::vector<Table>& tables,
                                                   const std::vector<std::string>& notes) {
  std::string page =
      "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>" +
      escaped_markup(title) + "</title><style>" + detail::page_style + "</style></head><body><h1>" +
      escaped_markup(title) + "</h1>" + picture;
  for (const Table& table : tables) {
    page += "<h2>" + escaped_markup(table.title) + "</h2><div class=\"scroll\"><table class=\"data\"><thead><tr>";
    for (const std::string& column : table.columns) page += "<th>" + escaped_markup(column) + "</th>";
    page += "</tr></thead><tbody>";
    for (const auto& row : table.rows) {
      page += "<tr>";
      for (const std::string& cell : row) page += "<td>" + escaped_markup(cell) + "</td>";
      page += "</tr>";
    }
    page += "</tbody></table></div>";
  }
  page += "<footer>";
  for (const std::string& note : notes) page += "<p>" + escaped_markup(note) + "</p>";
  return page + "</footer></body></html>\n";
}

}  // namespace assay::inline v0
