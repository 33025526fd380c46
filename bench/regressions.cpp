// components: boost_math
// How often each method of finding regressions accuses a metric that did not change, and how soon it finds one that did: steps and drifts under noise of four kinds, judged night
// after night against a frozen baseline. Then how long a scan of 1,000 metrics with 1,000 runs each takes.
//
//   bench_regressions [--series N] [--seed S] [--part simulation|nights|scan] [--only PART_OF_A_METHODS_NAME]
//
// Printed is Markdown. The seed decides all but the seconds.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "assay/performance/cusum_detector.hpp"
#include "assay/performance/default_detector.hpp"
#include "assay/performance/e_divisive_detector.hpp"
#include "assay/performance/ewma_detector.hpp"
#include "assay/performance/pelt_detector.hpp"
#include "assay/performance/prediction_interval_detector.hpp"
#include "assay/performance/regression_detector.hpp"
#include "assay/performance/regression_scan.hpp"
#include "assay/performance/shift_detector.hpp"
#include "assay/performance/threshold_detector.hpp"
#include "assay/performance/z_score_detector.hpp"
#include "timing.hpp"

namespace {

using namespace assay;

constexpr std::size_t baseline_runs = 30, releases = 12, nights_a_release = 5, nights = releases * nights_a_release,
                      night_of_step = 20, patience = 20;

enum class NoiseKind { gaussian, bimodal, autocorrelated, heavy_tailed };
constexpr NoiseKind noises[] = {NoiseKind::gaussian, NoiseKind::bimodal, NoiseKind::autocorrelated,
                                NoiseKind::heavy_tailed};

const char* title_of(NoiseKind kind) {
  switch (kind) {
    case NoiseKind::gaussian: return "Gaussian, deviation 1.5 %";
    case NoiseKind::bimodal: return "bimodal: every fifth run 4 % slower, deviation 0.5 % within a mode";
    case NoiseKind::autocorrelated: return "autocorrelated, AR(1) of 0.6, deviation 1.5 %";
    case NoiseKind::heavy_tailed: return "heavy-tailed: Student's t with 2 degrees of freedom × 1 % (no variance)";
  }
  return "";
}

class NoiseSource {
 public:
  NoiseSource(NoiseKind kind, std::uint64_t seed) : kind_(kind), random_(detail::RandomSequence(seed).next()) {
    state_ = normal();
  }

  double next() {
    switch (kind_) {
      case NoiseKind::gaussian: return 0.015 * normal();
      case NoiseKind::bimodal: return (uniform() < 0.2 ? 0.04 : 0.0) + 0.005 * normal();
      case NoiseKind::autocorrelated: return 0.015 * (state_ = 0.6 * state_ + 0.8 * normal());
      case NoiseKind::heavy_tailed: return 0.01 * normal() / std::sqrt(-std::log(uniform()));
    }
    return 0;
  }

 private:
  double uniform() { return (static_cast<double>(random_.next() >> 11) + 0.5) / 9007199254740992.0; }
  double normal() { return std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform()); }

  NoiseKind kind_;
  detail::RandomSequence random_;
  double state_ = 0;
};

struct Change {
  const char* title;
  double step;   ///< from `night_of_step` on
  double drift;  ///< a release

  [[nodiscard]] double factor(std::size_t night) const {
    return (night >= night_of_step ? 1 + step : 1) * std::pow(1 + drift, static_cast<double>(night / nights_a_release));
  }
};
constexpr Change no_change{"none", 0, 0};
constexpr Change changes[] = {
    {"2 % step", 0.02, 0}, {"5 % step", 0.05, 0}, {"1 % a release", 0, 0.01}, {"2 % a release", 0, 0.02}};

RunSeries simulated(NoiseKind kind, const Change& change, std::uint64_t seed) {
  NoiseSource noise(kind, 4 * seed + static_cast<std::uint64_t>(kind));
  RunSeries series;
  series.baseline_end = baseline_runs;
  for (std::size_t run = 0; run < baseline_runs + nights; ++run)
    series.values.push_back(100 * std::exp(noise.next()) *
                            (run < baseline_runs ? 1 : change.factor(run - baseline_runs)));
  return series;
}

/// The verdict of every night, each with no more than that night knew.
std::vector<RegressionVerdict> judged_nightly(const AnyRegressionDetector& detector, const RunSeries& whole) {
  std::vector<RegressionVerdict> verdicts;
  RunSeries known = whole;
  for (std::size_t night = 0; night < nights; ++night) {
    known.values.assign(whole.values.begin(),
                        whole.values.begin() + static_cast<std::ptrdiff_t>(baseline_runs + night + 1));
    verdicts.push_back(detector.judge(known).verdict);
  }
  return verdicts;
}

