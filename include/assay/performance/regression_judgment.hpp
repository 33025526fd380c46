#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>

#include "assay/performance/regression_verdict.hpp"

namespace assay::inline v0 {

/// What came of asking whether something got worse. Changes are relative to the baseline, worse is positive whichever
/// way the metric gets better: 0.03 is 3 % more seconds or 3 % less throughput.
struct RegressionJudgment {
  RegressionVerdict verdict = RegressionVerdict::rerun;
  bool improved = false;  ///< better by more than the minimum effect; the verdict is then `not_regressed`
  double change = 0;      ///< the estimate
  double lower = -std::numeric_limits<
      double>::infinity();  ///< of the interval; infinite where the method has none or the samples are too few
  double upper = std::numeric_limits<double>::infinity();  ///< of the interval of the change
  /// How likely as strong evidence of a worsening is where nothing changed; empty where the method has none.
  std::optional<double> p_value;
  std::size_t baseline_count = 0;   ///< values compared
  std::size_t candidate_count = 0;  ///< values of the candidate
  std::size_t more_samples =
      0;  ///< of `rerun`: how many more on each side might settle it; 0 if that is unknown, or hopeless
  std::optional<std::size_t> change_point;  ///< of a series: the first run of the new level
  std::string method;                       ///< the test that was made, in words
  std::string reason;                       ///< one sentence; never empty
};

}  // namespace assay::inline v0
