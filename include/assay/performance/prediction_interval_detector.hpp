#pragma once

#include <cstddef>
#include <string>

#include "assay/performance/detail/oriented_samples.hpp"
#include "assay/performance/detail/regression_text.hpp"
#include "assay/performance/detail/series_fitness.hpp"
#include "assay/performance/regression_judgement.hpp"
#include "assay/performance/run_series.hpp"
#include "assay/statistics/prediction_interval.hpp"

namespace assay::inline v0 {

/// The newest run is `regressed` if it lies on the bad side of the interval that the frozen baseline predicts for one run: false alarms are (1 − coverage)/2 a run, for normal noise.
/// It sees single large changes at once, and small lasting ones hardly ever. O(n). A leaf: component boost_math.
struct PredictionIntervalDetector {
  double coverage = 0.99;
  std::size_t baseline_runs = 5;  ///< fewer are too few

  [[nodiscard]] std::string name() const { return "prediction interval " + detail::percent_text(coverage); }
  [[nodiscard]] RegressionJudgement judge(const RunSeries& series) const {
    expect(baseline_runs >= 2, [] { return "PredictionIntervalDetector::baseline_runs is below 2 runs, which have no deviation"; });
    RegressionJudgement judgement = detail::begun_judgement(name(), series);
    judgement.reason = detail::why_unfit(series, baseline_runs, 1);
    if (judgement.reason.empty()) judgement.reason = detail::why_unfit(series.baseline(), series.since_baseline());
    if (!judgement.reason.empty()) return judgement;
    const detail::OrientedSamples samples = detail::orient(series.baseline(), series.since_baseline(), series.direction);
    const PredictionInterval interval = prediction_interval(samples.baseline, coverage);
    const double newest = samples.candidate.back(), level = (interval.lower + interval.upper) / 2;
    judgement.change = samples.worsening_of(newest - level);
    judgement.candidate_count = 1;
    judgement.verdict = newest > interval.upper ? RegressionVerdict::regressed : RegressionVerdict::not_regressed;
    judgement.improved = newest < interval.lower;
    judgement.reason = detail::change_text(judgement.change) + " in the newest run; up to " +
                       detail::percent_text(samples.worsening_of(interval.upper - level)) + " were to be expected";
    return judgement;
  }
};

}  // namespace assay::inline v0