struct Contender {
  AnyRegressionDetector detector;
  std::size_t thinned = 1;  ///< one series of so many: slow methods
};

struct Tally {
  double accused_nights = 0, accused_series = 0, undecided_nights = 0;
  double found[4] = {};
  std::vector<double> when[4];
};

Tally tally_of(const Contender& contender, NoiseKind kind, std::size_t count, std::uint64_t seed) {
  Tally tally;
  count = std::max<std::size_t>(count / contender.thinned, 1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t own = seed * 1000003 + i;
    const std::vector<RegressionVerdict> quiet = judged_nightly(contender.detector, simulated(kind, no_change, own));
    const auto accused = std::count(quiet.begin(), quiet.end(), RegressionVerdict::regressed);
    tally.accused_nights += static_cast<double>(accused) / static_cast<double>(nights * count);
    tally.accused_series += (accused > 0 ? 1.0 : 0.0) / static_cast<double>(count);
    tally.undecided_nights += static_cast<double>(std::count(quiet.begin(), quiet.end(), RegressionVerdict::rerun)) /
                              static_cast<double>(nights * count);
    for (std::size_t c = 0; c < 4; ++c) {
      const Change& change = changes[c];
      const std::vector<RegressionVerdict> verdicts = judged_nightly(contender.detector, simulated(kind, change, own));
      const std::size_t begin = change.step > 0 ? night_of_step : 0,
                        end = change.step > 0 ? night_of_step + patience : nights;
      const auto first = std::find(verdicts.begin() + static_cast<std::ptrdiff_t>(begin),
                                   verdicts.begin() + static_cast<std::ptrdiff_t>(end), RegressionVerdict::regressed);
      const auto night = static_cast<std::size_t>(first - verdicts.begin());
      if (night == end) continue;
      tally.found[c] += 1.0 / static_cast<double>(count);
      tally.when[c].push_back(change.step > 0 ? static_cast<double>(night - begin + 1)
                                              : 100 * (change.factor(night) - 1));
    }
  }
  return tally;
}

std::vector<Contender> contenders() {
  RegressionOptions any, effect;
  any.minimum_effect = 0;
  any.confidence = 0.99;
  RegressionOptions bootstrap = effect;
  bootstrap.method = ShiftMethod::bootstrap_median;
  bootstrap.resamples = 500;
  const RunDistance plain{false, 3, false, 0};
  return {{ThresholdDetector{0.05, ThresholdReference::previous_run}},
          {ThresholdDetector{0.05, ThresholdReference::baseline_median}},
          {ZScoreDetector{}},
          {PredictionIntervalDetector{}},
          {ShiftDetector{{10}, false, any}},
          {ShiftDetector{{10}, false, bootstrap}, 8},
          {CusumDetector{{}, plain}},
          {CusumDetector{}},
          {EwmaDetector{{}, plain}},
          {EwmaDetector{}},
          {EDivisiveDetector{{}, effect}, 2},
          {PeltDetector{}},
          {ShiftDetector{{5}, true, effect}},
          {ShiftDetector{{10}, false, effect}},
          {ShiftDetector{{10}, true, effect}},
          {ShiftDetector{{20}, true, effect}},
          {default_detector()}};
}

