#pragma once

#include "assay/release/detail/dashboard_trend.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string run_label(const RunOrigin& origin) {
  if (const std::string version = origin.label("version"); !version.empty()) return version;
  if (const std::string commit = origin.label("commit"); !commit.empty()) return commit.substr(0, 10);
  return utc_time_text(origin.time).substr(0, 10);
}

/// By what share `to` is worse than `from`; 0 where no share can be told.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE double relative_worsening(const HistorySeries& series, double from,
                                                                   double to) {
  if (!(std::fabs(from) > 0)) return 0;
  const double change = (to - from) / std::fabs(from);
  const double worse = series.direction == Direction::lower_is_better ? change : -change;
  return std::isfinite(worse) ? worse : 0;
}

/// Levels between steps, steps of less than the minimum effect joined, the smallest first.
ASSAY_DETAIL_HEADER_INLINE void find_levels(Trend& trend, std::vector<std::size_t> cuts, double minimum_effect) {
  std::vector<double> medians;
  for (const TrendPoint& point : trend.points) medians.push_back(point.median);
  for (;;) {
    trend.levels.clear();
    trend.steps.clear();
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= cuts.size(); ++i) {
      const std::size_t end = i < cuts.size() ? cuts[i] : medians.size();
      trend.levels.push_back(median(std::span(medians).subspan(begin, end - begin)));
      if (i > 0)
        trend.steps.push_back({begin, relative_worsening(*trend.series, trend.levels[i - 1], trend.levels[i])});
      begin = end;
    }
    const auto least =
        std::min_element(trend.steps.begin(), trend.steps.end(), [](const TrendStep& left, const TrendStep& right) {
          return std::fabs(left.worsening) < std::fabs(right.worsening);
        });
    if (least == trend.steps.end() || std::fabs(least->worsening) >= minimum_effect) break;
    cuts.erase(cuts.begin() + (least - trend.steps.begin()));
  }
  trend.worsening = relative_worsening(*trend.series, trend.levels.front(), trend.levels.back());
}

ASSAY_DETAIL_HEADER_INLINE Trend trend_of(const History& history, const HistorySeries& series,
                                          const DashboardOptions& options) {
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
    trend.points.push_back(
        {run_label(history.runs[point.run]), median(point.samples), *low, *high, point.samples.size()});
    medians.push_back(trend.points.back().median);
  }
  if (medians.empty()) return trend;
  std::vector<std::size_t> cuts;
  for (const ChangePoint& found : e_divisive(medians, options.change_points)) cuts.push_back(found.position);
  find_levels(trend, std::move(cuts), options.minimum_effect);
  return trend;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<Trend> trends_of(const History& history, const DashboardOptions& options) {
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
