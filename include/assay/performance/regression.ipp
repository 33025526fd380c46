#pragma once

#include "assay/performance/regression.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE void check_regression_options(const RegressionOptions& options) {
  expect(options.minimum_effect >= 0 && options.minimum_effect < 1, [&] {
    return "RegressionOptions::minimum_effect is " + short_text(options.minimum_effect) +
           "; it is a share from 0 to below 1, 0.01 for 1 %";
  });
  expect_share(options.confidence, "RegressionOptions::confidence");
  expect(options.variance_inflation >= 1 && options.variance_inflation <= largest_sample,
         [] { return "RegressionOptions::variance_inflation is less than 1 or no number"; });
}

/// The interval of the shift of oriented samples.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE ShiftInterval oriented_shift(const OrientedSamples& samples,
                                                                      const RegressionOptions& options) {
  if (options.method == ShiftMethod::hodges_lehmann || !samples.logarithmic)
    return hodges_lehmann(samples.candidate, samples.baseline, {options.confidence, options.variance_inflation});
  const auto ratios = [](std::vector<double> values) {
    for (double& value : values) value = std::exp(value);
    return values;
  };
  const RatioInterval ratio = bootstrap_median_ratio(ratios(samples.baseline), ratios(samples.candidate),
                                                     {options.resamples, options.confidence, options.seed});
  return {std::log(ratio.estimate), std::log(ratio.lower), std::log(ratio.upper), false};
}

/// P of as much evidence of a worsening where nothing changed, by Mann and Whitney's test. Where values depend on one
/// another the candidate is moved back by as much as makes the test agree with the wider interval.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE double p_of_worsening(const OrientedSamples& samples, double estimate,
                                                               double inflation) {
  const double back = inflation == 1 ? 0 : estimate * (1 - 1 / std::sqrt(inflation));
  std::vector<double> moved = samples.candidate;
  for (double& value : moved) value -= back;
  return mann_whitney(moved, samples.baseline).p_greater;
}

/// How many more samples on each side bring the interval's nearer limit to `allowed`, its length shrinking as 1/√n. 0:
/// too many to be of use.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::size_t more_samples_needed(const ShiftInterval& shift, double allowed,
                                                                         std::size_t fewest, double confidence) {
  constexpr double most = 10000;
  if (std::isinf(shift.lower) || std::isinf(shift.upper)) {
    std::size_t enough = fewest + 1;
    while (enough < 30 && differences_cut_off(enough, enough, (1 - confidence) / 2, true) == 0) ++enough;
    return enough - fewest;
  }
  const double reach = shift.estimate > allowed ? shift.estimate - shift.lower : shift.upper - shift.estimate;
  const double distance = std::abs(shift.estimate - allowed);
  const double factor = distance > 0 ? reach / distance : most;
  const double more = std::ceil(static_cast<double>(fewest) * (factor * factor * 1.1 - 1));
  return more > most ? 0 : static_cast<std::size_t>(std::max(more, 1.0));
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE RegressionJudgment judge_regression(std::span<const double> baseline,
                                                               std::span<const double> candidate, Direction direction,
                                                               const RegressionOptions& options) {
  detail::check_regression_options(options);
  RegressionJudgment judgment;
  judgment.method =
      options.method == ShiftMethod::hodges_lehmann ? "Hodges-Lehmann shift" : "bootstrap of the medians' ratio";
  judgment.baseline_count = baseline.size();
  judgment.candidate_count = candidate.size();
  if (std::string unfit = detail::why_unfit(baseline, candidate); !unfit.empty()) {
    judgment.reason = std::move(unfit);
    return judgment;
  }
  const detail::OrientedSamples samples = detail::orient(baseline, candidate, direction);
  const double allowed = samples.shift_of(options.minimum_effect);
  const ShiftInterval shift = detail::oriented_shift(samples, options);
  judgment.change = samples.worsening_of(shift.estimate);
  judgment.lower = samples.worsening_of(shift.lower);
  judgment.upper = samples.worsening_of(shift.upper);
  judgment.p_value = detail::p_of_worsening(samples, shift.estimate, options.variance_inflation);
  if (shift.lower > allowed)
    judgment.verdict = RegressionVerdict::regressed;
  else if (shift.upper <= allowed)
    judgment.verdict = RegressionVerdict::not_regressed;
  else
    judgment.more_samples =
        detail::more_samples_needed(shift, allowed, std::min(baseline.size(), candidate.size()), options.confidence);
  judgment.improved = shift.upper < samples.shift_of(-options.minimum_effect);
  judgment.reason = detail::reason_of(judgment, options);
  return judgment;
}

}  // namespace assay::inline v0
