#pragma once

#include "assay/hardware/bandwidth/latency.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "assay/core/config.hpp"
#include "assay/hardware/detail/pinned_threads.hpp"
#include "assay/hardware/memory/host_memory.hpp"
#include "assay/report/text.hpp"
#include "assay/statistics/random_sequence.hpp"

namespace assay::inline v0 {

namespace detail {

/// Follows `loads` pointers; each waits for the one before.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::uint64_t chase(const std::uint64_t* memory, std::uint64_t from,
                                                             std::uint64_t loads) {
  for (std::uint64_t i = 0; i < loads; ++i) from = *static_cast<const volatile std::uint64_t*>(memory + from);
  return from;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE LatencyPoint chase_through(std::uint64_t* memory, std::size_t bytes,
                                                                    const LatencyOptions& options) {
  constexpr std::size_t line = 8;  // words
  const std::size_t lines = bytes / (line * 8);
  std::vector<std::uint32_t> order(lines);
  std::iota(order.begin(), order.end(), 0u);
  RandomSequence(options.seed).shuffle(std::span(order));
  for (std::size_t i = 0; i < lines; ++i) memory[order[i] * line] = order[(i + 1) % lines] * line;
  if (options.broken_chain) memory[order[lines / 2] * line] = order[0] * line;
  LatencyPoint point;
  point.bytes = bytes;
  std::uint64_t at = order[0] * line;
  std::uint64_t steps = 0;
  do {
    at = chase(memory, at, 1);
    ++steps;
  } while (at != order[0] * line && steps <= lines);
  point.whole_cycle = at == order[0] * line && steps == lines;
  const auto start = std::chrono::steady_clock::now();
  double seconds = 0;
  while (seconds < options.seconds) {
    at = chase(memory, at, 4096);
    point.loads += 4096;
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  point.seconds = seconds / static_cast<double>(point.loads);
  return point;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<LatencyPoint>> measure_latency(const LatencyOptions& options) {
  if (options.least_bytes < 128 || options.most_bytes < options.least_bytes ||
      options.most_bytes > std::size_t{1} << 37 || !(options.seconds > 0))
    return failure(ErrorKind::invalid, "latency is measured from " + std::to_string(options.least_bytes) + " to " +
                                           std::to_string(options.most_bytes) +
                                           " bytes; give 128 bytes or more, 128 GiB at most, and a time above 0");
  auto memory = HostMemory::take(options.most_bytes);
  if (!memory) return memory.propagate();
  std::vector<LatencyPoint> points;
  const int processors[] = {options.processor};
  const auto missing = detail::run_pinned(processors, [&](std::size_t, int) {
    for (std::size_t bytes = options.least_bytes; bytes <= options.most_bytes; bytes *= 2)
      points.push_back(detail::chase_through(memory.value().words().data(), bytes, options));
  });
  if (!missing.empty()) return failure(ErrorKind::invalid, missing.front());
  return points;
}

ASSAY_DETAIL_HEADER_INLINE Outcome check_latency(const LatencyOptions& options) {
  Outcome outcome;
  outcome.id = "hardware/bandwidth/latency";
  outcome.labels = {{"operation", "latency"}, {"backend", "host"}};
  outcome.reproduce = "assay hardware bandwidth";
  const auto points = measure_latency(options);
  if (!points) {
    outcome.verdict = Verdict::error;
    outcome.reason = points.error().message;
    return outcome;
  }
  outcome.derivation.push_back(
      "pointers in a random order through all cache lines, each load waits for the one before");
  Table table{"latency of dependent loads", {"memory", "ns"}, {}};
  Series series{"latency by memory", "bytes (log2)", "ns", {}};
  outcome.verdict = Verdict::pass;
  double exponent = 0;
  for (const LatencyPoint& point : points.value()) {
    for (exponent = 0;
         static_cast<double>(point.bytes) >= static_cast<double>(std::uint64_t{2} << static_cast<int>(exponent));)
      ++exponent;
    table.rows.push_back(
        {number_text(static_cast<double>(point.bytes) / 1024) + " KiB", number_text(point.seconds * 1e9)});
    series.points.emplace_back(exponent, point.seconds * 1e9);
    if (point.whole_cycle && point.seconds > 0) continue;
    outcome.verdict = Verdict::fail;
    outcome.reason = "the chain of pointers through " + std::to_string(point.bytes) +
                     " bytes did not come back after all of them: memory lost or changed a pointer";
  }
  outcome.measure("largest", points.value().back().seconds * 1e9, "ns");
  outcome.measure("smallest", points.value().front().seconds * 1e9, "ns");
  outcome.tables.push_back(std::move(table));
  outcome.series.push_back(std::move(series));
  return outcome;
}

}  // namespace assay::inline v0
