#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/parallel_backend.hpp"
#include "assay/backends/parallel_reduce.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/hardware/bandwidth/stream.hpp"

namespace assay::inline v0 {

/// What STREAM's arrays hold at first, on any device: whole numbers that differ from neighbor to neighbor.
struct FillStreamArrays {
  double *a = nullptr, *b = nullptr, *c = nullptr;

  /// Of element i: 1 to 1021, over and over.
  [[nodiscard]] static ASSAY_FUNCTION constexpr double start(std::size_t i) {
    return static_cast<double>(i % 1021 + 1);
  }
  ASSAY_FUNCTION void operator()(std::size_t i) const {
    a[i] = start(i);
    b[i] = c[i] = 0;
  }
};

/// One element of one of STREAM's loops, as work for `parallel_for`.
struct StreamElement {
  StreamForm form = StreamForm::copy;
  double *a = nullptr, *b = nullptr, *c = nullptr;

  ASSAY_FUNCTION void operator()(std::size_t i) const {
    switch (form) {
      case StreamForm::copy: c[i] = a[i]; break;
      case StreamForm::scale: b[i] = 3.0 * c[i]; break;
      case StreamForm::add: c[i] = a[i] + b[i]; break;
      case StreamForm::triad: a[i] = b[i] + 3.0 * c[i]; break;
    }
  }
};

/// What a chunk of the arrays holds that it should not.
struct StreamChunkFindings {
  std::uint64_t wrong = 0;  ///< elements of which one of the three is wrong
  std::uint64_t first = 0;  ///< the lowest of them
};

/// Compares a chunk of the arrays with what `repetitions` of all four loops make of whole numbers, which is exact.
struct CheckStreamChunk {
  static constexpr std::size_t elements_per_chunk = 4096;

  const double *a = nullptr, *b = nullptr, *c = nullptr;
  std::size_t count = 0;
  unsigned repetitions = 0;

  ASSAY_FUNCTION void operator()(std::size_t chunk, StreamChunkFindings& found) const {
    const std::size_t begin = chunk * elements_per_chunk;
    const std::size_t end = begin + elements_per_chunk < count ? begin + elements_per_chunk : count;
    for (std::size_t i = begin; i < end; ++i) {
      double x = FillStreamArrays::start(i), y = 0, z = 0;
      for (unsigned repetition = 0; repetition < repetitions; ++repetition) {
        z = x;
        y = 3.0 * z;
        z = x + y;
        x = y + 3.0 * z;
      }
      if (a[i] == x && b[i] == y && c[i] == z) continue;
      if (found.wrong++ == 0) found.first = i;
    }
  }
};

/// The four forms of STREAM in a backend's memory, timed by its events, every element compared afterwards on the
/// device. Of the options `bytes` (0: 768 MiB, more than caches of accelerators hold), `repetitions` (at most 10: more
/// leave the whole numbers of float64) and `fault_element` count. Judge them with `judge_stream`. Misuse: more
/// repetitions. Errors: the backend's, such as `out_of_memory`. O(bytes × repetitions).
template <ParallelBackend B>
[[nodiscard]] Result<std::vector<StreamMeasurement>> stream_on_backend(B& backend, typename B::Stream& stream,
                                                                       const StreamOptions& options) {
  const unsigned repetitions = std::max(1u, options.repetitions);
  expect(repetitions <= 10, [&] {
    return "STREAM on a device takes at most 10 repetitions, whose sums are exact; " + std::to_string(repetitions) +
           " were asked for";
  });
  const std::size_t bytes = options.bytes > 0 ? options.bytes : std::size_t{768} << 20;
  const std::size_t count = std::max<std::size_t>(bytes / 3 / sizeof(double), 1);
  auto memory = backend.template allocate<double>(3 * count);
  if (!memory) return memory.propagate();
  double* const a = memory.value().data();
  double* const b = a + count;
  double* const c = b + count;
  auto before = backend.make_event(), after = backend.make_event();
  if (!before) return before.propagate();
  if (!after) return after.propagate();
  if (auto filled = backend.parallel_for(stream, count, FillStreamArrays{a, b, c}); !filled) return filled.propagate();
  constexpr std::array forms{StreamForm::copy, StreamForm::scale, StreamForm::add, StreamForm::triad};
  std::array<std::vector<double>, forms.size()> seconds;
  for (unsigned repetition = 0; repetition < repetitions; ++repetition)
    for (std::size_t f = 0; f < forms.size(); ++f) {
      if (auto done = backend.record(before.value(), stream); !done) return done.propagate();
      if (auto done = backend.parallel_for(stream, count, StreamElement{forms[f], a, b, c}); !done)
        return done.propagate();
      if (auto done = backend.record(after.value(), stream); !done) return done.propagate();
      if (auto done = backend.synchronize(stream); !done) return done.propagate();
      const auto took = backend.elapsed_seconds(before.value(), after.value());
      if (!took) return took.propagate();
      seconds[f].push_back(took.value());
    }
  if (options.fault_element < count)
    if (auto done = backend.parallel_for(stream, 1, StreamElement{StreamForm::copy, b, b, a + options.fault_element});
        !done)
      return done.propagate();
  const std::size_t chunks = (count + CheckStreamChunk::elements_per_chunk - 1) / CheckStreamChunk::elements_per_chunk;
  const auto checked =
      parallel_partials<StreamChunkFindings>(backend, stream, chunks, CheckStreamChunk{a, b, c, count, repetitions});
  if (!checked) return checked.propagate();
  StreamChunkFindings wrong;
  for (const StreamChunkFindings& part : checked.value()) {
    if (wrong.wrong == 0) wrong.first = part.first;
    wrong.wrong += part.wrong;
  }
  std::vector<StreamMeasurement> found;
  for (std::size_t f = 0; f < forms.size(); ++f) {
    StreamMeasurement entry;
    entry.form = forms[f];
    entry.bytes = 3 * count * sizeof(double);
    entry.wrong_elements = wrong.wrong;
    if (wrong.wrong > 0) entry.first_wrong = "the first is element " + std::to_string(wrong.first) + " of the arrays";
    std::sort(seconds[f].begin(), seconds[f].end());
    const bool two = forms[f] == StreamForm::copy || forms[f] == StreamForm::scale;
    const double moved = static_cast<double>(count) * sizeof(double) * (two ? 2 : 3);
    const double best = seconds[f].front(), middle = seconds[f][seconds[f].size() / 2];
    entry.bytes_per_second = best > 0 ? moved / best : 0;
    entry.median_bytes_per_second = middle > 0 ? moved / middle : 0;
    found.push_back(std::move(entry));
  }
  return found;
}

}  // namespace assay::inline v0
