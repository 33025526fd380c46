#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/performance/detail/last_segment.hpp"
#include "assay/performance/detail/series_fitness.hpp"
#include "assay/performance/regression_judgment.hpp"
#include "assay/performance/regression_options.hpp"
#include "assay/performance/run_series.hpp"
#include "assay/statistics/e_divisive.hpp"

namespace assay::inline v0 {

/// Change points of the series from its baseline on by `e_divisive`; the runs since the last one are held against the
/// baseline by `judge_regression`. Regressed takes both: a change point, and a shift of more than the minimum effect.
/// O(n log n) for a series without change, × permutations for one with changes.
struct EDivisiveDetector {
  EDivisiveOptions splits;  ///< when a split counts
  RegressionOptions options;

  [[nodiscard]] std::string name() const {
    return "E-divisive p " + detail::short_text(splits.significance) + ", " +
           detail::percent_text(options.minimum_effect) + " allowed";
  }
  [[nodiscard]] RegressionJudgment judge(const RunSeries& series) const {
    RegressionJudgment judgment = detail::begun_judgment(name(), series);
    judgment.reason = detail::why_unfit(series, 1, 1);
    if (!judgment.reason.empty()) return judgment;
    const std::vector<ChangePoint> found = e_divisive(std::span(series.values).subspan(series.baseline_begin), splits);
    return detail::judge_last_segment(
        series, found.empty() ? std::nullopt : std::optional(series.baseline_begin + found.back().position), options,
        name());
  }
};

}  // namespace assay::inline v0
