#pragma once

#include "assay/performance/metric.hpp"

#include <array>

#include "assay/core/config.hpp"

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
  constexpr std::array<std::pair<std::string_view, double>, 14> units{{{"s", 1},
                                                                       {"sec", 1},
                                                                       {"second", 1},
                                                                       {"seconds", 1},
                                                                       {"ms", 1e-3},
                                                                       {"millisecond", 1e-3},
                                                                       {"us", 1e-6},
                                                                       {"µs", 1e-6},
                                                                       {"μs", 1e-6},
                                                                       {"microsecond", 1e-6},
                                                                       {"ns", 1e-9},
                                                                       {"nanosecond", 1e-9},
                                                                       {"min", 60},
                                                                       {"h", 3600}}};
  for (const auto& [name, seconds] : units)
    if (name == unit) return seconds;
  return std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Direction> direction_of_unit(std::string_view unit) noexcept {
  const auto is_one_of = [](std::string_view text, auto... names) { return ((text == names) || ...); };
  const auto ends_with = [&](std::string_view end) {
    return unit.size() > end.size() && unit.substr(unit.size() - end.size()) == end;
  };
  if (seconds_per(unit) ||
      is_one_of(unit, "cycles", "J", "mJ", "Wh", "kWh", "B", "KiB", "MiB", "GiB", "kB", "KB", "MB", "GB", "bytes"))
    return Direction::lower_is_better;
  if (is_one_of(unit, "Hz", "FLOPS", "MFLOPS", "GFLOPS", "TFLOPS", "PFLOPS", "OPS", "TOPS", "GB/s/W", "FLOPS/W") ||
      ends_with("/s") || ends_with("ps") || ends_with("/sec") || ends_with("/second") || ends_with("_per_second"))
    return Direction::higher_is_better;
  if (const std::size_t slash = unit.find('/');
      slash != std::string_view::npos &&
      (seconds_per(unit.substr(0, slash)) || is_one_of(unit.substr(0, slash), "J", "cycles")))
    return Direction::lower_is_better;
  return std::nullopt;
}

}  // namespace assay::inline v0
