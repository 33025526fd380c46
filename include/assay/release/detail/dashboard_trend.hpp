#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "assay/core/stable_sort.hpp"
#include "assay/performance/history.hpp"
#include "assay/release/dashboard_options.hpp"
#include "assay/statistics/e_divisive.hpp"
#include "assay/statistics/order_statistics.hpp"
#include "assay/statistics/samples.hpp"

namespace assay::inline v0::detail {

/// One run of a metric.
struct TrendPoint {
  std::string label;  ///< the version, or the day
  double median = 0, low = 0, high = 0;
  std::size_t samples = 0;
};

/// Where a metric took another level.
struct TrendStep {
  std::size_t position = 0;  ///< the first point of the new level
  double worsening = 0;      ///< of its level against the one before, relative; negative: it got better
};

/// A metric over its runs, and the levels that it had.
struct Trend {
  const HistorySeries* series = nullptr;
  std::vector<TrendPoint> points;  ///< oldest first
  std::vector<TrendStep> steps;
  std::vector<double> levels;  ///< one more than steps
  double worsening = 0;        ///< of the last level against the first
  std::size_t left_out = 0;    ///< points that hold no numbers
};

/// The trend of a series. One without a single number has no points.
[[nodiscard]] Trend trend_of(const History& history, const HistorySeries& series, const DashboardOptions& options);

/// All trends, the worst first. O(series · runs · log runs · permutations) at worst.
[[nodiscard]] std::vector<Trend> trends_of(const History& history, const DashboardOptions& options);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/release/detail/dashboard_trend.ipp"
#endif
