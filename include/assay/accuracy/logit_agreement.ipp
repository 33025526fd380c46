#pragma once

#include "assay/accuracy/logit_agreement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// The positions of the k largest, largest first, the smaller position first of equals.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<std::size_t> largest_positions(std::span<const float> values,
                                                                                    std::size_t k) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  k = std::min(k, order.size());
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k), order.end(),
      [&](std::size_t a, std::size_t b) { return values[a] != values[b] ? values[a] > values[b] : a < b; });
  order.resize(k);
  return order;
}

ASSAY_DETAIL_HEADER_INLINE double log_sum_exp(std::span<const float> logits) {
  const double most = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
  if (!std::isfinite(most)) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - most);
  return std::log(sum) + most;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE LogitAgreement logit_agreement(std::span<const float> logits,
                                                          std::span<const float> reference,
                                                          const LogitAgreementOptions& options) {
  expect(!logits.empty() && logits.size() == reference.size(), [&] {
    return "logit_agreement() was given " + std::to_string(logits.size()) + " and " + std::to_string(reference.size()) +
           " logits; both rows have the vocabulary's length";
  });
  LogitAgreement agreement;
  bool any_not_number = false;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    agreement.not_numbers += std::isnan(logits[i]) && !std::isnan(reference[i]) ? 1 : 0;
    any_not_number = any_not_number || std::isnan(logits[i]) || std::isnan(reference[i]);
  }
  const double ours = any_not_number ? std::numeric_limits<double>::quiet_NaN() : detail::log_sum_exp(logits),
               theirs = any_not_number ? ours : detail::log_sum_exp(reference);
  if (std::isnan(ours) || std::isnan(theirs)) {
    agreement.divergence = agreement.total_variation = std::numeric_limits<double>::quiet_NaN();
    agreement.same_top = false;
    agreement.top_overlap = 0;
    return agreement;
  }
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double log_p = static_cast<double>(reference[i]) - theirs, log_q = static_cast<double>(logits[i]) - ours;
    const double p = std::exp(log_p), q = std::exp(log_q);
    if (p > 0) agreement.divergence += p * (log_p - log_q);
    agreement.total_variation += std::abs(p - q) / 2;
  }
  agreement.divergence = std::max(agreement.divergence, 0.0);  // what rounding leaves of 0
  const auto top = detail::largest_positions(reference, std::max<std::size_t>(options.top, 2)),
             own = detail::largest_positions(logits, options.top);
  agreement.near_tie =
      top.size() > 1 &&
      static_cast<double>(reference[top[0]]) - static_cast<double>(reference[top[1]]) <= options.tie_margin;
  const std::size_t k = std::min(options.top, reference.size());
  std::size_t shared = 0;
  for (std::size_t i = 0; i < k; ++i) shared += std::count(own.begin(), own.end(), top[i]) > 0 ? 1 : 0;
  agreement.top_overlap = k == 0 ? 1 : static_cast<double>(shared) / static_cast<double>(k);
  agreement.same_top = detail::largest_positions(logits, 1) == std::vector<std::size_t>{top[0]};
  return agreement;
}

ASSAY_DETAIL_HEADER_INLINE Score logit_divergence(std::span<const LogitAgreement> positions) {
  Score score{"kl", 0,       "nat",       false, "KL(reference || model), mean over tokens, computed in double",
              {},   {2, {}}, mean_of_sums};
  double variation = 0, same = 0, apart = 0, same_apart = 0, overlap = 0, not_numbers = 0, counted = 0;
  std::vector<double> sorted;
  for (const LogitAgreement& position : positions) {
    if (std::isnan(position.divergence)) {
      ++not_numbers;
      score.statistics.add(std::vector<double>{0, 0});
      continue;
    }
    score.statistics.add(std::vector<double>{position.divergence, 1});
    sorted.push_back(position.divergence);
    ++counted;
    variation += position.total_variation;
    overlap += position.top_overlap;
    same += position.same_top ? 1 : 0;
    if (!position.near_tie) ++apart, same_apart += position.same_top ? 1 : 0;
  }
  std::sort(sorted.begin(), sorted.end());
  score.value = mean_of_sums(score.statistics.sums());
  const double missing = std::numeric_limits<double>::quiet_NaN();
  const auto percentile = [&](double share) {
    return sorted.empty() ? missing
                          : sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5)];
  };
  score.parts = {{"kl_p99", percentile(0.99), "nat"},
                 {"kl_max", percentile(1), "nat"},
                 {"total_variation", variation / counted, "1"},
                 {"same_top_token", same / counted, "1"},
                 {"same_top_token_without_near_ties", apart > 0 ? same_apart / apart : missing, "1"},
                 {"top_overlap", overlap / counted, "1"},
                 {"tokens", counted, "tokens"},
                 {"tokens_with_nan", not_numbers, "tokens"}};
  return score;
}

}  // namespace assay::inline v0
