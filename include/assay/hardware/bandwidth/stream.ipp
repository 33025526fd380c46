#pragma once

#include "assay/hardware/bandwidth/stream.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <mutex>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/core/vector_variants.hpp"
#include "assay/hardware/detail/pinned_threads.hpp"
#include "assay/hardware/memory/host_memory.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

namespace detail {

inline namespace ASSAY_DETAIL_UNIT_VARIANT {
/// One form on one thread's part: as far as compilers vectorize it, as STREAM leaves it to them.
template <StreamForm Form>
struct RunStream {
  template <std::size_t Bytes>
  static ASSAY_DETAIL_INLINE void run(double* const& a, double* const& b, double* const& c, const std::size_t& count) {
    using Access = typename Vector<double, Bytes>::Unaligned;
    constexpr std::size_t lanes = Bytes / sizeof(double);
    for (std::size_t i = 0; i + lanes <= count; i += lanes) {
      auto* const x = reinterpret_cast<Access*>(a + i);
      auto* const y = reinterpret_cast<Access*>(b + i);
      auto* const z = reinterpret_cast<Access*>(c + i);
      if constexpr (Form == StreamForm::copy) *z = *x;
      if constexpr (Form == StreamForm::scale) *y = 3.0 * *z;
      if constexpr (Form == StreamForm::add) *z = *x + *y;
      if constexpr (Form == StreamForm::triad) *x = *y + 3.0 * *z;
    }
  }
};
}  // namespace ASSAY_DETAIL_UNIT_VARIANT

ASSAY_DETAIL_HEADER_INLINE void run_stream(StreamForm form, double* a, double* b, double* c, std::size_t count) {
  asm volatile("" ::: "memory");
  switch (form) {
    case StreamForm::copy: run_variant<RunStream<StreamForm::copy>>(instruction_set(), a, b, c, count); break;
    case StreamForm::scale: run_variant<RunStream<StreamForm::scale>>(instruction_set(), a, b, c, count); break;
    case StreamForm::add: run_variant<RunStream<StreamForm::add>>(instruction_set(), a, b, c, count); break;
    case StreamForm::triad: run_variant<RunStream<StreamForm::triad>>(instruction_set(), a, b, c, count); break;
  }
  asm volatile("" ::: "memory");
}

/// What the arrays hold at first: whole numbers that differ from neighbor to neighbor.
[[nodiscard]] inline double stream_start(std::size_t i) {
  return static_cast<double>(i % 1021 + 1);
}

/// Where each thread's part begins, in elements: whole cache lines.
[[nodiscard]] inline std::size_t stream_begin(std::size_t count, std::size_t part, std::size_t parts) {
  return count / 8 * part / parts * 8;
}

/// The sizes of groups of threads that are measured: 1, 2, 4, …, all.
[[nodiscard]] inline std::vector<std::size_t> stream_group_sizes(std::size_t all) {
  std::vector<std::size_t> sizes;
  for (std::size_t size = 1; size < all; size *= 2) sizes.push_back(size);
  if (all > 0) sizes.push_back(all);
  return sizes;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<StreamMeasurement>> measure_stream(std::span<const int> processors,
                                                                                 std::span<const int> first_touch,
                                                                                 const StreamOptions& options) {
  constexpr std::array forms{StreamForm::copy, StreamForm::scale, StreamForm::add, StreamForm::triad};
  const std::size_t bytes = options.bytes > 0 ? options.bytes : std::size_t{96} << 20;
  const std::size_t count = std::max<std::size_t>(bytes / 3 / sizeof(double) / 64 * 64, 64 * processors.size());
  auto memory = HostMemory::take(3 * count * sizeof(double));
  if (!memory) return memory.propagate();
  double* const a = reinterpret_cast<double*>(memory.value().words().data());
  double* const b = a + count;
  double* const c = b + count;
  const auto touch = [&](std::size_t i, std::size_t parts) {
    for (std::size_t j = detail::stream_begin(count, i, parts); j < detail::stream_begin(count, i + 1, parts); ++j) {
      a[j] = detail::stream_start(j);
      b[j] = c[j] = 0;
    }
  };
  std::vector<StreamMeasurement> found;
  for (const StreamForm form : forms) {
    StreamMeasurement entry;
    entry.form = form;
    entry.processors.assign(processors.begin(), processors.end());
    entry.bytes = 3 * count * sizeof(double);
    found.push_back(entry);
  }
  std::vector<std::string> missing;
  if (!first_touch.empty())
    missing = detail::run_pinned(first_touch, [&](std::size_t i, int) { touch(i, first_touch.size()); });
  const std::size_t parts = processors.size();
  const unsigned repetitions = std::max(1u, options.repetitions);
  std::vector<std::vector<double>> seconds(4);
  std::barrier meet(static_cast<std::ptrdiff_t>(parts));
  // who cannot be pinned would leave the others waiting: such a group is not measured
  const auto absent = detail::run_pinned(processors, [](std::size_t, int) {});
  missing.insert(missing.end(), absent.begin(), absent.end());
  if (missing.empty())
    missing = detail::run_pinned(processors, [&](std::size_t i, int) {
      if (first_touch.empty()) touch(i, parts);
      const std::size_t begin = detail::stream_begin(count, i, parts);
      const std::size_t length = detail::stream_begin(count, i + 1, parts) - begin;
      for (unsigned repetition = 0; repetition < repetitions; ++repetition)
        for (std::size_t f = 0; f < forms.size(); ++f) {
          meet.arrive_and_wait();
          const auto start = std::chrono::steady_clock::now();
          detail::run_stream(forms[f], a + begin, b + begin, c + begin, length);
          meet.arrive_and_wait();
          if (i == 0)
            seconds[f].push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        }
    });
  if (options.fault_element < count) a[options.fault_element] += 1;
  std::uint64_t wrong = 0;
  std::string first;
  const std::size_t compared = missing.empty() ? detail::stream_begin(count, parts, parts) : 0;
  for (std::size_t j = 0; j < compared; ++j) {
    double x = detail::stream_start(j), y = 0, z = 0;
    for (unsigned repetition = 0; repetition < repetitions; ++repetition) {
      z = x;
      y = 3 * z;
      z = x + y;
      x = y + 3 * z;
    }
    if (a[j] == x && b[j] == y && c[j] == z) continue;
    if (wrong++ == 0)
      first = "element " + std::to_string(j) + " of the arrays is " + detail::printed_number(a[j], 17) + ", " +
              detail::printed_number(b[j], 17) + ", " + detail::printed_number(c[j], 17) + ", and should be " +
              detail::printed_number(x, 17) + ", " + detail::printed_number(y, 17) + ", " +
              detail::printed_number(z, 17);
  }
  for (std::size_t f = 0; f < forms.size(); ++f) {
    found[f].missing = missing;
    found[f].wrong_elements = wrong;
    found[f].first_wrong = first;
    if (seconds[f].empty()) continue;
    std::sort(seconds[f].begin(), seconds[f].end());
    const bool two = forms[f] == StreamForm::copy || forms[f] == StreamForm::scale;
    const double moved = static_cast<double>(count) * sizeof(double) * (two ? 2 : 3);
    found[f].bytes_per_second = moved / seconds[f].front();
    found[f].median_bytes_per_second = moved / seconds[f][seconds[f].size() / 2];
  }
  return found;
}

ASSAY_DETAIL_HEADER_INLINE Outcome judge_stream(std::span<const StreamMeasurement> measurements,
                                                const StreamOptions& options) {
  Outcome outcome;
  outcome.id = "hardware/bandwidth/stream";
  outcome.labels = {{"operation", "bandwidth"}, {"backend", "host"}};
  outcome.reproduce = "assay hardware bandwidth";
  outcome.derivation.push_back(
      "bytes as STREAM counts them: what caches read before they write is not counted; every element is compared");
  Table table{"STREAM, best of the repetitions", {"form", "threads", "memory of node", "GB/s", "median GB/s"}, {}};
  Series triad{"triad by threads", "threads", "GB/s", {}};
  double best = 0;
  const auto decide = [&](Verdict verdict, const std::string& reason) {
    if (outcome.verdict == Verdict::fail && verdict != Verdict::fail) return;
    if (outcome.reason.empty() || (verdict == Verdict::fail && outcome.verdict != Verdict::fail)) {
      outcome.verdict = verdict;
      outcome.reason = reason;
    }
  };
  for (const StreamMeasurement& entry : measurements) {
    const std::string what = std::string(name_of(entry.form)) + " of " + std::to_string(entry.processors.size()) +
                             (entry.processors.size() == 1 ? " thread" : " threads");
    table.rows.push_back({std::string(name_of(entry.form)), std::to_string(entry.processors.size()),
                          entry.memory_node < 0 ? "own" : std::to_string(entry.memory_node),
                          number_text(entry.bytes_per_second / 1e9), number_text(entry.median_bytes_per_second / 1e9)});
    if (entry.form == StreamForm::triad && entry.memory_node < 0)
      triad.points.emplace_back(static_cast<double>(entry.processors.size()), entry.bytes_per_second / 1e9);
    best = std::max(best, entry.bytes_per_second);
    if (!entry.missing.empty())
      decide(Verdict::error, what + " was not measured: " + entry.missing.front());
    else if (entry.wrong_elements > 0)
      decide(Verdict::fail,
             what + ": " + std::to_string(entry.wrong_elements) + " elements were wrong; " + entry.first_wrong);
    else if (!(entry.bytes_per_second > 0))
      decide(Verdict::fail, what + ": the rate is 0");
    else if (options.theoretical && entry.bytes_per_second > *options.theoretical)
      decide(Verdict::fail, what + ": " + number_text(entry.bytes_per_second / 1e9) +
                                " GB/s are more than the theoretical " + number_text(*options.theoretical / 1e9) +
                                ": caches answered, or the figure is wrong");
  }
  outcome.measure("best", best / 1e9, "GB/s");
  outcome.tables.push_back(std::move(table));
  if (triad.points.size() > 1) outcome.series.push_back(std::move(triad));
  if (measurements.empty())
    decide(Verdict::inconclusive, "nothing was measured");
  else if (options.theoretical && best < options.least_share * *options.theoretical)
    decide(Verdict::fail, "the best rate of " + number_text(best / 1e9) + " GB/s is less than " +
                              number_text(100 * options.least_share) + " % of the theoretical " +
                              number_text(*options.theoretical / 1e9) + " GB/s");
  if (outcome.reason.empty()) outcome.verdict = Verdict::pass;
  return outcome;
}

ASSAY_DETAIL_HEADER_INLINE Outcome check_stream(const ProcessorTopology& topology, const StreamOptions& given) {
  const auto start = std::chrono::steady_clock::now();
  StreamOptions options = given;
  if (options.bytes == 0)
    options.bytes = std::max<std::size_t>(std::size_t{96} << 20, 4 * topology.last_level_cache_bytes);
  const std::vector<int> all = detail::chosen_processors(options.processors);
  std::vector<StreamMeasurement> measurements;
  std::string refused;
  const auto measure = [&](std::span<const int> processors, std::span<const int> touch, int node) {
    auto found = measure_stream(processors, touch, options);
    if (!found) {
      refused = found.error().message;
      return;
    }
    for (StreamMeasurement& entry : found.value()) {
      entry.memory_node = node;
      measurements.push_back(std::move(entry));
    }
  };
  for (const std::size_t size : detail::stream_group_sizes(all.size())) measure(std::span(all).first(size), {}, -1);
  const std::vector<int> nodes = topology.numa_nodes();
  if (nodes.size() > 1)
    for (const int near : nodes)
      for (const int far : nodes)
        if (const auto readers = topology.processors_of(near), owners = topology.processors_of(far);
            !readers.empty() && !owners.empty())
          measure(readers, owners, far);
  Outcome outcome = judge_stream(measurements, options);
  if (!refused.empty()) {
    outcome.verdict = Verdict::error;
    outcome.reason = refused;
  }
  outcome.duration_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

}  // namespace assay::inline v0
