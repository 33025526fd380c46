#pragma once

#include "assay/fleet/chips/check_chip.hpp"

#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string chip_figure(std::optional<double> value, double unit,
                                                                 int digits = 4) {
  return value ? number_text(std::round(*value / unit * 1000) / 1000, digits) : "-";
}

/// The name, marked where the figures are not to be relied upon.
[[nodiscard]] inline std::string marked_name(const Chip& chip) {
  return chip.name + (chip.confidence == SourceConfidence::low ? " (low confidence)" : "");
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Outcome check_chip(const Chip& chip) {
  Outcome outcome;
  outcome.id = "chips/" + chip.name;
  outcome.labels = {
      {"chip", chip.name}, {"vendor", chip.vendor}, {"confidence", std::string(name_of(chip.confidence))}};
  outcome.verdict = Verdict::pass;
  const auto fail = [&](const std::string& why) {
    outcome.verdict = Verdict::fail;
    outcome.reason += (outcome.reason.empty() ? "" : "; ") + why;
  };
  if (chip.derivation) {
    const double derived = chip.derivation->peak(), stated = *chip.peak(chip.derivation->format);
    outcome.measure("derived_peak", derived, "FLOP/s");
    outcome.measure("stated_peak", stated, "FLOP/s");
    outcome.derivation.push_back(number_text(chip.derivation->clock_hertz / 1e6, 4) + " MHz * " +
                                 number_text(chip.derivation->units) + " units * " +
                                 number_text(chip.derivation->fma_per_clock) +
                                 " fused multiply-adds * 2 = " + number_text(derived / 1e12, 5) + " T a second");
    if (std::abs(stated / derived - 1) > 0.01)
      fail(chip.derivation->format + " is stated as " + number_text(stated / 1e12, 5) +
           " T, and clock and units make " + number_text(derived / 1e12, 5) + " T" +
           (std::abs(stated / derived / 2 - 1) <= 0.01 ? ": a factor of two, as between sparse and dense" : ""));
  }
  const char* widths[] = {"fp64", "tf32", "fp16", "fp8", "fp6", "fp4"};
  std::optional<double> wider;
  std::string wider_name;
  for (const char* format : widths) {
    const auto peak = chip.peak(format);
    if (!peak) continue;
    if (wider && *peak < *wider) fail(std::string(format) + " is slower than " + wider_name + ", which is wider");
    wider = peak;
    wider_name = format;
  }
  if (outcome.verdict != Verdict::pass) return outcome;
  if (!chip.may_gate()) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = "low confidence: " + chip.source;
  } else if (!chip.derivation) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = "clock and units are not published: the stated peak cannot be derived";
  }
  return outcome;
}

ASSAY_DETAIL_HEADER_INLINE Table compare_chips(const std::vector<Chip>& chips) {
  Table table{"Chips", {"figure"}, {}};
  for (const Chip& chip : chips) table.columns.push_back(detail::marked_name(chip));
  const auto row = [&](std::string name, const std::function<std::string(const Chip&)>& cell) {
    std::vector<std::string> cells{std::move(name)};
    bool any = false;
    for (const Chip& chip : chips) {
      cells.push_back(cell(chip));
      any = any || (cells.back() != "-" && !cells.back().empty());
    }
    if (any) table.rows.push_back(std::move(cells));
  };
  row("vendor", [](const Chip& chip) { return chip.vendor; });
  row("year", [](const Chip& chip) { return chip.year == 0 ? "-" : std::to_string(chip.year); });
  for (const std::string_view format : chip_formats)
    row(std::string(format) + ", TFLOP/s dense",
        [&](const Chip& chip) { return detail::chip_figure(chip.peak(format), 1e12); });
  row("memory, GB", [](const Chip& chip) { return detail::chip_figure(chip.memory_bytes, 1e9); });
  row("memory", [](const Chip& chip) { return chip.memory_type.empty() ? "-" : chip.memory_type; });
  row("memory bandwidth, GB/s", [](const Chip& chip) { return detail::chip_figure(chip.memory_bandwidth, 1e9); });
  row("links, GB/s both ways", [](const Chip& chip) { return detail::chip_figure(chip.link_bandwidth, 1e9); });
  row("power, W", [](const Chip& chip) { return detail::chip_figure(chip.power_watts, 1); });
  for (const char* format : {"bf16", "fp16", "fp8", "fp4"})
    row(std::string("ridge point ") + format + ", FLOP/B", [&](const Chip& chip) {
      const auto peak = chip.peak(format);
      return peak && chip.memory_bandwidth ? detail::chip_figure(*peak / *chip.memory_bandwidth, 1, 3) : "-";
    });
  row("bf16 per watt, GFLOP/s", [](const Chip& chip) {
    const auto peak = chip.peak("bf16");
    return peak && chip.power_watts ? detail::chip_figure(*peak / *chip.power_watts, 1e9, 3) : "-";
  });
  row("confidence", [](const Chip& chip) { return std::string(name_of(chip.confidence)); });
  row("as of", [](const Chip& chip) { return chip.as_of.empty() ? "-" : chip.as_of; });
  return table;
}

ASSAY_DETAIL_HEADER_INLINE Table list_chips(const std::vector<Chip>& chips) {
  Table table{"Chips",
              {"chip", "vendor", "year", "bf16 TFLOP/s", "fp16", "fp8", "fp4", "int8", "GB", "GB/s", "W", "links GB/s",
               "confidence"},
              {}};
  for (const Chip& chip : chips) {
    std::vector<std::string> row{chip.name, chip.vendor, chip.year == 0 ? "-" : std::to_string(chip.year)};
    for (const char* format : {"bf16", "fp16", "fp8", "fp4", "int8"})
      row.push_back(detail::chip_figure(chip.peak(format), 1e12));
    row.push_back(detail::chip_figure(chip.memory_bytes, 1e9));
    row.push_back(detail::chip_figure(chip.memory_bandwidth, 1e9));
    row.push_back(detail::chip_figure(chip.power_watts, 1));
    row.push_back(detail::chip_figure(chip.link_bandwidth, 1e9));
    row.emplace_back(name_of(chip.confidence));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace assay::inline v0
