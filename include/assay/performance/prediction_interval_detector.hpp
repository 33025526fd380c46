#pragma once

#include <cstddef>
#include <string>

#include "assay/performance/detail/oriented_samples.hpp"
#include "assay/performance/detail/regression_text.hpp"
#include "assay/performance/detail/series_fitness.hpp"
#include "assay/performance/regression_judgment.hpp"
#include "assay/performance/run_series.hpp"
#include "assay/statistics/prediction_interval.hpp"

namespace assay::inline v0 {

/// The newest run is `regressed` if it lies on the bad side of the interval that the frozen baseline predicts for one
/// run: false alarms are (1 − coverage)/2 a run, for normal noise. It sees single large changes at once, and small
/// lasting ones hardly ever. O(n). A leaf: component boost_math.
struct PredictionIntervalDetector {
  double coverage = 0.99;
  std::size_t baseline_runs = 5;  ///< fewer are too few

  [[nodiscard]] std::string name() const { return "prediction interval " + detail::percent_text(coverage); }
  [[nodiscard]] RegressionJudgment judge(const RunSeries& series) const;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/prediction_interval_detector.ipp"
#endif
