#pragma once

#include "assay/performance/unit.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/performance/metric.hpp"

namespace assay::inline v0 {

namespace detail {

struct KnownUnit {
  std::string_view name, base;
  double factor;
};

/// What one has to pay for: less is better.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE const KnownUnit* known_cost(std::string_view name) noexcept {
  static constexpr KnownUnit all[]{
      {"J", "J", 1},          {"mJ", "J", 1e-3},       {"uJ", "J", 1e-6},     {"µJ", "J", 1e-6},
      {"kJ", "J", 1e3},       {"Wh", "J", 3600},       {"kWh", "J", 3.6e6},   {"cycles", "cycles", 1},
      {"cycle", "cycles", 1}, {"B", "B", 1},           {"byte", "B", 1},      {"bytes", "B", 1},
      {"kB", "B", 1e3},       {"KB", "B", 1e3},        {"MB", "B", 1e6},      {"GB", "B", 1e9},
      {"TB", "B", 1e12},      {"KiB", "B", 1024},      {"MiB", "B", 1048576}, {"GiB", "B", 1073741824},
      {"TiB", "B", 0x1p40},   {"allocs", "allocs", 1}, {"bit", "bit", 1},     {"bits", "bit", 1},
      {"kbit", "bit", 1e3},   {"Mbit", "bit", 1e6},    {"Gbit", "bit", 1e9},  {"Tbit", "bit", 1e12}};
  const auto found =
      std::find_if(std::begin(all), std::end(all), [&](const KnownUnit& unit) { return unit.name == name; });
  return found == std::end(all) ? nullptr : found;
}

/// What goes wrong, counted.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool is_fault_noun(std::string_view name) noexcept {
  static constexpr std::string_view all[]{"drops",     "drop",   "dropped",     "errors",       "error",      "faults",
                                          "failures",  "failed", "misses",      "retries",      "timeouts",   "stalls",
                                          "evictions", "losses", "page-faults", "cache-misses", "retransmits"};
  return std::find(std::begin(all), std::end(all), name) != std::end(all);
}

/// Words for something per second.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE const KnownUnit* known_rate(std::string_view name) noexcept {
  static constexpr KnownUnit all[]{{"Hz", "Hz", 1},
                                   {"kHz", "Hz", 1e3},
                                   {"MHz", "Hz", 1e6},
                                   {"GHz", "Hz", 1e9},
                                   {"FLOPS", "FLOP/s", 1},
                                   {"kFLOPS", "FLOP/s", 1e3},
                                   {"MFLOPS", "FLOP/s", 1e6},
                                   {"GFLOPS", "FLOP/s", 1e9},
                                   {"TFLOPS", "FLOP/s", 1e12},
                                   {"PFLOPS", "FLOP/s", 1e15},
                                   {"OPS", "OP/s", 1},
                                   {"MOPS", "OP/s", 1e6},
                                   {"GOPS", "OP/s", 1e9},
                                   {"TOPS", "OP/s", 1e12},
                                   {"bps", "bit/s", 1},
                                   {"kbps", "bit/s", 1e3},
                                   {"Kbps", "bit/s", 1e3},
                                   {"Mbps", "bit/s", 1e6},
                                   {"Gbps", "bit/s", 1e9},
                                   {"Tbps", "bit/s", 1e12},
                                   {"fps", "frames/s", 1},
                                   {"FPS", "frames/s", 1},
                                   {"qps", "queries/s", 1},
                                   {"QPS", "queries/s", 1},
                                   {"kqps", "queries/s", 1e3},
                                   {"rps", "requests/s", 1},
                                   {"RPS", "requests/s", 1},
                                   {"tps", "tps", 1},
                                   {"TPS", "tps", 1},
                                   {"iops", "IO/s", 1},
                                   {"IOPS", "IO/s", 1},
                                   {"kIOPS", "IO/s", 1e3},
                                   {"pps", "packets/s", 1},
                                   {"Mpps", "packets/s", 1e6}};
  const auto found =
      std::find_if(std::begin(all), std::end(all), [&](const KnownUnit& unit) { return unit.name == name; });
  return found == std::end(all) ? nullptr : found;
}

/// A counted thing with the prefix of its number: "GFLOP" and "TFLOP" are FLOP.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::pair<std::string, double> counted_noun(std::string_view name) {
  if (const KnownUnit* cost = known_cost(name)) return {std::string(cost->base), cost->factor};
  for (const std::string_view noun : {"FLOP", "OP"})
    for (const auto& [prefix, factor] : {std::pair{"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"P", 1e15}})
      if (name.size() == noun.size() + 1 && name.substr(1) == noun && name[0] == prefix[0])
        return {std::string(noun), factor};
  return {std::string(name), 1};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::optional<UnitMeaning> unit_meaning(std::string_view unit) {
  constexpr auto lower = Direction::lower_is_better, higher = Direction::higher_is_better;
  if (const auto seconds = seconds_per(unit)) return UnitMeaning{"s", *seconds, lower};
  if (const detail::KnownUnit* cost = detail::known_cost(unit))
    return UnitMeaning{std::string(cost->base), cost->factor, lower};
  if (const detail::KnownUnit* rate = detail::known_rate(unit))
    return UnitMeaning{std::string(rate->base), rate->factor, higher};
  if (detail::is_fault_noun(unit)) return UnitMeaning{std::string(unit), 1, lower};
  constexpr std::string_view per_second = "_per_second";
  std::string_view above, below;
  if (unit.size() > per_second.size() && unit.ends_with(per_second)) {
    above = unit.substr(0, unit.size() - per_second.size());
    below = "s";
  } else if (const std::size_t slash = unit.rfind('/'); slash != unit.npos && slash > 0) {
    above = unit.substr(0, slash);
    below = unit.substr(slash + 1);
  }
  if (above.empty() || below.empty()) return std::nullopt;
  if (const auto seconds = seconds_per(below)) {
    const auto [noun, factor] = detail::counted_noun(above);
    const bool faults = detail::is_fault_noun(above);
    return UnitMeaning{noun + "/s", factor / *seconds, faults ? lower : higher};
  }
  const auto whole = unit_meaning(above);
  if (!whole) return std::nullopt;
  return UnitMeaning{whole->quantity + "/" + std::string(below), whole->factor, whole->direction};
}

ASSAY_DETAIL_HEADER_INLINE std::optional<double> unit_ratio(std::string_view from, std::string_view to) {
  if (from == to) return 1.0;
  const auto first = unit_meaning(from), second = unit_meaning(to);
  if (!first || !second || first->quantity != second->quantity) return std::nullopt;
  return first->factor / second->factor;
}

ASSAY_DETAIL_HEADER_INLINE bool always_takes_some(std::string_view unit) {
  const auto meaning = unit_meaning(unit);
  if (!meaning || counts_faults(unit)) return false;
  const std::string_view base = std::string_view(meaning->quantity).substr(0, meaning->quantity.find('/'));
  return meaning->direction == Direction::higher_is_better || base == "s" || base == "J" || base == "cycles";
}

ASSAY_DETAIL_HEADER_INLINE bool counts_faults(std::string_view unit) {
  const auto meaning = unit_meaning(unit);
  return meaning && detail::is_fault_noun(std::string_view(meaning->quantity).substr(0, meaning->quantity.find('/')));
}

}  // namespace assay::inline v0
