#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "assay/performance/detail/oriented_samples.hpp"
#include "assay/performance/detail/regression_text.hpp"
#include "assay/performance/detail/series_fitness.hpp"
#include "assay/performance/direction.hpp"
#include "assay/performance/regression_judgment.hpp"
#include "assay/performance/run_series.hpp"
#include "assay/statistics/order_statistics.hpp"

namespace assay::inline v0::detail {

/// The judgment that a chart begins with: with a reason where the series does not suit charts, whose frozen baseline
/// has fewer runs, or another fault.
[[nodiscard]] RegressionJudgment begun_chart(std::string method, const RunSeries& series, std::size_t baseline_runs);

/// What a chart's alarm, or its silence, becomes; the medians' change from run `start` on (of those since the baseline)
/// is told beside it.
[[nodiscard]] RegressionJudgment charted(RegressionJudgment judgment, const RunSeries& series, bool risen, bool fallen,
                                         std::size_t start);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/performance/detail/charted_series.ipp"
#endif
