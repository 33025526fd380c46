#pragma once

#include "assay/performance/detail/last_segment.hpp"

#include <span>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE RegressionJudgment judge_last_segment(const RunSeries& series,
                                                                 std::optional<std::size_t> change_point,
                                                                 const RegressionOptions& options,
                                                                 const std::string& method) {
  if (change_point && *change_point < series.baseline_end) change_point.reset();
  const std::size_t begin = change_point.value_or(series.baseline_end);
  RegressionJudgment judgment =
      judge_regression(series.baseline(), std::span(series.values).subspan(begin), series.direction, options);
  judgment.method = method;
  if (judgment.verdict == RegressionVerdict::not_regressed) return judgment;
  if (change_point) {
    judgment.change_point = change_point;
    judgment.reason += "; since run " + std::to_string(begin);
  } else if (judgment.verdict == RegressionVerdict::regressed) {
    judgment.verdict = RegressionVerdict::rerun;
    judgment.reason += ", but the series has no change point since the baseline";
  }
  return judgment;
}

}  // namespace assay::inline v0::detail
