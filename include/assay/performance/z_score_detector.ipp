#pragma once

#include "assay/performance/z_score_detector.hpp"

#include <cmath>
#include <span>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE RegressionJudgment ZScoreDetector::judge(const RunSeries& series) const {
  expect(window >= 2, [] { return "ZScoreDetector::window is below 2 runs, which have no deviation"; });
  detail::expect_positive(limit, "ZScoreDetector::limit");
  RegressionJudgment judgment = detail::begun_judgment(name(), series);
  judgment.reason = detail::why_unfit(series, 1, 1);
  if (judgment.reason.empty() && series.values.size() <= window)
    judgment.reason = "the series has fewer runs than the window before its newest: measure more";
  if (!judgment.reason.empty()) return judgment;
  const std::span<const double> before = std::span(series.values).subspan(series.values.size() - 1 - window, window);
  const double z = z_score(before, series.values.back()) * (series.direction == Direction::lower_is_better ? 1 : -1);
  const double mean = moments_of(before).mean;
  if (mean != 0)
    judgment.change =
        (series.values.back() - mean) / std::abs(mean) * (series.direction == Direction::lower_is_better ? 1 : -1);
  judgment.baseline_count = window;
  judgment.candidate_count = 1;
  judgment.verdict = z > limit ? RegressionVerdict::regressed : RegressionVerdict::not_regressed;
  judgment.improved = z < -limit;
  judgment.reason = "the newest run lies " + detail::short_text(std::abs(z)) + " deviations on the " +
                    (z < 0 ? "better" : "worse") + " side of the " + std::to_string(window) + " before";
  return judgment;
}

}  // namespace assay::inline v0
