#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "assay/core/detail/stable_sort.hpp"
#include "assay/performance/history.hpp"
#include "assay/release/dashboard_options.hpp"
#include "assay/statistics/detail/samples.hpp"
#include "assay/statistics/e_divisive.hpp"
#include "assay/statistics/order_statistics.hpp"

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

[[nodiscard]] inline std::string run_label(const RunOrigin& origin) {
  if (const std::string version = origin.label("version"); !version.empty()) return version;
  if (const std::string commit = origin.label("commit"); !commit.empty()) return commit.substr(0, 10);
  return utc_time_text(origin.time).substr(0, 10);
}

/// By what share `to` is worse than `from`; 0 where no share can be told.
[[nodiscard]] inline double relative_worsening(const HistorySeries& series, double from, double to) {
  if (!(std::fabs(from) > 0)) return 0;
  const double change = (to - from) / std::fabs(from);
  const double worse = series.direction == Direction::lower_is_better ? change : -change;
  return std::isfinite(worse) ? worse : 0;
}

/// Levels between steps, steps of less than the minimum effect joined, the smallest first.
inline void find_levels(Trend& trend, std::vector<std::size_t> cuts, double minimum_effect) {
  std::vector<double> medians;
  for (const TrendPoint& point : trend.points) medians.push_back(point.median);
  for (;;) {
    trend.levels.clear();
    trend.steps.clear();
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= cuts.size(); ++i) {
      const std::size_t end = i < cuts.size() ? cuts[i] : medians.size();
      trend.levels.push_back(median(std::span(medians).subspan(begin, end - begin)));
      if (i > 0) trend.steps.push_back({begin, relative_worsening(*trend.series, trend.levels[i - 1], trend.levels[i])});
      begin = end;
    }
    const auto least = std::min_element(trend.steps.begin(), trend.steps.end(), [](const TrendStep& left, const TrendStep& right) {
      return std::fabs(left.worsening) < std::fabs(right.worsening);
    });
    if (least == trend.steps.end() || std::fabs(least->worsening) >= minimum_effect) break;
    cuts.erase(cuts.begin() + (least - trend.steps.begin()));
  }
  trend.worsening = relative_worsening(*trend.series, trend.levels.front(), trend.levels.back());
}

/// The trend of a series. One without a single number has no points.
[[nodiscard]] inline Trend trend_of(const History& history, const HistorySeries& series, const DashboardOptions& options) {
  Trend trend;
  trend.series = &series;
  std::vector<double> medians;
  for (const std::size_t index : history.ordered(series, options.order)) {
    const SeriesPoint& point = series.points[index];
    if (point.samples.empty() || !are_samples(point.samples)) {
      ++trend.left_out;
      continue;
    }
    const auto [low, high] = std::minmax_element(point.samples.begin(), point.samples.end());
    trend.points.push_back({run_label(history.runs[point.run]), median(point.samples), *low, *high, point.samples.size()});
    medians.push_back(trend.points.back().median);
  }
  if (medians.empty()) return trend;
  std::vector<std::size_t> cuts;
  for (const ChangePoint& found : e_divisive(medians, options.change_points)) cuts.push_back(found.position);
  find_levels(trend, std::move(cuts), options.minimum_effect);
  return trend;
}

/// All trends, the worst first. O(series · runs · log runs · permutations) at worst.
[[nodiscard]] inline std::vector<Trend> trends_of(const History& history, const DashboardOptions& options) {
  std::vector<Trend> trends;
  trends.reserve(history.series.size());
  for (const HistorySeries& series : history.series) trends.push_back(trend_of(history, series, options));
  detail::stable_sort(trends, [](const Trend& left, const Trend& right) {
    if (left.steps.empty() != right.steps.empty()) return !left.steps.empty();
    return left.worsening > right.worsening;
  });
  return trends;
}

}  // namespace assay::inline v0::detail
