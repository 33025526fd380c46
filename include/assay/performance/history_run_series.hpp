#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/performance/history.hpp"
#include "assay/performance/run_series.hpp"
#include "assay/statistics/order_statistics.hpp"

namespace assay {

/// Which runs of a history are its frozen baseline: those with a label of that value ("version" = "1.4.0"), or the oldest ones.
struct BaselineChoice {
  std::string label;            ///< empty: the oldest
  std::string value;
  std::size_t oldest_runs = 30;
};

/// The history of one metric as a detector takes it: the median of each run's samples, oldest first. Runs without usable samples are left out.
/// O(samples + runs·log runs).
/// Error `not_found`: no run has that label and value, or the series is empty. Error `invalid`: other runs stand between those of the baseline, which is then no release.
[[nodiscard]] inline Result<RunSeries> run_series_of(const History& history, const HistorySeries& of, const BaselineChoice& choice = {},
                                                     SeriesOrder order = SeriesOrder::time) {
  RunSeries series;
  series.name = of.key;
  series.direction = of.direction;
  std::vector<std::size_t> chosen;
  for (const std::size_t index : history.ordered(of, order)) {
    const SeriesPoint& point = of.points[index];
    if (point.samples.empty() || !are_samples(point.samples)) continue;
    if (!choice.label.empty() && history.runs[point.run].label(choice.label) == choice.value) chosen.push_back(series.values.size());
    series.values.push_back(median(point.samples));
  }
  if (series.values.empty()) return failure(ErrorKind::not_found, "the series '" + of.key + "' has no runs with usable samples");
  if (choice.label.empty()) {
    series.baseline_end = choice.oldest_runs < series.values.size() ? choice.oldest_runs : series.values.size();
    return series;
  }
  if (chosen.empty())
    return failure(ErrorKind::not_found, "no run of the series '" + of.key + "' has the label " + choice.label + " = '" + choice.value + "'; name a release that was measured");
  series.baseline_begin = chosen.front();
  series.baseline_end = chosen.back() + 1;
  if (series.baseline_end - series.baseline_begin != chosen.size())
    return failure(ErrorKind::invalid, "other runs of the series '" + of.key + "' stand between those with the label " + choice.label + " = '" + choice.value +
                                           "'; put them in order by version, or name a label of consecutive runs");
  return series;
}

}  // namespace assay
