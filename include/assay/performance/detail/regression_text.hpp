#pragma once

#include <cmath>
#include <string>

#include "assay/core/printed_number.hpp"
#include "assay/performance/regression_judgment.hpp"
#include "assay/performance/regression_options.hpp"

namespace assay::inline v0::detail {

/// "2.1 %", with two digits that count.
[[nodiscard]] inline std::string percent_text(double share) {
  return printed_number(share * 100, std::abs(share) < 0.0995 ? 2 : 3) + " %";
}

/// "2.1 % worse", "0.3 % better".
[[nodiscard]] inline std::string change_text(double worsening) {
  return percent_text(std::abs(worsening)) + (worsening < 0 ? " better" : " worse");
}

/// The sentence that goes with a verdict of `judge_regression`.
[[nodiscard]] std::string reason_of(const RegressionJudgment& judgment, const RegressionOptions& options);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/performance/detail/regression_text.ipp"
#endif
