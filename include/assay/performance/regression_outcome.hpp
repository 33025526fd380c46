#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/performance/regression_judgement.hpp"
#include "assay/performance/run_series.hpp"

namespace assay::inline v0 {

/// Names of the measurements of a regression's outcome, for policies of gates and for reports. Changes are in percent, worse is positive.
namespace measurement {
inline constexpr const char* regression_percent = "regression_percent";              ///< the estimate
inline constexpr const char* regression_lower_percent = "regression_lower_percent";  ///< of the interval; absent where it has no end
/// Upper limit of the change, in percent, worse positive.
inline constexpr const char* regression_upper_percent = "regression_upper_percent";
inline constexpr const char* regression_p_value = "regression_p_value";  ///< after a scan: adjusted for the number of metrics
inline constexpr const char* baseline_runs = "baseline_runs";            ///< values compared
inline constexpr const char* candidate_runs = "candidate_runs";          ///< runs of the candidate
inline constexpr const char* more_runs = "more_runs";                    ///< that might settle what is undecided
inline constexpr const char* change_point = "change_point";              ///< the first run of the new level, from 0
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

/// What a gate and a report read: "regression/<name>" with the verdict fail, pass or inconclusive, the judgement's sentence as the reason, and its numbers as measurements.
/// Labels: "operation" is "regression", "metric" the name, "method", and "change": "worse", "better", "none" or "unknown".
[[nodiscard]] inline Outcome regression_outcome(const std::string& name, const RegressionJudgement& judgement) {
  Outcome outcome;
  outcome.id = "regression/" + name;
  outcome.verdict = verdict_of(judgement.verdict);
  outcome.reason = judgement.reason;
  const bool undecided = judgement.verdict == RegressionVerdict::rerun;
  outcome.labels = {{"operation", "regression"},
                    {"metric", name},
                    {"method", judgement.method},
                    {"change", undecided                                           ? "unknown"
                               : judgement.verdict == RegressionVerdict::regressed ? "worse"
                               : judgement.improved                                ? "better"
                                                                                   : "none"}};
  const auto measured = [&](const char* what, double value, const char* unit) {
    if (std::isfinite(value)) outcome.measure(what, value, unit);
  };
  if (judgement.baseline_count > 0 && judgement.candidate_count > 0) measured(measurement::regression_percent, 100 * judgement.change, "%");
  measured(measurement::regression_lower_percent, 100 * judgement.lower, "%");
  measured(measurement::regression_upper_percent, 100 * judgement.upper, "%");
  if (judgement.p_value) measured(measurement::regression_p_value, *judgement.p_value, "1");
  measured(measurement::baseline_runs, static_cast<double>(judgement.baseline_count), "runs");
  measured(measurement::candidate_runs, static_cast<double>(judgement.candidate_count), "runs");
  if (judgement.more_samples > 0) measured(measurement::more_runs, static_cast<double>(judgement.more_samples), "runs");
  if (judgement.change_point) measured(measurement::change_point, static_cast<double>(*judgement.change_point), "run");
  return outcome;
}

/// The same with the series itself, for charts; of at most the newest `most_points` runs.
[[nodiscard]] inline Outcome regression_outcome(const RunSeries& series, const RegressionJudgement& judgement,
                                                std::size_t most_points = 500) {
  Outcome outcome = regression_outcome(series.name, judgement);
  Series chart{"history of " + series.name, "run", "value", {}};
  const std::size_t begin = series.values.size() > most_points ? series.values.size() - most_points : 0;
  for (std::size_t run = begin; run < series.values.size(); ++run) chart.points.emplace_back(static_cast<double>(run), series.values[run]);
  if (!chart.points.empty()) outcome.series.push_back(std::move(chart));
  return outcome;
}

}  // namespace assay::inline v0
