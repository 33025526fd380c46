#pragma once

#include "assay/kernels/sampling/distribution.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE double divergence_limit(std::size_t bins, double risk) {
  const double wanted = -std::log(risk);
  if (bins < 2) return wanted;
  const double freedom = static_cast<double>(bins - 1);
  double low = freedom, high = freedom + 1;
  const auto exponent = [&](double t) { return t - freedom * (1 + std::log(t / freedom)); };
  while (exponent(high) < wanted) high *= 2;
  for (int step = 0; step < 60; ++step) (exponent((low + high) / 2) < wanted ? low : high) = (low + high) / 2;
  return high;
}

ASSAY_DETAIL_HEADER_INLINE SamplingRow SamplingRow::of(const SamplingProblem& problem, const Operand& logits, Index row,
                                                       const Arithmetic& arithmetic) {
  SamplingRow own;
  const double scale = problem.temperature > 0 ? 1 / problem.temperature : 1;
  for (Index token = 0; token < problem.vocabulary; ++token) {
    const double logit = logits.at(row, token);
    own.any_nan = own.any_nan || is_nan(logit);
    if (logit > -lowest_logit) own.tokens.push_back(token);
  }
  std::sort(own.tokens.begin(), own.tokens.end(), [&](Index a, Index b) {
    const double x = logits.at(row, a), y = logits.at(row, b);
    return x > y || (x == y && a < b);
  });
  for (const Index token : own.tokens) own.logits.push_back(logits.at(row, token) * scale);
  own.any_nan =
      own.any_nan || own.tokens.empty() ||
      (problem.temperature > 0 && !(std::abs(own.logits.front()) <= arithmetic.accumulation.max_finite));  // inf - inf
  if (own.any_nan)
    own.tokens.clear(), own.logits.clear(), own.least = own.most = 0;
  else if (problem.temperature == 0)
    own.keep_likeliest();
  else
    own.weigh(problem, arithmetic);
  return own;
}

ASSAY_DETAIL_HEADER_INLINE void SamplingRow::weigh(const SamplingProblem& problem, const Arithmetic& arithmetic) {
  const double u = arithmetic.unit_roundoff(), terms = static_cast<double>(tokens.size());
  double sum = 0, largest = 0;
  for (const double logit : logits) {
    probabilities.push_back(std::exp(logit - logits.front()));
    sum += probabilities.back();
    if (logits.front() - logit < negligible) largest = std::max(largest, std::abs(logit));
  }
  for (double& p : probabilities) p /= sum;
  const double growth =
      growth_factor(static_cast<Index>(tokens.size()), terms, arithmetic.accumulation, RoundingModel::statistical)
          .value;
  // each probability: quotient, difference and exponential as in softmax, twice for the sum; that of a cut sum again
  relative_error = std::expm1(8 * u * largest + 4 * arithmetic.function_error() + 2 * growth);
  // of either logit, beside the quotient, in kernels that cut probabilities: the product with log2(e), u|z|, the
  // difference from the largest, u(|z| + |largest|), and the exponential
  near = (problem.temperature == 1 ? 0 : 4 * u) + 2 * u;
  nearest = 2 * u * std::abs(logits.front()) + 2 * arithmetic.function_error();
  if (problem.temperature != 1) nearest += 2 * arithmetic.accumulation.min_subnormal;
  cut(problem, 0x1p-24 * terms + growth + relative_error);
}

ASSAY_DETAIL_HEADER_INLINE void SamplingRow::cut(const SamplingProblem& problem, double error) {
  least = most = tokens.size();
  if (problem.top_k > 0 && static_cast<std::size_t>(problem.top_k) < tokens.size()) {
    least = most = static_cast<std::size_t>(problem.top_k);
    if (problem.ties == TopKTies::all_tied) {
      const auto [first, last] = tied(least - 1);
      most = last;
      if (first == last || logits[first] == logits[last - 1]) least = most;
    }
  }
  if (problem.top_p >= 1) return;
  double least_kept = 0, most_kept = 0, before = 0;  // of which top-p takes its share
  for (std::size_t rank = 0; rank < most; ++rank) {
    most_kept += probabilities[rank];
    if (rank + 1 == least) least_kept = most_kept;
  }
  std::size_t certain = 0, possible = 0;
  for (std::size_t rank = 0; rank < most; ++rank) {
    if (before / least_kept + error < problem.top_p) certain = rank + 1;
    if (before / most_kept - error <= problem.top_p) possible = rank + 1;
    before += probabilities[rank];
  }
  least = std::min(least, std::max<std::size_t>(certain, 1));
  most = std::max<std::size_t>(possible, 1);
}

}  // namespace assay::inline v0
