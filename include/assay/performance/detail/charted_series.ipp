#pragma once

#include "assay/performance/detail/charted_series.hpp"

#include <algorithm>
#include <span>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE RegressionJudgment begun_chart(std::string method, const RunSeries& series,
                                                          std::size_t baseline_runs) {
  RegressionJudgment judgment = begun_judgment(std::move(method), series);
  expect(baseline_runs >= 2, [] { return "baseline_runs of a chart is below 2 runs, which have no deviation"; });
  judgment.reason = why_unfit(series, baseline_runs, 1);
  if (judgment.reason.empty()) judgment.reason = why_unfit(series.baseline(), series.since_baseline());
  return judgment;
}

ASSAY_DETAIL_HEADER_INLINE RegressionJudgment charted(RegressionJudgment judgment, const RunSeries& series, bool risen,
                                                      bool fallen, std::size_t start) {
  const std::span<const double> later = series.since_baseline();
  start = risen || fallen ? std::min(start, later.size() - 1) : 0;
  const double before = median(series.baseline()), after = median(later.subspan(start));
  if (before != 0) judgment.change = worsening(series.direction, before > 0 ? after / before : 2 - after / before);
  judgment.candidate_count = later.size() - start;
  judgment.verdict = risen ? RegressionVerdict::regressed : RegressionVerdict::not_regressed;
  judgment.improved = fallen && !risen;
  if (risen) judgment.change_point = series.baseline_end + start;
  judgment.reason = risen ? "the chart left its limit: " + change_text(judgment.change) + " since run " +
                                std::to_string(series.baseline_end + start)
                          : "the chart keeps its limit: " + change_text(judgment.change) + " over " +
                                std::to_string(judgment.candidate_count) + " runs";
  return judgment;
}

}  // namespace assay::inline v0::detail
