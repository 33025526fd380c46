#pragma once

#include "assay/accuracy/mcnemar.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"
#include "assay/statistics/samples.hpp"

namespace assay::inline v0 {

namespace detail {

/// √(n·2q + …)-scaled distance of the difference seen from `difference`, q the likeliest share of the second kind.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE double paired_score(const Discordance& pairs, double difference) {
  const auto n = static_cast<double>(pairs.samples), b = static_cast<double>(pairs.only_candidate),
             c = static_cast<double>(pairs.only_baseline);
  const double linear = (2 * n - b + c) * difference - b - c, constant = -c * difference * (1 - difference);
  const double share = (std::sqrt(std::max(linear * linear - 8 * n * constant, 0.0)) - linear) / (4 * n);
  const double variance = n * (2 * share + difference * (1 - difference));
  const double distance = b - c - n * difference;
  if (variance <= 0) return distance == 0 ? 0 : std::copysign(INFINITY, distance);
  return distance / std::sqrt(variance);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE McNemar mcnemar(const Discordance& pairs) {
  const std::uint64_t n = pairs.only_candidate + pairs.only_baseline,
                      fewer = std::min(pairs.only_candidate, pairs.only_baseline);
  expect(n <= pairs.samples, [] { return "mcnemar() was given more discordant samples than samples"; });
  McNemar test;
  if (n == 0) return test;
  const auto total = static_cast<double>(n), k = static_cast<double>(fewer);
  const double likelihood =
      std::exp(std::lgamma(total + 1) - std::lgamma(k + 1) - std::lgamma(total - k + 1) - total * std::log(2.0));
  double tail = 0, term = likelihood;
  for (double i = k; i >= 0 && term > tail * 1e-18; term *= i / (total - i + 1), --i) tail += term;
  test.exact = std::min(1.0, 2 * tail);
  test.mid_p = pairs.only_candidate == pairs.only_baseline ? 1 - likelihood / 2 : std::min(1.0, 2 * tail - likelihood);
  const double distance =
      std::max(0.0, std::abs(static_cast<double>(pairs.only_candidate) - static_cast<double>(pairs.only_baseline)) - 1);
  test.chi_squared = std::erfc(distance / std::sqrt(2 * total));
  return test;
}

ASSAY_DETAIL_HEADER_INLINE DifferenceInterval paired_proportion_interval(const Discordance& pairs, double confidence) {
  expect(pairs.samples > 0 && pairs.only_candidate + pairs.only_baseline <= pairs.samples,
         [] { return "paired_proportion_interval() needs samples, and no more discordant ones than there are"; });
  detail::expect_share(confidence, "the confidence given to paired_proportion_interval()");
  const double z = detail::normal_quantile_of((1 + confidence) / 2);
  DifferenceInterval interval;
  interval.estimate = (static_cast<double>(pairs.only_candidate) - static_cast<double>(pairs.only_baseline)) /
                      static_cast<double>(pairs.samples);
  const auto limit = [&](double inside, double outside, double wanted) {
    for (int i = 0; i < 100; ++i) {
      const double middle = (inside + outside) / 2;
      (std::abs(detail::paired_score(pairs, middle)) < wanted ? inside : outside) = middle;
    }
    return (inside + outside) / 2;
  };
  interval.lower = limit(interval.estimate, -1, z);
  interval.upper = limit(interval.estimate, 1, z);
  return interval;
}

}  // namespace assay::inline v0
