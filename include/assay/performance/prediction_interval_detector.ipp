#pragma once

#include "assay/performance/prediction_interval_detector.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE RegressionJudgment PredictionIntervalDetector::judge(const RunSeries& series) const {
  expect(baseline_runs >= 2,
         [] { return "PredictionIntervalDetector::baseline_runs is below 2 runs, which have no deviation"; });
  RegressionJudgment judgment = detail::begun_judgment(name(), series);
  judgment.reason = detail::why_unfit(series, baseline_runs, 1);
  if (judgment.reason.empty()) judgment.reason = detail::why_unfit(series.baseline(), series.since_baseline());
  if (!judgment.reason.empty()) return judgment;
  const detail::OrientedSamples samples = detail::orient(series.baseline(), series.since_baseline(), series.direction);
  const PredictionInterval interval = prediction_interval(samples.baseline, coverage);
  const double newest = samples.candidate.back(), level = (interval.lower + interval.upper) / 2;
  judgment.change = samples.worsening_of(newest - level);
  judgment.candidate_count = 1;
  judgment.verdict = newest > interval.upper ? RegressionVerdict::regressed : RegressionVerdict::not_regressed;
  judgment.improved = newest < interval.lower;
  judgment.reason = detail::change_text(judgment.change) + " in the newest run; up to " +
                    detail::percent_text(samples.worsening_of(interval.upper - level)) + " were to be expected";
  return judgment;
}

}  // namespace assay::inline v0
