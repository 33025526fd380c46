#pragma once

#include <cstddef>
#include <string>

#include "assay/performance/detail/regression_text.hpp"
#include "assay/performance/detail/series_fitness.hpp"
#include "assay/performance/regression_judgment.hpp"
#include "assay/performance/run_series.hpp"
#include "assay/statistics/z_score.hpp"

namespace assay::inline v0 {

/// The classic: the newest run is `regressed` if its z-score on the window of runs before it is too bad. Its weaknesses
/// stand at `z_score`: at two deviations on ten runs it accuses 4.5 % of all runs in which nothing changed, and it is
/// blind to drift. The window slides: the frozen baseline only says from where on runs are judged. O(n).
struct ZScoreDetector {
  std::size_t window = 10;
  double limit = 2;  ///< z beyond which a run is accused

  [[nodiscard]] std::string name() const {
    return "z-score " + detail::short_text(limit) + " on " + std::to_string(window) + " runs";
  }
  [[nodiscard]] RegressionJudgment judge(const RunSeries& series) const;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/z_score_detector.ipp"
#endif
