#pragma once

#include "assay/serving/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "assay/core/misuse.hpp"
#include "assay/core/stable_sort.hpp"

namespace assay::inline v0 {
namespace detail {

inline void expect_sampling(std::span<const double> logits, const SamplingParameters& parameters,
                            std::span<const std::size_t> prompt, std::span<const std::size_t> output) {
  expect(parameters.temperature >= 0 && parameters.top_p > 0 && parameters.top_p <= 1 && parameters.min_p >= 0 &&
             parameters.min_p <= 1 && parameters.repetition_penalty > 0,
         [] { return "sampling takes temperature ≥ 0, top_p in (0, 1], min_p in [0, 1], a repetition penalty > 0"; });
  bool finite = false, right = true;
  for (const double logit : logits) {
    finite = finite || std::isfinite(logit);
    right = right && logit < std::numeric_limits<double>::infinity();
  }
  expect(finite && right, [] { return "sampling needs a finite logit at least, and none that is NaN or +∞"; });
  const auto known = [&](std::size_t token) { return token < logits.size(); };
  bool all = std::all_of(prompt.begin(), prompt.end(), known) && std::all_of(output.begin(), output.end(), known);
  for (const auto& [token, bias] : parameters.logit_bias) all = all && known(token) && !std::isnan(bias);
  expect(all, [] { return "sampling was given a token outside the vocabulary, or a bias that is NaN"; });
}

inline void penalize(std::vector<double>& scores, const SamplingParameters& parameters,
                     std::span<const std::size_t> prompt, std::span<const std::size_t> output) {
  std::vector<std::size_t> count(scores.size()), seen(scores.size());
  for (const std::size_t token : prompt) seen[token] = 1;
  for (const std::size_t token : output) ++count[token];
  for (std::size_t token = 0; token < scores.size(); ++token) {
    double& score = scores[token];
    if (seen[token] + count[token] > 0)
      score = score > 0 ? score / parameters.repetition_penalty : score * parameters.repetition_penalty;
    if (count[token] > 0)
      score -= parameters.presence_penalty + parameters.frequency_penalty * static_cast<double>(count[token]);
  }
}

inline std::vector<double> softmax_of(const std::vector<double>& scores, double temperature) {
  const double largest = *std::max_element(scores.begin(), scores.end());
  std::vector<double> probabilities;
  double sum = 0;
  for (const double score : scores) sum += probabilities.emplace_back(std::exp((score - largest) / temperature));
  for (double& probability : probabilities) probability /= sum;
  return probabilities;
}

inline void normalize(std::vector<double>& probabilities) {
  const double sum = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
  for (double& probability : probabilities) probability /= sum;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<double> sampling_distribution(std::span<const double> logits,
                                                                     const SamplingParameters& parameters,
                                                                     std::span<const std::size_t> prompt,
                                                                     std::span<const std::size_t> output) {
  detail::expect_sampling(logits, parameters, prompt, output);
  std::vector<double> scores(logits.begin(), logits.end());
  for (const auto& [token, bias] : parameters.logit_bias) scores[token] += bias;
  detail::penalize(scores, parameters, prompt, output);
  if (parameters.temperature == 0) {
    std::vector<double> greedy(scores.size(), 0.0);
    greedy[static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin())] = 1;
    return greedy;
  }
  std::vector<double> kept = detail::softmax_of(scores, parameters.temperature);
  std::vector<std::size_t> order(kept.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  detail::stable_sort(order, [&](std::size_t a, std::size_t b) { return kept[a] > kept[b]; });
  if (parameters.top_k > 0 && parameters.top_k < kept.size()) {
    const double least = kept[order[parameters.top_k - 1]];
    for (double& probability : kept) probability = probability >= least ? probability : 0;
    detail::normalize(kept);
  }
  if (parameters.top_p < 1) {
    double sum = 0;
    for (const std::size_t token : order) {
      const double probability = kept[token];
      if (sum >= parameters.top_p) kept[token] = 0;
      sum += probability;
    }
    detail::normalize(kept);
  }
  const double least = parameters.min_p * kept[order.front()];
  for (double& probability : kept) probability = probability >= least ? probability : 0;
  detail::normalize(kept);
  return kept;
}

ASSAY_DETAIL_HEADER_INLINE std::size_t draw_token(std::span<const double> distribution, double uniform) noexcept {
  double sum = 0;
  std::size_t last = 0;
  for (std::size_t token = 0; token < distribution.size(); ++token) {
    if (distribution[token] <= 0) continue;
    sum += distribution[token];
    last = token;
    if (uniform < sum) return token;
  }
  return last;  // the sum fell short of 1 by rounding
}

}  // namespace assay::inline v0
