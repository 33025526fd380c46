#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/performance/detail/regression_text.hpp"
#include "assay/performance/detail/series_fitness.hpp"
#include "assay/performance/regression.hpp"
#include "assay/performance/regression_judgement.hpp"
#include "assay/performance/regression_options.hpp"
#include "assay/performance/run_series.hpp"
#include "assay/statistics/autocorrelation.hpp"
#include "assay/statistics/e_divisive.hpp"

namespace assay::inline v0 {

/// The newest runs, as many as a window holds, against the frozen baseline by `judge_regression`. With a minimum effect of 0 this is the test of Mann and Whitney; with
/// `ShiftMethod::bootstrap_median` the bootstrap. The baseline stays, so that drift adds up; the verdict is three-way, and tells how many more runs would settle it.
///
/// Of several windows the short ones see a large step after a few runs, and the long ones a small one at all. They share the error (Bonferroni: each has the confidence
/// 1 − (1 − confidence)/windows): `regressed` if any of them says so; `not_regressed` if the longest does and no other so much as estimates more than the minimum effect.
/// The interval told is that of the window that decided. Where `regressed`, the change point is the split with the largest energy statistic since the baseline.
/// O(windows · what `judge_regression` takes), with n log n for the change point.
struct ShiftDetector {
  std::vector<std::size_t> windows{10};  ///< in runs, ascending; those longer than the history since the baseline hold all of that
  bool autocorrelated = true;            ///< the interval is widened by the `variance_inflation` of the baseline; for Hodges and Lehmann's
  RegressionOptions options;             ///< `variance_inflation` is set by the detector

  [[nodiscard]] std::string name() const {
    std::string method = options.method == ShiftMethod::bootstrap_median ? "bootstrap on "
                         : options.minimum_effect == 0                   ? "Mann-Whitney on "
                                                                         : "Hodges-Lehmann on ";
    for (const std::size_t window : windows) method += (window == windows.front() ? "" : "/") + std::to_string(window);
    return method + " runs, " + detail::percent_text(options.minimum_effect) + " allowed, " + detail::percent_text(options.confidence) +
           (autocorrelated ? ", autocorrelation allowed for" : "");
  }

  [[nodiscard]] RegressionJudgement judge(const RunSeries& series) const {
    expect(!windows.empty() && windows.front() >= 1 &&
               std::adjacent_find(windows.begin(), windows.end(), std::greater_equal<>()) == windows.end(),
           [] { return "ShiftDetector::windows are numbers of runs in ascending order, one at least"; });
    detail::check_regression_options(options);
    RegressionJudgement judgement = detail::begun_judgement(name(), series);
    judgement.reason = detail::why_unfit(series, 1, 1);
    if (!judgement.reason.empty()) return judgement;
    judgement = decided(judged_by_windows(series), name());
    if (judgement.verdict == RegressionVerdict::regressed) judgement.change_point = where_changed(series);
    return judgement;
  }

 private:
  /// What each window says, shortest first.
  [[nodiscard]] std::vector<RegressionJudgement> judged_by_windows(const RunSeries& series) const {
    const std::span<const double> later = series.since_baseline();
    std::vector<std::size_t> lengths;
    for (const std::size_t window : windows)
      if (lengths.empty() || lengths.back() < later.size()) lengths.push_back(std::min(window, later.size()));
    RegressionOptions own = options;
    own.confidence = 1 - (1 - options.confidence) / static_cast<double>(lengths.size());
    own.variance_inflation = autocorrelated && series.baseline().size() >= 2 ? variance_inflation(series.baseline()) : 1;
    std::vector<RegressionJudgement> said;
    for (const std::size_t length : lengths) said.push_back(judge_regression(series.baseline(), later.last(length), series.direction, own));
    return said;
  }

  [[nodiscard]] RegressionJudgement decided(std::vector<RegressionJudgement> said, std::string method) const {
    std::size_t chosen = said.size() - 1;
    std::optional<double> p_value;
    for (std::size_t i = said.size(); i-- > 0;) {
      if (said[i].verdict == RegressionVerdict::regressed &&
          (said[chosen].verdict != RegressionVerdict::regressed || said[i].lower > said[chosen].lower))
        chosen = i;
      if (said[i].p_value) p_value = std::min(p_value.value_or(1), *said[i].p_value * static_cast<double>(said.size()));
    }
    if (said[chosen].verdict == RegressionVerdict::not_regressed)
      for (std::size_t i = 0; i < said.size(); ++i)
        if (said[i].change > options.minimum_effect && said[i].verdict == RegressionVerdict::rerun) chosen = i;
    RegressionJudgement judgement = std::move(said[chosen]);
    judgement.p_value = p_value;
    judgement.method = std::move(method);
    return judgement;
  }

  [[nodiscard]] static std::size_t where_changed(const RunSeries& series) {
    const std::span<const double> all = std::span(series.values).subspan(series.baseline_begin);
    const std::size_t split = largest_energy_split(all, 1).position + series.baseline_begin;
    return std::max(split, series.baseline_end);
  }
};

}  // namespace assay::inline v0