void print_simulation(std::size_t count, std::uint64_t seed, const std::string& only) {
  std::vector<Contender> all = contenders();
  std::erase_if(all,
                [&](const Contender& contender) { return contender.detector.name().find(only) == std::string::npos; });
  for (const NoiseKind kind : noises) {
    std::vector<Tally> tallies(all.size());
    ThreadPool pool;
    pool.for_each_index(all.size(), [&](std::size_t i) {
      tallies[all.size() - 1 - i] = tally_of(all[all.size() - 1 - i], kind, count, seed);
    });
    std::printf(
        "### Noise: %s\n\n| method | accused without change, of 1000 nights | metrics accused in %zu nights | "
        "undecided nights |",
        title_of(kind), nights);
    for (const Change& change : changes) std::printf(" %s |", change.title);
    std::printf("\n| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (std::size_t i = 0; i < all.size(); ++i) {
      Tally& tally = tallies[i];
      std::printf("| %s%s | %.1f | %.1f %% | %.0f %% |", i + 1 == all.size() ? "**default**: " : "",
                  all[i].detector.name().c_str(), 1000 * tally.accused_nights, 100 * tally.accused_series,
                  100 * tally.undecided_nights);
      for (std::size_t c = 0; c < 4; ++c) {
        if (tally.when[c].empty())
          std::printf(" 0 %% |");
        else if (changes[c].step > 0)
          std::printf(" %.0f %% (%.0f nights) |", 100 * tally.found[c], median(std::span<const double>(tally.when[c])));
        else
          std::printf(" %.0f %% (at %.1f %%) |", 100 * tally.found[c], median(std::span<const double>(tally.when[c])));
      }
      std::printf("\n");
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}

/// What a release manager with a thousand metrics sees: a night ten runs after a change, with and without correction
/// for their number.
void print_nights(std::uint64_t seed) {
  constexpr std::size_t metrics = 1000, changed = 20, shown = 10;
  std::printf("### A night with %zu metrics, %zu of them 5 %% slower since ten runs (means of %zu nights)\n\n", metrics,
              changed, shown);
  std::printf(
      "| noise | wrongly accused | of them after correction | slower and found | of them after correction |\n| --- | "
      "--- | --- | --- | --- "
      "|\n");
  for (const NoiseKind kind : noises) {
    double wrong[2] = {}, right[2] = {};
    for (std::size_t night = 0; night < shown; ++night) {
      std::vector<RunSeries> series;
      for (std::size_t i = 0; i < metrics; ++i) {
        series.push_back(simulated(kind, i < changed ? changes[1] : no_change, (seed * 1009 + night) * 100003 + i));
        series.back().values.resize(baseline_runs + night_of_step + 10);
      }
      const ShiftDetector detector = default_detector();
      const std::vector<RegressionJudgment> corrected = scan_regressions(std::span<const RunSeries>(series), detector);
      for (std::size_t i = 0; i < metrics; ++i) {
        double* const counts = i < changed ? right : wrong;
        counts[0] += (detector.judge(series[i]).verdict == RegressionVerdict::regressed ? 1.0 : 0.0) / shown;
        counts[1] += (corrected[i].verdict == RegressionVerdict::regressed ? 1.0 : 0.0) / shown;
      }
    }
    std::printf("| %s | %.1f | %.1f | %.1f | %.1f |\n", title_of(kind), wrong[0], wrong[1], right[0], right[1]);
  }
  std::printf("\n");
}

void print_scan(std::uint64_t seed) {
  constexpr std::size_t metrics = 1000, runs = 1000;
  std::vector<RunSeries> series(metrics);
  for (std::size_t i = 0; i < metrics; ++i) {
    NoiseSource noise(noises[i % 4], seed * 7919 + i);
    series[i].baseline_end = baseline_runs;
    for (std::size_t run = 0; run < runs; ++run)
      series[i].values.push_back(100 * std::exp(noise.next()) * (i % 20 == 0 && run >= 700 ? 1.05 : 1));
  }
  const std::span<const RunSeries> all(series);
  std::printf(
      "### Scan of %zu metrics × %zu runs, every twentieth 5 %% slower since run 700, %u threads\n\n| method | seconds "
      "| regressed |\n| "
      "--- | --- | --- |\n",
      metrics, runs, std::thread::hardware_concurrency());
  const auto timed = [&](const auto& detector) {
    std::vector<RegressionJudgment> judgments;
    const double seconds = seconds_of([&] { judgments = scan_regressions(all, detector); });
    const auto found = std::count_if(judgments.begin(), judgments.end(), [](const RegressionJudgment& judgment) {
      return judgment.verdict == RegressionVerdict::regressed;
    });
    std::printf("| %s | %.3f | %td |\n", detector.name().c_str(), seconds, found);
    std::fflush(stdout);
  };
  timed(default_detector());
  timed(CusumDetector{});
  timed(EwmaDetector{});
  timed(PredictionIntervalDetector{});
  timed(EDivisiveDetector{});
  timed(PeltDetector{});
  std::printf("\n");
}

}  // namespace

int main(int count, char** arguments) {
  std::size_t series = 400;
  std::uint64_t seed = 1;
  std::string part, only;
  for (int i = 1; i + 1 < count; i += 2) {
    if (std::strcmp(arguments[i], "--series") == 0)
      series = std::strtoull(arguments[i + 1], nullptr, 10);
    else if (std::strcmp(arguments[i], "--only") == 0)
      only = arguments[i + 1];
    else if (std::strcmp(arguments[i], "--seed") == 0)
      seed = std::strtoull(arguments[i + 1], nullptr, 10);
    else if (std::strcmp(arguments[i], "--part") == 0)
      part = arguments[i + 1];
  }
  if (part.empty() || part == "simulation") print_simulation(series, seed, only);
  if (part.empty() || part == "nights") print_nights(seed);
  if (part.empty() || part == "scan") print_scan(seed);
  return 0;
}
