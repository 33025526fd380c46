#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/performance/clock_resolution.hpp"
#include "assay/performance/clock_state.hpp"
#include "assay/performance/history.hpp"
#include "assay/performance/interleaving.hpp"
#include "assay/performance/metric.hpp"
#include "assay/performance/steady_state.hpp"
#include "assay/statistics/outliers.hpp"

namespace assay::inline v0 {

/// One of the subjects that are measured against each other: `host_contender`, `device_contender`, or your own.
struct Contender {
  std::string name;  ///< unique among the contenders
  /// Runs the work so often in a row, and gives the seconds that took in all.
  std::function<Result<double>(std::size_t runs)> seconds;
};

/// Work on the host, timed by the monotonic clock. `work` is callable; if it gives a `Result<void>`, its failure ends
/// the measurement.
template <class Work>
[[nodiscard]] Contender host_contender(std::string name, Work work) {
  return {std::move(name), [work = std::move(work)](std::size_t runs) mutable -> Result<double> {
            const double start = monotonic_seconds();
            for (std::size_t i = 0; i < runs; ++i) {
              if constexpr (std::is_void_v<decltype(work())>) {
                work();
              } else {
                if (const auto done = work(); !done) return failure(done.error().kind, done.error().message);
              }
            }
            return monotonic_seconds() - start;
          }};
}

/// How long and in which order contenders are measured.
struct MeasureOptions {
  std::size_t samples = 30;  ///< of each contender; Mann and Whitney's test says nothing below 4
  /// What a sample must last, so that the clock's resolution is a small part of it; short work is repeated within a
  /// sample. 0: a thousand times the resolution and overhead of the monotonic clock.
  double sample_seconds = 0;
  SteadyCriterion steady;
  std::size_t most_warm_up_samples = 200;       ///< of each contender
  double most_warm_up_seconds = 10;             ///< of all contenders
  Interleaving order = Interleaving::balanced;  ///< of the contenders within a round
  std::uint64_t seed = 1;                       ///< of the order
};

/// What came of one contender.
struct Measured {
  std::string name;                 ///< of the contender
  Metric metric;                    ///< "seconds" of one run; the note says what spoils it
  std::size_t runs_per_sample = 1;  ///< so that a sample is long enough for the clock
  std::size_t warm_up_samples = 0;  ///< that were taken and dropped
  bool steady = false;              ///< before the first sample was taken, by `MeasureOptions::steady`
  OutlierCounts outliers;           ///< Tukey's classes; none are dropped
  /// The smallest relative change that these samples can show: half the 95 % interval of the median by order
  /// statistics, or one step of the clock. Infinite below 6 samples.
  double resolvable_share = std::numeric_limits<double>::infinity();
};

/// What came of all contenders.
struct Measurements {
  std::vector<Measured> contenders;  ///< in the order in which they were given
  ClockResolution clock;
  /// Of the processors.
  CpuClockState before, after;
  std::vector<std::string> notes;  ///< what the reader must know of all of them
};

namespace detail {

/// How many runs make a sample of at least `least` seconds: doubled until they do, so that the work is warm by then.
[[nodiscard]] Result<std::size_t> runs_per_sample(const Contender& contender, double least);

}  // namespace detail

/// Measures contenders against each other. Each is repeated within a sample until the clock can tell it; all are warmed
/// up, in turns, until each is steady or the limits of the options are reached; then samples are taken in the order of
/// the options, and none is dropped. What never got steady, what drifted while it was measured, a processor that was
/// throttled or whose clock is not fixed, and a clock too coarse are told in notes.
///
/// Errors: the contender's own; `device` if it gives a time that is none. Misuse: no contenders, no samples, two of one
/// name, or as `SteadyState`.
[[nodiscard]] Result<Measurements> measure(std::span<const Contender> contenders, const MeasureOptions& options = {});

/// As a run of a history: a point a contender. `configuration` is that of all of them.
[[nodiscard]] HistoryRun history_run(const Measurements& measurements,
                                     const std::map<std::string, std::string>& configuration = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/measure.ipp"
#endif
