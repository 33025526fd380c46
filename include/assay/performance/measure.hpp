#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
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

/// Work on the host, timed by the monotonic clock. `work` is callable; if it gives a `Result<void>`, its failure ends the measurement.
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
  /// What a sample must last, so that the clock's resolution is a small part of it; short work is repeated within a sample. 0: a thousand
  /// times the resolution and overhead of the monotonic clock.
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
  /// The smallest relative change that these samples can show: half the 95 % interval of the median by order statistics, or one step of the
  /// clock. Infinite below 6 samples.
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

/// One sample: seconds of `runs` runs. Errors: the contender's; `device` if what it gives is no duration.
[[nodiscard]] inline Result<double> timed_sample(const Contender& contender, std::size_t runs) {
  Result<double> seconds = contender.seconds(runs);
  if (!seconds) return failure(seconds.error().kind, "'" + contender.name + "' failed while it was measured: " + seconds.error().message);
  if (!are_samples({&seconds.value(), 1}) || seconds.value() < 0)
    return failure(ErrorKind::device,
                   "'" + contender.name + "' says that " + std::to_string(runs) + " runs took " + number_text(seconds.value()) + " s");
  return seconds;
}

/// How many runs make a sample of at least `least` seconds: doubled until they do, so that the work is warm by then.
[[nodiscard]] inline Result<std::size_t> runs_per_sample(const Contender& contender, double least) {
  constexpr std::size_t most = std::size_t{1} << 30;
  for (std::size_t runs = 1;; runs *= 2) {
    const Result<double> seconds = timed_sample(contender, runs);
    if (!seconds) return seconds.propagate();
    if (seconds.value() >= least || runs >= most) return runs;
  }
}

/// Half the length of the distribution-free 95 % interval of the median, x[⌊n/2 − 0.98√n⌋] to its mirror, relative to the median.
[[nodiscard]] inline double median_uncertainty(std::span<const double> samples) {
  if (samples.size() < 6) return std::numeric_limits<double>::infinity();
  const std::vector<double> sorted = sorted_copy(samples);
  const auto n = static_cast<double>(sorted.size());
  const auto low = static_cast<std::size_t>(std::max(std::floor(n / 2 - 0.98 * std::sqrt(n)), 0.0));
  const double middle = median(samples);
  return middle > 0 ? (sorted[sorted.size() - 1 - low] - sorted[low]) / 2 / middle : std::numeric_limits<double>::infinity();
}

}  // namespace detail

/// Measures contenders against each other. Each is repeated within a sample until the clock can tell it; all are warmed up, in turns, until each is
/// steady or the limits of the options are reached; then samples are taken in the order of the options, and none is dropped. What never got steady,
/// what drifted while it was measured, a processor that was throttled or whose clock is not fixed, and a clock too coarse are told in notes.
///
/// Errors: the contender's own; `device` if it gives a time that is none. Misuse: no contenders, no samples, two of one name, or as `SteadyState`.
[[nodiscard]] inline Result<Measurements> measure(std::span<const Contender> contenders, const MeasureOptions& options = {}) {
  expect(!contenders.empty() && options.samples > 0, [] { return "measure() needs a contender and a sample at least"; });
  for (std::size_t i = 0; i < contenders.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      expect(contenders[i].name != contenders[j].name,
             [&] { return "measure() was given two contenders named '" + contenders[i].name + "'"; });

  Measurements all;
  all.clock = clock_resolution();
  const double least =
      options.sample_seconds > 0 ? options.sample_seconds : 1000 * (all.clock.resolution_seconds + all.clock.overhead_seconds);
  std::vector<SteadyState> states(contenders.size(), SteadyState(options.steady));
  for (const Contender& contender : contenders) {
    const auto runs = detail::runs_per_sample(contender, least);
    if (!runs) return runs.propagate();
    all.contenders.push_back({contender.name,
                              {"seconds", "s", Direction::lower_is_better, {}, ""},
                              runs.value(),
                              0,
                              false,
                              {},
                              std::numeric_limits<double>::infinity()});
  }
  const auto sample_of = [&](std::size_t i) -> Result<double> {
    const Result<double> seconds = detail::timed_sample(contenders[i], all.contenders[i].runs_per_sample);
    return seconds ? Result<double>(seconds.value() / static_cast<double>(all.contenders[i].runs_per_sample)) : seconds;
  };

  double warm_up_seconds = 0;
  const auto all_steady = [&] {
    return std::all_of(states.begin(), states.end(), [](const SteadyState& state) { return state.steady(); });
  };
  for (std::size_t round = 0; round < options.most_warm_up_samples && warm_up_seconds < options.most_warm_up_seconds && !all_steady();
       ++round)
    for (const std::size_t i : interleaved_order(contenders.size(), 1, Interleaving::random, options.seed + round)) {
      const Result<double> seconds = sample_of(i);
      if (!seconds) return seconds.propagate();
      states[i].add(seconds.value());
      warm_up_seconds += seconds.value() * static_cast<double>(all.contenders[i].runs_per_sample);
    }

  all.before = read_cpu_clock_state();
  for (const std::size_t i : interleaved_order(contenders.size(), options.samples, options.order, options.seed)) {
    const Result<double> seconds = sample_of(i);
    if (!seconds) return seconds.propagate();
    all.contenders[i].metric.samples.push_back(seconds.value());
  }
  all.after = read_cpu_clock_state();

  for (std::size_t i = 0; i < contenders.size(); ++i) {
    Measured& own = all.contenders[i];
    const std::span<const double> samples(own.metric.samples);
    own.warm_up_samples = states[i].count();
    own.steady = states[i].steady();
    own.metric.note = states[i].reason();
    own.outliers = count_outliers(samples);
    const double sample_seconds = median(samples) * static_cast<double>(own.runs_per_sample);
    own.resolvable_share = std::max(detail::median_uncertainty(samples), sample_seconds > 0 ? all.clock.resolution_seconds / sample_seconds
                                                                                            : std::numeric_limits<double>::infinity());
    if (samples.size() >= 6) {
      const SteadyDrift drift =
          drift_between(samples.first(samples.size() / 2), samples.last(samples.size() / 2), options.steady.tolerance);
      if (drift.moved > drift.allowed)
        own.metric.note += (own.metric.note.empty() ? "" : "; ") + std::string("drifted by ") + number_text(100 * drift.moved) +
                           " % between the first and the second half of its samples";
    }
    if (!(sample_seconds >= 0.5 * least))
      own.metric.note += (own.metric.note.empty() ? "" : "; ") + std::string("samples of ") + duration_text(sample_seconds) +
                         " are too short for a clock that steps by " + duration_text(all.clock.resolution_seconds) + " and takes " +
                         duration_text(all.clock.overhead_seconds) + " a reading";
  }
  if (throttled_between(all.before, all.after).value_or(false)) all.notes.push_back("heat slowed a processor while this was measured");
  if (!all.after.governor.empty() && all.after.governor != "performance")
    all.notes.push_back("the processors' governor is " + all.after.governor + ": their clock moves with the load");
  return all;
}

/// As a run of a history: a point a contender. `configuration` is that of all of them.
[[nodiscard]] inline HistoryRun history_run(const Measurements& measurements,
                                            const std::map<std::string, std::string>& configuration = {}) {
  HistoryRun run;
  run.origin.time = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  run.origin.clocks = clock_summary(measurements.before, measurements.after);
  for (const Measured& measured : measurements.contenders) run.points.push_back({measured.name, configuration, measured.metric});
  return run;
}

}  // namespace assay::inline v0
