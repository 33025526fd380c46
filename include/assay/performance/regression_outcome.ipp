#pragma once

#include "assay/performance/regression_outcome.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Outcome regression_outcome(const std::string& name, const RegressionJudgment& judgment) {
  Outcome outcome;
  outcome.id = "regression/" + name;
  outcome.verdict = verdict_of(judgment.verdict);
  outcome.reason = judgment.reason;
  const bool undecided = judgment.verdict == RegressionVerdict::rerun;
  outcome.labels = {{"operation", "regression"},
                    {"metric", name},
                    {"method", judgment.method},
                    {"change", undecided                                          ? "unknown"
                               : judgment.verdict == RegressionVerdict::regressed ? "worse"
                               : judgment.improved                                ? "better"
                                                                                  : "none"}};
  const auto measured = [&](const char* what, double value, const char* unit) {
    if (std::isfinite(value)) outcome.measure(what, value, unit);
  };
  if (judgment.baseline_count > 0 && judgment.candidate_count > 0)
    measured(measurement::regression_percent, 100 * judgment.change, "%");
  measured(measurement::regression_lower_percent, 100 * judgment.lower, "%");
  measured(measurement::regression_upper_percent, 100 * judgment.upper, "%");
  if (judgment.p_value) measured(measurement::regression_p_value, *judgment.p_value, "1");
  measured(measurement::baseline_runs, static_cast<double>(judgment.baseline_count), "runs");
  measured(measurement::candidate_runs, static_cast<double>(judgment.candidate_count), "runs");
  if (judgment.more_samples > 0) measured(measurement::more_runs, static_cast<double>(judgment.more_samples), "runs");
  if (judgment.change_point) measured(measurement::change_point, static_cast<double>(*judgment.change_point), "run");
  return outcome;
}

ASSAY_DETAIL_HEADER_INLINE Outcome regression_outcome(const RunSeries& series, const RegressionJudgment& judgment,
                                                      std::size_t most_points) {
  Outcome outcome = regression_outcome(series.name, judgment);
  Series chart{"history of " + series.name, "run", "value", {}};
  const std::size_t begin = series.values.size() > most_points ? series.values.size() - most_points : 0;
  for (std::size_t run = begin; run < series.values.size(); ++run)
    chart.points.emplace_back(static_cast<double>(run), series.values[run]);
  if (!chart.points.empty()) outcome.series.push_back(std::move(chart));
  return outcome;
}

}  // namespace assay::inline v0
