#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/performance/regression_judgment.hpp"
#include "assay/performance/run_series.hpp"

namespace assay::inline v0 {

/// Names of the measurements of a regression's outcome, for policies of gates and for reports. Changes are in percent,
/// worse is positive.
namespace measurement {
inline constexpr const char* regression_percent = "regression_percent";  ///< the estimate
inline constexpr const char* regression_lower_percent =
    "regression_lower_percent";  ///< of the interval; absent where it has no end
/// Upper limit of the change, in percent, worse positive.
inline constexpr const char* regression_upper_percent = "regression_upper_percent";
inline constexpr const char* regression_p_value =
    "regression_p_value";                                        ///< after a scan: adjusted for the number of metrics
inline constexpr const char* baseline_runs = "baseline_runs";    ///< values compared
inline constexpr const char* candidate_runs = "candidate_runs";  ///< runs of the candidate
inline constexpr const char* more_runs = "more_runs";            ///< that might settle what is undecided
inline constexpr const char* change_point = "change_point";      ///< the first run of the new level, from 0
}  // namespace measurement

/// The verdict of the outcome.
[[nodiscard]] constexpr Verdict verdict_of(RegressionVerdict verdict) noexcept {
  switch (verdict) {
    case RegressionVerdict::regressed: return Verdict::fail;
    case RegressionVerdict::not_regressed: return Verdict::pass;
    case RegressionVerdict::rerun: return Verdict::inconclusive;
  }
  return Verdict::inconclusive;
}

/// What a gate and a report read: "regression/<name>" with the verdict fail, pass or inconclusive, the judgment's
/// sentence as the reason, and its numbers as measurements. Labels: "operation" is "regression", "metric" the name,
/// "method", and "change": "worse", "better", "none" or "unknown".
[[nodiscard]] Outcome regression_outcome(const std::string& name, const RegressionJudgment& judgment);

/// The same with the series itself, for charts; of at most the newest `most_points` runs.
[[nodiscard]] Outcome regression_outcome(const RunSeries& series, const RegressionJudgment& judgment,
                                         std::size_t most_points = 500);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/regression_outcome.ipp"
#endif
