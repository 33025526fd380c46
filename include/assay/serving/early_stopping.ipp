#pragma once

#include "assay/serving/early_stopping.hpp"

#include <cstddef>

#include "assay/core/misuse.hpp"
#include "assay/serving/detail/binomial_tail.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::uint64_t queries_within_latency(std::uint64_t over,
                                                                const EarlyStoppingOptions& options) {
  expect(options.percentile > 0 && options.percentile < 1 && options.confidence > 0 && options.confidence < 1 &&
             options.tolerance >= 0 && options.tolerance < options.percentile,
         [] {
           return "early stopping takes a percentile and a confidence in (0, 1), and a tolerance below the percentile";
         });
  const double beyond = 1 - (options.percentile - options.tolerance);
  const auto shown = [&](std::uint64_t within) {
    return detail::binomial_at_most(over, within + over, beyond) <= 1 - options.confidence;
  };
  std::uint64_t most = 1;
  while (!shown(most)) most *= 2;
  std::uint64_t least = most / 2;  // not enough, or 0
  while (most - least > 1) {
    const std::uint64_t middle = least + (most - least) / 2;
    (shown(middle) ? most : least) = middle;
  }
  return most;
}

ASSAY_DETAIL_HEADER_INLINE bool early_stopping_met(std::uint64_t queries, std::uint64_t over,
                                                   const EarlyStoppingOptions& options) {
  return over <= queries && queries - over >= queries_within_latency(over, options);
}

ASSAY_DETAIL_HEADER_INLINE std::optional<double> early_stopping_estimate(std::span<const double> sorted,
                                                                         const EarlyStoppingOptions& options) {
  const std::uint64_t queries = sorted.size();
  const auto allowed = [&](std::uint64_t over) { return queries_within_latency(over, options) + over <= queries; };
  if (queries == 0 || !allowed(1)) return std::nullopt;
  std::uint64_t least = 1, most = queries;  // `least` may be discarded but for one, `most` may not
  while (most - least > 1) {
    const std::uint64_t middle = least + (most - least) / 2;
    (allowed(middle) ? least : most) = middle;
  }
  return sorted[static_cast<std::size_t>(queries - least)];
}

}  // namespace assay::inline v0
