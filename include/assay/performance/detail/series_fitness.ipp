#pragma once

#include "assay/performance/detail/series_fitness.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE RegressionJudgment begun_judgment(std::string method, const RunSeries& series) {
  RegressionJudgment judgment;
  judgment.method = std::move(method);
  if (!series.has_baseline()) return judgment;
  judgment.baseline_count = series.baseline().size();
  judgment.candidate_count = series.since_baseline().size();
  return judgment;
}

ASSAY_DETAIL_HEADER_INLINE std::string why_unfit(const RunSeries& series, std::size_t baseline_runs,
                                                 std::size_t later_runs) {
  if (!series.has_baseline())
    return "the series has no baseline among its " + std::to_string(series.values.size()) +
           " runs: freeze that of a release";
  if (!are_samples(series.values)) {
    std::size_t run = 0;
    while (are_samples(std::span(series.values).subspan(run, 1))) ++run;
    return "run " + std::to_string(run) + " left " + short_text(series.values[run]) +
           ", no finite number up to 1e150: leave out runs that failed";
  }
  const std::size_t before = series.baseline().size(), after = series.since_baseline().size();
  if (before < baseline_runs)
    return "the baseline has " + std::to_string(before) + " of the " + std::to_string(baseline_runs) +
           " runs that this method needs: measure more of them";
  if (after < later_runs)
    return std::to_string(after) + " of the " + std::to_string(later_runs) +
           " runs that this method needs were measured since the baseline: measure more";
  return {};
}

}  // namespace assay::inline v0::detail
