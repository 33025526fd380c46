#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "assay/performance/regression_judgment.hpp"
#include "assay/performance/run_series.hpp"
#include "assay/statistics/samples.hpp"

namespace assay::inline v0::detail {

[[nodiscard]] RegressionJudgment begun_judgment(std::string method, const RunSeries& series);

/// Why a detector that needs so many runs can say nothing of a series; empty if it can.
[[nodiscard]] std::string why_unfit(const RunSeries& series, std::size_t baseline_runs, std::size_t later_runs);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/performance/detail/series_fitness.ipp"
#endif
