#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/performance/detail/regression_text.hpp"
#include "assay/performance/detail/series_fitness.hpp"
#include "assay/performance/regression.hpp"
#include "assay/performance/regression_judgment.hpp"
#include "assay/performance/regression_options.hpp"
#include "assay/performance/run_series.hpp"
#include "assay/statistics/autocorrelation.hpp"
#include "assay/statistics/e_divisive.hpp"

namespace assay::inline v0 {

/// The newest runs, as many as a window holds, against the frozen baseline by `judge_regression`. With a minimum effect
/// of 0 this is the test of Mann and Whitney; with `ShiftMethod::bootstrap_median` the bootstrap. The baseline stays,
/// so that drift adds up; the verdict is three-way, and tells how many more runs would settle it.
///
/// Of several windows the short ones see a large step after a few runs, and the long ones a small one at all. They
/// share the error (Bonferroni: each has the confidence 1 − (1 − confidence)/windows): `regressed` if any of them says
/// so; `not_regressed` if the longest does and no other so much as estimates more than the minimum effect. The interval
/// told is that of the window that decided. Where `regressed`, the change point is the split with the largest energy
/// statistic since the baseline. O(windows · what `judge_regression` takes), with n log n for the change point.
struct ShiftDetector {
  std::vector<std::size_t> windows{
      10};  ///< in runs, ascending; those longer than the history since the baseline hold all of that
  bool autocorrelated =
      true;  ///< the interval is widened by the `variance_inflation` of the baseline; for Hodges and Lehmann's
  RegressionOptions options;  ///< `variance_inflation` is set by the detector

  [[nodiscard]] std::string name() const;

  [[nodiscard]] RegressionJudgment judge(const RunSeries& series) const;

 private:
  /// What each window says, shortest first.
  [[nodiscard]] std::vector<RegressionJudgment> judged_by_windows(const RunSeries& series) const;

  [[nodiscard]] RegressionJudgment decided(std::vector<RegressionJudgment> said, std::string method) const;

  [[nodiscard]] static std::size_t where_changed(const RunSeries& series) {
    const std::span<const double> all = std::span(series.values).subspan(series.baseline_begin);
    const std::size_t split = largest_energy_split(all, 1).position + series.baseline_begin;
    return std::max(split, series.baseline_end);
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/shift_detector.ipp"
#endif
