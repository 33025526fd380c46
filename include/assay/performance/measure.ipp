#pragma once

#include "assay/performance/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// One sample: seconds of `runs` runs. Errors: the contender's; `device` if what it gives is no duration.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<double> timed_sample(const Contender& contender, std::size_t runs) {
  Result<double> seconds = contender.seconds(runs);
  if (!seconds)
    return failure(seconds.error().kind,
                   "'" + contender.name + "' failed while it was measured: " + seconds.error().message);
  if (!are_samples({&seconds.value(), 1}) || seconds.value() < 0)
    return failure(ErrorKind::device, "'" + contender.name + "' says that " + std::to_string(runs) + " runs took " +
                                          number_text(seconds.value()) + " s");
  return seconds;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::size_t> runs_per_sample(const Contender& contender, double least) {
  constexpr std::size_t most = std::size_t{1} << 30;
  for (std::size_t runs = 1;; runs *= 2) {
    const Result<double> seconds = timed_sample(contender, runs);
    if (!seconds) return seconds.propagate();
    if (seconds.value() >= least || runs >= most) return runs;
  }
}

/// Half the length of the distribution-free 95 % interval of the median, x[⌊n/2 − 0.98√n⌋] to its mirror, relative to
/// the median.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE double median_uncertainty(std::span<const double> samples) {
  if (samples.size() < 6) return std::numeric_limits<double>::infinity();
  const std::vector<double> sorted = sorted_copy(samples);
  const auto n = static_cast<double>(sorted.size());
  const auto low = static_cast<std::size_t>(std::max(std::floor(n / 2 - 0.98 * std::sqrt(n)), 0.0));
  const double middle = median(samples);
  return middle > 0 ? (sorted[sorted.size() - 1 - low] - sorted[low]) / 2 / middle
                    : std::numeric_limits<double>::infinity();
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<Measurements> measure(std::span<const Contender> contenders,
                                                        const MeasureOptions& options) {
  expect(!contenders.empty() && options.samples > 0,
         [] { return "measure() needs a contender and a sample at least"; });
  for (std::size_t i = 0; i < contenders.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      expect(contenders[i].name != contenders[j].name,
             [&] { return "measure() was given two contenders named '" + contenders[i].name + "'"; });

  Measurements all;
  all.clock = clock_resolution();
  const double least = options.sample_seconds > 0 ? options.sample_seconds
                                                  : 1000 * (all.clock.resolution_seconds + all.clock.overhead_seconds);
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
  for (std::size_t round = 0;
       round < options.most_warm_up_samples && warm_up_seconds < options.most_warm_up_seconds && !all_steady(); ++round)
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
    own.resolvable_share =
        std::max(detail::median_uncertainty(samples), sample_seconds > 0 ? all.clock.resolution_seconds / sample_seconds
                                                                         : std::numeric_limits<double>::infinity());
    if (samples.size() >= 6) {
      const SteadyDrift drift =
          drift_between(samples.first(samples.size() / 2), samples.last(samples.size() / 2), options.steady.tolerance);
      if (drift.moved > drift.allowed)
        own.metric.note += (own.metric.note.empty() ? "" : "; ") + std::string("drifted by ") +
                           number_text(100 * drift.moved) + " % between the first and the second half of its samples";
    }
    if (!(sample_seconds >= 0.5 * least))
      own.metric.note += (own.metric.note.empty() ? "" : "; ") + std::string("samples of ") +
                         duration_text(sample_seconds) + " are too short for a clock that steps by " +
                         duration_text(all.clock.resolution_seconds) + " and takes " +
                         duration_text(all.clock.overhead_seconds) + " a reading";
  }
  if (throttled_between(all.before, all.after).value_or(false))
    all.notes.push_back("heat slowed a processor while this was measured");
  if (!all.after.governor.empty() && all.after.governor != "performance")
    all.notes.push_back("the processors' governor is " + all.after.governor + ": their clock moves with the load");
  return all;
}

ASSAY_DETAIL_HEADER_INLINE HistoryRun history_run(const Measurements& measurements,
                                                  const std::map<std::string, std::string>& configuration) {
  HistoryRun run;
  run.origin.time = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  run.origin.clocks = clock_summary(measurements.before, measurements.after);
  for (const Measured& measured : measurements.contenders)
    run.points.push_back({measured.name, configuration, measured.metric});
  return run;
}

}  // namespace assay::inline v0
