#pragma once

#include "assay/performance/threshold_detector.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE RegressionJudgement ThresholdDetector::judge(const RunSeries& series) const {
  expect(threshold >= 0 && threshold < 1, [] { return "ThresholdDetector::threshold is a share from 0 to below 1, 0.05 for 5 %"; });
  RegressionJudgement judgement = detail::begun_judgement(name(), series);
  judgement.reason = detail::why_unfit(series, 1, 1);
  if (!judgement.reason.empty()) return judgement;
  const double before = reference == ThresholdReference::previous_run ? series.values[series.values.size() - 2] : median(series.baseline());
  const double newest = series.values.back();
  judgement.reason = detail::why_unfit({&before, 1}, {&newest, 1});
  if (!judgement.reason.empty()) return judgement;
  const detail::OrientedSamples samples = detail::orient({&before, 1}, {&newest, 1}, series.direction);
  judgement.change = samples.worsening_of(samples.candidate[0] - samples.baseline[0]);
  judgement.verdict = judgement.change > threshold ? RegressionVerdict::regressed : RegressionVerdict::not_regressed;
  judgement.improved = judgement.change < -threshold;
  judgement.candidate_count = 1;
  judgement.reason = detail::change_text(judgement.change) + " in the newest run, " + detail::percent_text(threshold) + " allowed";
  return judgement;
}

}  // namespace assay::inline v0
