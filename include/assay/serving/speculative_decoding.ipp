#pragma once

#include "assay/serving/speculative_decoding.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "assay/core/misuse.hpp"
#include "assay/serving/sampling.hpp"

namespace assay::inline v0 {
namespace detail {

inline void expect_same_vocabulary(std::span<const double> target, std::span<const double> draft) {
  expect(!target.empty() && target.size() == draft.size(),
         [] { return "speculative decoding takes two distributions over one vocabulary"; });
}

/// P(accept x | x drafted).
inline double accepted_share(SpeculationRule rule, double p, double q) {
  const double ratio = q > 0 ? p / q : 1;
  switch (rule) {
    case SpeculationRule::always_accept: return 1;
    case SpeculationRule::inflated_ratio: return std::min(1.0, 1.05 * ratio);
    case SpeculationRule::no_division: return p;
    default: return std::min(1.0, ratio);
  }
}

/// What is drawn from where a token was refused.
inline std::vector<double> speculation_residual(SpeculationRule rule, std::span<const double> target,
                                                std::span<const double> draft) {
  std::vector<double> residual(target.size());
  double sum = 0;
  for (std::size_t x = 0; x < target.size(); ++x) {
    const double difference = target[x] - draft[x];
    residual[x] = rule == SpeculationRule::redraw_from_target  ? target[x]
                  : rule == SpeculationRule::absolute_residual ? std::abs(difference)
                                                               : std::max(0.0, difference);
    sum += residual[x];
  }
  if (sum <= 0) return {target.begin(), target.end()};  // equal distributions: nothing is refused but by rounding
  for (double& value : residual) value /= sum;
  return residual;
}

inline double next_uniform(RandomSequence& random) {
  return static_cast<double>(random.next() >> 11) * 0x1p-53;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE SpeculatedToken speculate(SpeculationRule rule, std::span<const double> target,
                                                     std::span<const double> draft, detail::RandomSequence& random) {
  detail::expect_same_vocabulary(target, draft);
  const std::size_t drafted = draw_token(draft, detail::next_uniform(random));
  if (detail::next_uniform(random) < detail::accepted_share(rule, target[drafted], draft[drafted]))
    return {drafted, true};
  return {draw_token(detail::speculation_residual(rule, target, draft), detail::next_uniform(random)), false};
}

ASSAY_DETAIL_HEADER_INLINE std::vector<double> speculation_distribution(SpeculationRule rule,
                                                                        std::span<const double> target,
                                                                        std::span<const double> draft) {
  detail::expect_same_vocabulary(target, draft);
  std::vector<double> distribution = detail::speculation_residual(rule, target, draft);
  double accepted = 0;
  for (std::size_t x = 0; x < target.size(); ++x)
    accepted += draft[x] * detail::accepted_share(rule, target[x], draft[x]);
  for (std::size_t x = 0; x < target.size(); ++x)
    distribution[x] = draft[x] * detail::accepted_share(rule, target[x], draft[x]) + (1 - accepted) * distribution[x];
  return distribution;
}

ASSAY_DETAIL_HEADER_INLINE double acceptance_rate(std::span<const double> target, std::span<const double> draft) {
  detail::expect_same_vocabulary(target, draft);
  double sum = 0;
  for (std::size_t x = 0; x < target.size(); ++x) sum += std::min(target[x], draft[x]);
  return sum;
}

}  // namespace assay::inline v0
