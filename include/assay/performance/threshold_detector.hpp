#pragma once

#include <cstddef>
#include <string>

#include "assay/performance/detail/oriented_samples.hpp"
#include "assay/performance/detail/regression_text.hpp"
#include "assay/performance/detail/series_fitness.hpp"
#include "assay/performance/regression_judgement.hpp"
#include "assay/performance/run_series.hpp"
#include "assay/statistics/order_statistics.hpp"

namespace assay::inline v0 {

/// What the newest run is held against.
enum class ThresholdReference {
  previous_run,  ///< what most tools do: 2 % a release add up to 26.8 % over twelve, below any threshold of 5 %
  baseline_median
};

/// The newest run is `regressed` if it is worse than its reference by more than a threshold. It knows nothing of noise: use it where a limit is promised to somebody, not to
/// find changes. O(n).
struct ThresholdDetector {
  double threshold = 0.05;  ///< relative; from 0 to below 1
  ThresholdReference reference = ThresholdReference::baseline_median;

  [[nodiscard]] std::string name() const {
    return detail::percent_text(threshold) +
           (reference == ThresholdReference::previous_run ? " over the previous run" : " over the baseline's median");
  }
  [[nodiscard]] RegressionJudgement judge(const RunSeries& series) const {
    expect(threshold >= 0 && threshold < 1, [] { return "ThresholdDetector::threshold is a share from 0 to below 1, 0.05 for 5 %"; });
    RegressionJudgement judgement = detail::begun_judgement(name(), series);
    judgement.reason = detail::why_unfit(series, 1, 1);
    if (!judgement.reason.empty()) return judgement;
    const double before =
        reference == ThresholdReference::previous_run ? series.values[series.values.size() - 2] : median(series.baseline());
    const double newest = series.values.back();
    judgement.reason = detail::why_unfit({&before, 1}, {&newest, 1});
    if (!judgement.reason.empty()) return judgement;
    const detail::OrientedSamples samples = detail::orient({&before, 1}, {&newest, 1}, series.direction);
    judgement.change = samples.worsening_of(samples.candidate[0] - samples.baseline[0]);
    judgement.verdict = judgement.change > threshold ? RegressionVerdict::regressed : RegressionVerdict::not_regressed;
    judgement.improved = judgement.change < -threshold;
    judgement.candidate_count = 1;
    judgement.reason = detail::change_text(judgement.change) + " in the newest run, " + detail::percent_text(threshold) + " allowed";
    return judgement;
  }
};

}  // namespace assay::inline v0
