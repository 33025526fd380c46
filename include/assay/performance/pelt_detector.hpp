#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "assay/performance/detail/last_segment.hpp"
#include "assay/performance/detail/series_fitness.hpp"
#include "assay/performance/regression_judgment.hpp"
#include "assay/performance/regression_options.hpp"
#include "assay/performance/run_series.hpp"
#include "assay/statistics/autocorrelation.hpp"
#include "assay/statistics/pelt.hpp"

namespace assay::inline v0 {

/// Change points of the series from its baseline on by `pelt`; the runs since the last one are held against the
/// baseline by `judge_regression`. Regressed takes both: a change point, and a shift of more than the minimum effect.
/// O(n) to O(n²).
struct PeltDetector {
  PeltOptions segments;  ///< what a change costs
  /// the penalty, if it is left to the detector, and the interval take account of the baseline's
  /// `variance_inflation`
  bool autocorrelated = true;
  RegressionOptions options;

  [[nodiscard]] std::string name() const {
    return "PELT, " + detail::percent_text(options.minimum_effect) + " allowed" +
           (autocorrelated ? ", autocorrelation allowed for" : "");
  }
  [[nodiscard]] RegressionJudgment judge(const RunSeries& series) const;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/pelt_detector.ipp"
#endif
