#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/performance/detail/common_change.hpp"
#include "assay/performance/detail/series_doubt.hpp"
#include "assay/performance/history_baseline.hpp"
#include "assay/performance/regression_detector.hpp"
#include "assay/performance/regression_outcome.hpp"
#include "assay/performance/regression_scan.hpp"

namespace assay::inline v0 {

/// An outcome for every series of a history, in their order: whether its runs since the baseline are worse, by
/// `detector`, corrected for their number (`scan_regressions`). A series that has no run of the baseline is
/// `new_baseline`, never a pass.
///
/// Nor is a pass what is no evidence of the newest runs, however the baseline is named: a series that they left out
/// more often than it was before, and values that look as if nothing had been measured (0 s, samples below 0, more than
/// 97 % better), are `inconclusive`, with the reason and the label "doubt": "absent" or "suspicious". What speaks against comparing (another machine, notes of
/// measurements) is told as derivation. Where five series or more moved by one factor, nearly all that there are, that
/// is told once, as "regression/all series together", and each of them is `inconclusive`: what all share changed, the
/// machine for one. Labels of the newest run judged are the outcome's. O(what the detector takes of all series /
/// threads + runs · log runs). Misuse: as of `scan_regressions`.
template <RegressionDetector Detector>
[[nodiscard]] std::vector<Outcome> scan_history(const History& history, const HistoryBaseline& baseline,
                                                const Detector& detector, const RegressionScanOptions& options = {}) {
  std::vector<BaselinedSeries> chosen;
  std::vector<RunSeries> all;
  for (const HistorySeries& series : history.series) {
    chosen.push_back(baselined(history, series, baseline));
    all.push_back(chosen.back().series);
  }
  const std::vector<RegressionJudgment> judgments = scan_regressions(all, detector, options);

  const std::vector<std::size_t> places = detail::run_places(history, baseline.order);
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const HistorySeries& series = history.series[i];
    Outcome outcome = regression_outcome(all[i], judgments[i]);
    if (!outcome.series.empty()) outcome.series[0].y_label = "median, " + series.unit;
    outcome.labels["unit"] = series.unit;
    outcome.labels["direction"] = name_of(series.direction);
    if (!all[i].has_baseline()) {
      outcome.verdict = Verdict::new_baseline;
      outcome.reason = "no run of the baseline measured it; " + std::to_string(all[i].values.size()) + " runs did";
    }
    outcome.derivation = comparability(history, series, chosen[i]);
    if (!chosen[i].points.empty()) {
      const RunOrigin& newest = history.runs[series.points[chosen[i].points.back()].run];
      for (const auto& [name, value] : newest.labels) outcome.labels.emplace(name, value);
    }
    detail::doubt(outcome, "suspicious", detail::why_suspicious(series, chosen[i]));
    detail::doubt(outcome, "absent", detail::why_stale(history, series, chosen[i], places));
    outcomes.push_back(std::move(outcome));
  }
  detail::tell_common_change(outcomes);
  return outcomes;
}

}  // namespace assay::inline v0
