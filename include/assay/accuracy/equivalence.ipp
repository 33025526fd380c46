#pragma once

#include "assay/accuracy/equivalence.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/statistics/rate_interval.hpp"
#include "assay/statistics/samples.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE void expect_claim(const EquivalenceClaim& claim) {
  expect(claim.margin > 0 && std::isfinite(claim.margin), [&] {
    return "the margin of an equivalence is " + printed_number(claim.margin) + "; it is positive and finite";
  });
  expect(claim.error_rate > 0 && claim.error_rate < 0.5, [] { return "an error rate lies between 0 and 0.5"; });
  expect_share(claim.power, "EquivalenceClaim::power");
}

ASSAY_DETAIL_HEADER_INLINE void conclude(EquivalenceJudgment& judgment, const EquivalenceClaim& claim,
                                         double deviation_of_sample, bool too_few) {
  const bool finite = std::isfinite(judgment.interval.estimate);
  judgment.verdict = too_few && finite ? Verdict::inconclusive : judge_equivalence(judgment.interval, claim.margin);
  if (std::isfinite(deviation_of_sample) && deviation_of_sample > 0)
    judgment.samples_needed = samples_for_margin(deviation_of_sample, claim);
  const auto number = [](double value) { return printed_number(value, 4); };
  const std::string interval = "the difference is " + number(judgment.interval.estimate) + ", between " +
                               number(judgment.interval.lower) + " and " + number(judgment.interval.upper) + " at " +
                               printed_number(100 * (1 - 2 * claim.error_rate), 3) + " % confidence";
  const std::string margin = "±" + number(claim.margin);
  switch (judgment.verdict) {
    case Verdict::pass: judgment.reason = interval + ": within " + margin; break;
    case Verdict::fail:
      judgment.reason =
          interval + (finite ? ": beyond " + margin : ": no finite difference, as within " + margin + " is");
      break;
    default:
      judgment.reason = interval + ": " + std::to_string(judgment.samples) + " samples do not decide " + margin;
      if (too_few)
        judgment.reason += "; fewer than " + std::to_string(fewest_to_resample) + " are too few to resample";
      else if (judgment.samples_needed > judgment.samples)
        judgment.reason += "; some " + std::to_string(judgment.samples_needed) + " would, if there is no difference";
  }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Verdict judge_equivalence(const DifferenceInterval& interval, double margin) {
  expect(margin > 0, [] { return "judge_equivalence() was given a margin that is not positive"; });
  if (!std::isfinite(interval.estimate)) return Verdict::fail;
  if (interval.lower >= -margin && interval.upper <= margin) return Verdict::pass;
  if (interval.lower > margin || interval.upper < -margin) return Verdict::fail;
  return Verdict::inconclusive;
}

ASSAY_DETAIL_HEADER_INLINE std::size_t samples_for_margin(double deviation, const EquivalenceClaim& claim) {
  detail::expect_claim(claim);
  const double z = detail::normal_quantile_of(1 - claim.error_rate) + detail::normal_quantile_of((1 + claim.power) / 2),
               root = z * deviation / claim.margin, samples = std::ceil(root * root);
  return samples < 1e18 ? static_cast<std::size_t>(std::max(samples, 1.0)) : static_cast<std::size_t>(1e18);
}

ASSAY_DETAIL_HEADER_INLINE EquivalenceJudgment compare_scores(const Score& candidate, const Score& baseline,
                                                              const EquivalenceClaim& claim,
                                                              const ResamplingOptions& given) {
  detail::expect_claim(claim);
  expect(candidate.name == baseline.name && candidate.convention == baseline.convention, [&] {
    return "scores of different metrics were compared: " + candidate.name + " (" + candidate.convention + ") and " +
           baseline.name + " (" + baseline.convention + ")";
  });
  expect(candidate.statistics.size() > 0 && candidate.of_sums != nullptr,
         [&] { return "the score " + candidate.name + " has no statistics by sample, which a paired test needs"; });
  ResamplingOptions options = given;
  options.confidence = 1 - 2 * claim.error_rate;
  EquivalenceJudgment judgment;
  judgment.samples = candidate.statistics.size();
  const auto count = static_cast<double>(judgment.samples);
  if (candidate.binary) {
    const Discordance pairs = discordance(candidate.statistics, baseline.statistics);
    judgment.interval = paired_proportion_interval(pairs, options.confidence);
    judgment.p_difference = mcnemar(pairs).exact;
    judgment.method = "Tango's interval, McNemar's exact test";
    const double differing = static_cast<double>(pairs.only_candidate + pairs.only_baseline) / count;
    detail::conclude(
        judgment, claim,
        std::sqrt(std::max(differing - judgment.interval.estimate * judgment.interval.estimate, 1 / count)), false);
    return judgment;
  }
  const MetricInterval resampled =
      paired_bootstrap(candidate.statistics, baseline.statistics, candidate.of_sums, options);
  judgment.interval = {resampled.estimate, resampled.lower, resampled.upper};
  judgment.p_difference = paired_permutation(candidate.statistics, baseline.statistics, candidate.of_sums, options);
  judgment.method = "paired bootstrap and permutation, " + std::to_string(options.resamples) + " resamples";
  detail::conclude(judgment, claim, resampled.deviation * std::sqrt(count),
                   judgment.samples < detail::fewest_to_resample);
  return judgment;
}

ASSAY_DETAIL_HEADER_INLINE EquivalenceJudgment compare_with_stated(const Score& candidate, double stated,
                                                                   const EquivalenceClaim& claim,
                                                                   const ResamplingOptions& given) {
  detail::expect_claim(claim);
  expect(candidate.statistics.size() > 0 && candidate.of_sums != nullptr,
         [&] { return "the score " + candidate.name + " has no statistics by sample, which an interval needs"; });
  ResamplingOptions options = given;
  options.confidence = 1 - 2 * claim.error_rate;
  EquivalenceJudgment judgment;
  judgment.samples = candidate.statistics.size();
  const auto count = static_cast<double>(judgment.samples);
  judgment.p_difference = std::nan("");
  if (candidate.binary) {
    const double right = candidate.statistics.sums()[0];
    const RateInterval rate = rate_interval(static_cast<std::uint64_t>(right), judgment.samples,
                                            detail::normal_quantile_of((1 + options.confidence) / 2));
    judgment.interval = {candidate.value - stated, rate.lower - stated, rate.upper - stated};
    judgment.method = "Wilson's interval; the stated value is taken as exact";
    detail::conclude(judgment, claim, std::sqrt(std::max(candidate.value * (1 - candidate.value), 1 / count)), false);
    return judgment;
  }
  const MetricInterval resampled = bootstrap_interval(candidate.statistics, candidate.of_sums, options);
  judgment.interval = {resampled.estimate - stated, resampled.lower - stated, resampled.upper - stated};
  judgment.method =
      "bootstrap, " + std::to_string(options.resamples) + " resamples; the stated value is taken as exact";
  detail::conclude(judgment, claim, resampled.deviation * std::sqrt(count),
                   judgment.samples < detail::fewest_to_resample);
  return judgment;
}

}  // namespace assay::inline v0
