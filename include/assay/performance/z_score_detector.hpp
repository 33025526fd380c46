#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>

#include "assay/performance/detail/regression_text.hpp"
#include "assay/performance/detail/series_fitness.hpp"
#include "assay/performance/regression_judgement.hpp"
#include "assay/performance/run_series.hpp"
#include "assay/statistics/z_score.hpp"

namespace assay::inline v0 {

/// The classic: the newest run is `regressed` if its z-score on the window of runs before it is too bad. Its weaknesses stand at `z_score`: at two deviations on ten runs it
/// accuses 4.5 % of all runs in which nothing changed, and it is blind to drift. The window slides: the frozen baseline only says from where on runs are judged. O(n).
struct ZScoreDetector {
  std::size_t window = 10;
  double limit = 2;  ///< z beyond which a run is accused

  [[nodiscard]] std::string name() const { return "z-score " + detail::short_text(limit) + " on " + std::to_string(window) + " runs"; }
  [[nodiscard]] RegressionJudgement judge(const RunSeries& series) const {
    expect(window >= 2, [] { return "ZScoreDetector::window is below 2 runs, which have no deviation"; });
    detail::expect_positive(limit, "ZScoreDetector::limit");
    RegressionJudgement judgement = detail::begun_judgement(name(), series);
    judgement.reason = detail::why_unfit(series, 1, 1);
    if (judgement.reason.empty() && series.values.size() <= window)
      judgement.reason = "the series has fewer runs than the window before its newest: measure more";
    if (!judgement.reason.empty()) return judgement;
    const std::span<const double> before = std::span(series.values).subspan(series.values.size() - 1 - window, window);
    const double z = z_score(before, series.values.back()) * (series.direction == Direction::lower_is_better ? 1 : -1);
    const double mean = moments_of(before).mean;
    if (mean != 0)
      judgement.change = (series.values.back() - mean) / std::abs(mean) * (series.direction == Direction::lower_is_better ? 1 : -1);
    judgement.baseline_count = window;
    judgement.candidate_count = 1;
    judgement.verdict = z > limit ? RegressionVerdict::regressed : RegressionVerdict::not_regressed;
    judgement.improved = z < -limit;
    judgement.reason = "the newest run lies " + detail::short_text(std::abs(z)) + " deviations on the " + (z < 0 ? "better" : "worse") +
                       " side of the " + std::to_string(window) + " before";
    return judgement;
  }
};

}  // namespace assay::inline v0
