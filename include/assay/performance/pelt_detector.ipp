#pragma once

#include "assay/performance/pelt_detector.hpp"

#include <cmath>
#include <optional>
#include <span>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE RegressionJudgment PeltDetector::judge(const RunSeries& series) const {
  RegressionJudgment judgment = detail::begun_judgment(name(), series);
  judgment.reason = detail::why_unfit(series, 2, 1);
  if (!judgment.reason.empty()) return judgment;
  const std::span<const double> all = std::span(series.values).subspan(series.baseline_begin);
  PeltOptions own = segments;
  RegressionOptions own_options = options;
  if (autocorrelated) {
    own_options.variance_inflation = variance_inflation(series.baseline());
    if (!own.penalty)
      own.penalty = (own.cost == NormalCost::mean ? 2 : 3) * std::log(static_cast<double>(all.size())) *
                    own_options.variance_inflation;
  }
  const std::vector<std::size_t> found = pelt(all, own);
  return detail::judge_last_segment(
      series, found.empty() ? std::nullopt : std::optional(series.baseline_begin + found.back()), own_options, name());
}

}  // namespace assay::inline v0
