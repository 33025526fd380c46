#pragma once

#include "assay/fleet/roofline/roofline_chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/core/config.hpp"
#include "assay/fleet/figure_page.hpp"
#include "assay/report/chart_scale.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/scatter_chart.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

namespace detail {

inline constexpr const char* roofline_colors[] = {"#1f4e79", "#b3261e", "#2e7048", "#8a5a00",
                                                  "#5b3fa8", "#39708a", "#ad1457", "#645f57"};

[[nodiscard]] inline std::string roofline_color(std::size_t machine) {
  return roofline_colors[machine % std::size(roofline_colors)];
}

[[nodiscard]] inline double rate_of(const RooflinePoint& point, const RooflineMachine& machine) {
  return point.seconds > 0 ? point.work.flop / point.seconds
                           : roofline_bound(point.work, machine).operations_per_second;
}

[[nodiscard]] inline double memory_of(const RooflineMachine& machine) {
  for (const BandwidthCeiling& ceiling : machine.ceilings)
    if (ceiling.name == "memory") return ceiling.bytes_per_second;
  return 0;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string roofline_svg(const std::string& title,
                                                    const std::vector<RooflineMachine>& machines,
                                                    const std::vector<RooflinePoint>& points) {
  constexpr double left = 58, top = 34, right = 660, bottom = 420;
  using detail::coordinate;
  double low_x = 0.25, high_x = 1024, low_y = std::numeric_limits<double>::infinity(), high_y = 0;
  const auto drawn = [](const RooflineMachine& machine) {
    return machine.peak > 0 && std::isfinite(machine.peak) && detail::memory_of(machine) > 0;
  };
  for (const RooflineMachine& machine : machines)
    if (drawn(machine)) high_x = std::max(high_x, 4 * machine.ridge("memory"));
  std::vector<const RooflinePoint*> shown;
  for (const RooflinePoint& point : points) {
    const double x = point.work.intensity();
    if (point.machine >= machines.size() || !drawn(machines[point.machine]) || !(x > 0) || !std::isfinite(x)) continue;
    shown.push_back(&point);
    low_x = std::min(low_x, x / 2);
    high_x = std::max(high_x, x * 2);
    low_y = std::min(low_y, detail::rate_of(point, machines[point.machine]) / 2);
  }
  for (const RooflineMachine& machine : machines) {
    if (!drawn(machine)) continue;
    high_y = std::max(high_y, machine.peak * 2);
    low_y = std::min(low_y, detail::memory_of(machine) * low_x);
  }
  std::string svg = "<figure class=\"chart scroll\"><figcaption>" + escaped_markup(title) + "</figcaption>";
  if (!(high_y > 0)) return svg + "<p class=\"note\">No machine with a peak and a bandwidth.</p></figure>";
  const ChartScale horizontal{low_x, high_x, true}, vertical{low_y, high_y, true};
  const auto at_x = [&](double x) { return left + (right - left) * horizontal.position(x); };
  const auto at_y = [&](double y) { return bottom - (bottom - top) * vertical.position(y); };
  svg += "<svg class=\"series scatter\" role=\"img\" aria-label=\"" + escaped_markup(title) +
         "\" viewBox=\"0 0 960 470\" style=\"width:60rem\">";
  for (int exponent = -12; exponent <= 24; ++exponent) {
    const double tick = std::pow(10.0, exponent);
    if (tick >= low_y && tick <= high_y)
      svg += "<path class=\"grid\" d=\"M" + coordinate(left) + " " + coordinate(at_y(tick)) + "H" + coordinate(right) +
             "\"/><text x=\"" + coordinate(left - 6) + "\" y=\"" + coordinate(at_y(tick)) +
             "\" dy=\"4\" text-anchor=\"end\">" + detail::decade_text(exponent - 12) + "</text>";
    if (tick >= low_x && tick <= high_x)
      svg += "<path class=\"grid\" d=\"M" + coordinate(at_x(tick)) + " " + coordinate(top) + "V" + coordinate(bottom) +
             "\"/><text x=\"" + coordinate(at_x(tick)) + "\" y=\"" + coordinate(bottom + 18) +
             "\" text-anchor=\"middle\">" + detail::decade_text(exponent) + "</text>";
  }
  svg += "<path class=\"axis\" d=\"M" + coordinate(left) + " " + coordinate(top) + "V" + coordinate(bottom) + "H" +
         coordinate(right) + "\"/>";
  std::vector<double> ends_x, ends_y;
  for (std::size_t i = 0; i < machines.size(); ++i)
    if (drawn(machines[i])) ends_x.push_back(right), ends_y.push_back(at_y(machines[i].peak));
  const detail::ScatterLabels labels(ends_x, ends_y, 16, 48, top, bottom);
  std::size_t label = 0;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    const RooflineMachine& machine = machines[i];
    if (!drawn(machine)) continue;
    const std::string stroke = "\" fill=\"none\" stroke=\"" + detail::roofline_color(i) + "\" stroke-width=\"1.8\"";
    for (const BandwidthCeiling& ceiling : machine.ceilings) {
      const double ridge = machine.ridge(ceiling.name), from = std::max(low_x, low_y / ceiling.bytes_per_second);
      const bool memory = ceiling.name == "memory";
      if (from < std::min(ridge, high_x))
        svg += "<path d=\"M" + coordinate(at_x(from)) + " " + coordinate(at_y(ceiling.bytes_per_second * from)) + "L" +
               coordinate(at_x(std::min(ridge, high_x))) + " " +
               coordinate(at_y(ceiling.bytes_per_second * std::min(ridge, high_x))) + stroke +
               (memory ? "" : " stroke-dasharray=\"4 3\"") + "><title>" +
               escaped_markup(machine.name + ", " + ceiling.name + ": " + number_text(ceiling.bytes_per_second / 1e9) +
                              " GB/s") +
               "</title></path>";
      if (memory)
        svg += "<path d=\"M" + coordinate(at_x(ridge)) + " " + coordinate(at_y(machine.peak)) + "H" +
               coordinate(right) + stroke + "/><circle r=\"3.5\" cx=\"" + coordinate(at_x(ridge)) + "\" cy=\"" +
               coordinate(at_y(machine.peak)) + "\" fill=\"" + detail::roofline_color(i) + "\"><title>" +
               escaped_markup(machine.name + ": ridge at " + number_text(ridge) + " FLOP/B") + "</title></circle>";
    }
    svg += "<text x=\"" + coordinate(right + 8) + "\" y=\"" + coordinate(labels.y[label]) +
           "\" dy=\"4\" style=\"fill:" + detail::roofline_color(i) + "\">" +
           escaped_markup(machine.name + " " + machine.format + (machine.reliable ? "" : " (low confidence)")) +
           "</text>";
    ++label;
  }
  for (const RooflinePoint* point : shown) {
    const RooflineMachine& machine = machines[point->machine];
    const double rate = detail::rate_of(*point, machine);
    svg += "<circle r=\"5\" cx=\"" + coordinate(at_x(point->work.intensity())) + "\" cy=\"" + coordinate(at_y(rate)) +
           "\" stroke=\"" + detail::roofline_color(point->machine) + "\" stroke-width=\"2\" fill=\"" +
           (point->seconds > 0 ? detail::roofline_color(point->machine) : std::string("none")) + "\"><title>" +
           escaped_markup(point->name + " on " + machine.name + ": " + number_text(rate / 1e12, 4) + " TFLOP/s" +
                          (point->seconds > 0 ? ", measured" : " at most")) +
           "</title></circle>";
  }
  svg += "<text x=\"" + coordinate((left + right) / 2) + "\" y=\"" + coordinate(bottom + 40) +
         "\" text-anchor=\"middle\">arithmetic intensity, FLOP/B</text><text x=\"2\" y=\"14\">TFLOP/s</text></svg>";
  if (shown.size() < points.size())
    svg += "<p class=\"note\">Not drawn, since they compute nothing: " + std::to_string(points.size() - shown.size()) +
           " of " + std::to_string(points.size()) + " points.</p>";
  return svg + "</figure>";
}

ASSAY_DETAIL_HEADER_INLINE Table ridge_table(const std::vector<RooflineMachine>& machines) {
  Table table{
      "Ridge points", {"machine", "format", "peak TFLOP/s", "ceiling", "GB/s", "ridge FLOP/B", "confidence"}, {}};
  for (const RooflineMachine& machine : machines)
    for (const BandwidthCeiling& ceiling : machine.ceilings)
      table.rows.push_back({machine.name, machine.format, number_text(machine.peak / 1e12, 4), ceiling.name,
                            number_text(ceiling.bytes_per_second / 1e9, 4), number_text(machine.ridge(ceiling.name), 4),
                            machine.reliable ? "-" : "low"});
  return table;
}

ASSAY_DETAIL_HEADER_INLINE Table bound_table(const std::vector<RooflineMachine>& machines,
                                             const std::vector<RooflinePoint>& points) {
  Table table{"Bounds",
              {"problem", "machine", "FLOP", "bytes", "FLOP/B", "at least", "bound by", "measured", "of the ceiling"},
              {}};
  for (const RooflinePoint& point : points) {
    if (point.machine >= machines.size()) continue;
    const RooflineMachine& machine = machines[point.machine];
    const RooflineBound bound = roofline_bound(point.work, machine);
    const bool measured = point.seconds > 0;
    table.rows.push_back({point.name, machine.name, number_text(point.work.flop, 4), number_text(point.work.bytes, 4),
                          number_text(point.work.intensity(), 4), duration_text(bound.seconds), bound.by,
                          measured ? duration_text(point.seconds) : "-",
                          measured ? number_text(100 * bound.seconds / point.seconds, 3) + " %" : "-"});
  }
  return table;
}

ASSAY_DETAIL_HEADER_INLINE std::string roofline_page(const std::string& title,
                                                     const std::vector<RooflineMachine>& machines,
                                                     const std::vector<RooflinePoint>& points) {
  return figure_page(title,
                     roofline_svg("Operations a second, by what an operation computes for each byte", machines, points),
                     {ridge_table(machines), bound_table(machines, points)},
                     {"Peaks are dense and bandwidths those of data sheets: no kernel need reach them."});
}

}  // namespace assay::inline v0
