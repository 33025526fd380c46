#pragma once

#include "assay/performance/metric.hpp"

#include "assay/core/config.hpp"
#include "assay/performance/unit.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<void> check_metric(const Metric& metric) {
  const std::string named = "the metric '" + visible(metric.name) + "'";
  if (metric.name.empty()) return failure(ErrorKind::invalid, "a metric has no name; give one, such as seconds");
  if (metric.samples.empty())
    return failure(ErrorKind::invalid, named + " has no samples; keep metrics of which something was measured");
  if (are_samples(metric.samples)) return {};
  for (std::size_t i = 0; i < metric.samples.size(); ++i)
    if (!are_samples({&metric.samples[i], 1}))
      return failure(ErrorKind::invalid,
                     named + ": sample " + std::to_string(i + 1) + " is " + number_text(metric.samples[i]) +
                         "; a sample is a number up to 1e150, and a repetition that failed has none");
  return {};
}

ASSAY_DETAIL_HEADER_INLINE std::optional<double> seconds_per(std::string_view unit) noexcept {
  static constexpr std::pair<std::string_view, double> units[]{
      {"s", 1},        {"sec", 1},     {"secs", 1},           {"second", 1},          {"seconds", 1},
      {"ms", 1e-3},    {"msec", 1e-3}, {"millisecond", 1e-3}, {"milliseconds", 1e-3}, {"us", 1e-6},
      {"usec", 1e-6},  {"µs", 1e-6},   {"μs", 1e-6},          {"microsecond", 1e-6},  {"microseconds", 1e-6},
      {"ns", 1e-9},    {"nsec", 1e-9}, {"nanosecond", 1e-9},  {"nanoseconds", 1e-9},  {"min", 60},
      {"minutes", 60}, {"h", 3600},    {"hours", 3600}};
  for (const auto& [name, seconds] : units)
    if (name == unit) return seconds;
  return std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Direction> direction_of_unit(std::string_view unit) {
  const auto meaning = unit_meaning(unit);
  return meaning ? std::optional(meaning->direction) : std::nullopt;
}

}  // namespace assay::inline v0
