#pragma once

#include "assay/performance/threshold_detector.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE RegressionJudgment ThresholdDetector::judge(const RunSeries& series) const {
  expect(threshold >= 0 && threshold < 1,
         [] { return "ThresholdDetector::threshold is a share from 0 to below 1, 0.05 for 5 %"; });
  RegressionJudgment judgment = detail::begun_judgment(name(), series);
  judgment.reason = detail::why_unfit(series, 1, 1);
  if (!judgment.reason.empty()) return judgment;
  const double before = reference == ThresholdReference::previous_run ? series.values[series.values.size() - 2]
                                                                      : median(series.baseline());
  const double newest = series.values.back();
  judgment.reason = detail::why_unfit({&before, 1}, {&newest, 1});
  if (!judgment.reason.empty()) return judgment;
  const detail::OrientedSamples samples = detail::orient({&before, 1}, {&newest, 1}, series.direction);
  judgment.change = samples.worsening_of(samples.candidate[0] - samples.baseline[0]);
  judgment.verdict = judgment.change > threshold ? RegressionVerdict::regressed : RegressionVerdict::not_regressed;
  judgment.improved = judgment.change < -threshold;
  judgment.candidate_count = 1;
  judgment.reason =
      detail::change_text(judgment.change) + " in the newest run, " + detail::percent_text(threshold) + " allowed";
  return judgment;
}

}  // namespace assay::inline v0
