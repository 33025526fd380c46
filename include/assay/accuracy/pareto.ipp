#pragma once

#include "assay/accuracy/pareto.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/core/stable_sort.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::vector<ParetoPlace> pareto_places(std::span<const TradeOff> ways,
                                                                  bool higher_is_better) {
  const double sign = higher_is_better ? 1 : -1;
  const auto best = [&](const TradeOff& way) {
    return sign * (higher_is_better ? way.upper : way.lower).value_or(way.accuracy);
  };
  const auto worst = [&](const TradeOff& way) {
    return sign * (higher_is_better ? way.lower : way.upper).value_or(way.accuracy);
  };
  std::vector<ParetoPlace> places(ways.size());
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const TradeOff& own = ways[i];
    if (!std::isfinite(own.accuracy)) continue;
    for (const TradeOff& other : ways) {
      if (&other == &own || !std::isfinite(other.accuracy)) continue;
      const bool timed = own.seconds && other.seconds;
      const double accuracy = sign * (other.accuracy - own.accuracy);
      if (accuracy < 0 || other.bytes > own.bytes || (timed && *other.seconds > *own.seconds)) continue;
      if (accuracy == 0 && other.bytes == own.bytes && !(timed && *other.seconds < *own.seconds)) continue;
      places[i].dominated_by.push_back(other.name);
      const bool surely_faster =
          !timed || other.seconds_upper.value_or(*other.seconds) <= own.seconds_lower.value_or(*own.seconds);
      if (worst(other) >= best(own) && surely_faster) places[i].surely_dominated = true;
    }
    places[i].on_front = places[i].dominated_by.empty();
  }
  return places;
}

ASSAY_DETAIL_HEADER_INLINE Table pareto_table(std::span<const TradeOff> ways, const std::string& metric,
                                              bool higher_is_better) {
  const std::vector<ParetoPlace> places = pareto_places(ways, higher_is_better);
  std::vector<std::size_t> order(ways.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  detail::stable_sort(order, [&](std::size_t a, std::size_t b) { return ways[a].bytes < ways[b].bytes; });
  Table table{"What accuracy costs", {"", "format", metric, "interval", "MB", "seconds", "interval", "beaten by"}, {}};
  for (const std::size_t i : order) {
    const TradeOff& way = ways[i];
    const auto number = [](double value) { return detail::printed_number(value, 5); };
    const auto between = [&](const std::optional<double>& lower, const std::optional<double>& upper) {
      return lower && upper ? number(*lower) + " to " + number(*upper) : std::string("-");
    };
    std::string beaten;
    for (const std::string& name : places[i].dominated_by) beaten += (beaten.empty() ? "" : ", ") + name;
    const bool unsure = !places[i].on_front && !places[i].surely_dominated && std::isfinite(way.accuracy);
    table.rows.push_back({places[i].on_front ? "*"
                          : unsure           ? "?"
                                             : "",
                          way.name, number(way.accuracy), between(way.lower, way.upper), number(way.bytes / 1e6),
                          way.seconds ? number(*way.seconds) : "-", between(way.seconds_lower, way.seconds_upper),
                          beaten});
  }
  return table;
}

}  // namespace assay::inline v0
