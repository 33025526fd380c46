#pragma once

#include "assay/accuracy/pareto_page.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/core/version.hpp"
#include "assay/report/html_parts.hpp"
#include "assay/report/page_style.hpp"
#include "assay/report/scatter_chart.hpp"

namespace assay::inline v0 {

namespace detail {

constexpr const char* pareto_style =
    ".scatter circle{stroke:currentColor;stroke-width:1.5;fill:none}.scatter .best circle{fill:currentColor}"
    ".scatter .other{opacity:.55}.scatter .line{opacity:.35}.scatter .whisker{stroke:currentColor;opacity:.6}";

/// The ways against what `of` tells of each.
template <class Of>
[[nodiscard]] ScatterChart pareto_chart(std::span<const TradeOff> ways, const std::vector<ParetoPlace>& places,
                                        const std::string& metric, const char* x_label, Of of) {
  ScatterChart chart;
  chart.title = metric + " against " + x_label;
  chart.x_label = x_label;
  chart.y_label = metric;
  chart.logarithmic_x = true;
  chart.from_zero = false;
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const TradeOff& way = ways[i];
    const bool pale = places[i].surely_dominated;
    std::string note = way.name + ": " + metric + " " + printed_number(way.accuracy, 5) + ", " +
                       printed_number(way.bytes / 1e6, 4) + " MB";
    if (way.seconds) note += ", " + printed_number(*way.seconds, 4) + " s";
    for (const std::string& other : places[i].dominated_by)
      note += (pale ? "; beaten by " : "; perhaps beaten by ") + other;
    chart.points.push_back({way.name + (pale                 ? " (dominated)"
                                        : places[i].on_front ? ""
                                                             : " (?)"),
                            of(way), way.accuracy, way.lower.value_or(nothing), places[i].on_front, note,
                            way.upper.value_or(-std::numeric_limits<double>::infinity())});
  }
  return chart;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string pareto_page(std::span<const TradeOff> ways, const std::string& metric,
                                                   bool higher_is_better, const std::string& subject,
                                                   const std::string& command) {
  const std::vector<ParetoPlace> places = pareto_places(ways, higher_is_better);
  const std::string title = "What accuracy costs: " + escaped_markup(subject);
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';style-src 'unsafe-inline'\"><title>" +
      title + "</title><style>" + detail::page_style + detail::pareto_style + "</style></head>\n<body>\n<header><h1>" +
      title + "</h1>\n<p class=\"verdict\">" + detail::counted(ways.size(), "way") + " to run it, " +
      (higher_is_better ? "more " : "less ") + escaped_markup(metric) + " is better</p>\n";
  if (!command.empty()) page += detail::command_markup(command);
  page += "</header>\n<main>\n<h2>Size</h2>\n" +
          scatter_svg(
              detail::pareto_chart(ways, places, metric, "MB", [](const TradeOff& way) { return way.bytes / 1e6; }));
  if (std::all_of(ways.begin(), ways.end(), [](const TradeOff& way) { return way.seconds.has_value(); }))
    page +=
        "<h2>Time</h2>\n" + scatter_svg(detail::pareto_chart(ways, places, metric, "milliseconds",
                                                             [](const TradeOff& way) { return 1e3 * *way.seconds; }));
  return page + "<h2>All</h2>\n" + detail::table_markup(pareto_table(ways, metric, higher_is_better), ways.size()) +
         "<p class=\"note\">* on the front: none is at least as good in all respects and better in one. ? behind it, "
         "by "
         "less than the intervals tell apart. The front counts accuracy, size and time together; lines up and down are "
         "intervals.</p>\n</main>\n<footer>Assay " +
         escaped_markup(version) + "</footer>\n</body></html>\n";
}

}  // namespace assay::inline v0
