#pragma once

#include "assay/performance/detail/last_segment.hpp"

#include <span>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE RegressionJudgement judge_last_segment(const RunSeries& series, std::optional<std::size_t> change_point,
                                                                  const RegressionOptions& options, const std::string& method) {
  if (change_point && *change_point < series.baseline_end) change_point.reset();
  const std::size_t begin = change_point.value_or(series.baseline_end);
  RegressionJudgement judgement = judge_regression(series.baseline(), std::span(series.values).subspan(begin), series.direction, options);
  judgement.method = method;
  if (judgement.verdict == RegressionVerdict::not_regressed) return judgement;
  if (change_point) {
    judgement.change_point = change_point;
    judgement.reason += "; since run " + std::to_string(begin);
  } else if (judgement.verdict == RegressionVerdict::regressed) {
    judgement.verdict = RegressionVerdict::rerun;
    judgement.reason += ", but the series has no change point since the baseline";
  }
  return judgement;
}

}  // namespace assay::inline v0::detail
