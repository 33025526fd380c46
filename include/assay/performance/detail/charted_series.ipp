#pragma once

#include "assay/performance/detail/charted_series.hpp"

#include <algorithm>
#include <span>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE RegressionJudgement begun_chart(std::string method, const RunSeries& series, std::size_t baseline_runs) {
  RegressionJudgement judgement = begun_judgement(std::move(method), series);
  expect(baseline_runs >= 2, [] { return "baseline_runs of a chart is below 2 runs, which have no deviation"; });
  judgement.reason = why_unfit(series, baseline_runs, 1);
  if (judgement.reason.empty()) judgement.reason = why_unfit(series.baseline(), series.since_baseline());
  return judgement;
}

ASSAY_DETAIL_HEADER_INLINE RegressionJudgement charted(RegressionJudgement judgement, const RunSeries& series, bool risen, bool fallen,
                                                       std::size_t start) {
  const std::span<const double> later = series.since_baseline();
  start = risen || fallen ? std::min(start, later.size() - 1) : 0;
  const double before = median(series.baseline()), after = median(later.subspan(start));
  if (before != 0) judgement.change = worsening(series.direction, before > 0 ? after / before : 2 - after / before);
  judgement.candidate_count = later.size() - start;
  judgement.verdict = risen ? RegressionVerdict::regressed : RegressionVerdict::not_regressed;
  judgement.improved = fallen && !risen;
  if (risen) judgement.change_point = series.baseline_end + start;
  judgement.reason =
      risen
          ? "the chart left its limit: " + change_text(judgement.change) + " since run " + std::to_string(series.baseline_end + start)
          : "the chart keeps its limit: " + change_text(judgement.change) + " over " + std::to_string(judgement.candidate_count) + " runs";
  return judgement;
}

}  // namespace assay::inline v0::detail
