#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "assay/performance/history.hpp"
#include "assay/performance/run_series.hpp"
#include "assay/statistics/order_statistics.hpp"

namespace assay::inline v0 {

/// Which runs of a history later ones are held against.
struct HistoryBaseline {
  /// Runs with all of these labels, {{"version", "1.2"}}: a release that stays where it is. All runs after the first of
  /// them that lack one are judged.
  std::map<std::string, std::string> labels;
  /// Where no labels are given: so many runs before the newest, which slides along, and follows a drift that is slower.
  std::size_t runs = 30;
  std::size_t newest = 10;  ///< how many runs are judged then
  SeriesOrder order = SeriesOrder::time;
};

/// A series as detectors take it, with where its values come from.
struct BaselinedSeries {
  RunSeries series;                 ///< named by its key; the value of a run is the median of its samples
  std::vector<std::size_t> points;  ///< of each value: index into `HistorySeries::points`
};

/// O(n log n + samples). A series without runs of the baseline, or without later ones, has an empty baseline or nothing
/// since: detectors say so.
[[nodiscard]] BaselinedSeries baselined(const History& history, const HistorySeries& series,
                                        const HistoryBaseline& baseline);

/// What speaks against comparing both sides: "processor: A; later B" for what of environment and clocks was not the
/// same in baseline and later runs, and the notes of their points. Measured values among the clocks (frequencies,
/// counts) do not count. O(runs · members).
[[nodiscard]] std::vector<std::string> comparability(const History& history, const HistorySeries& series,
                                                     const BaselinedSeries& chosen);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/history_baseline.ipp"
#endif
