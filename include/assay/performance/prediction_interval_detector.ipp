#pragma once

#include "assay/performance/prediction_interval_detector.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE RegressionJudgement PredictionIntervalDetector::judge(const RunSeries& series) const {
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

}  // namespace assay::inline v0
