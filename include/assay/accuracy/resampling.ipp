#pragma once

#include "assay/accuracy/resampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"
#include "assay/statistics/order_statistics.hpp"
#include "assay/statistics/random_sequence.hpp"
#include "assay/statistics/samples.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE void expect_resampling(const SampleStatistics& samples, const ResamplingOptions& options) {
  expect(samples.size() > 0, [] { return "a resampling was given no samples"; });
  expect(options.resamples >= 100 && options.most_blocks >= 100,
         [] { return "ResamplingOptions has fewer than 100 resamples or blocks; an interval needs more"; });
  expect_share(options.confidence, "ResamplingOptions::confidence");
}

/// Sums over the blocks of a random partition, the same for every call with the same size and seed.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE SampleStatistics in_blocks(const SampleStatistics& samples,
                                                                    const ResamplingOptions& options) {
  if (samples.size() <= options.most_blocks) return samples;
  std::vector<std::uint32_t> order(samples.size());
  std::iota(order.begin(), order.end(), 0u);
  RandomSequence random(options.seed ^ 0xB10C5u);
  random.shuffle(std::span(order));
  SampleStatistics blocks{samples.width, std::vector<double>(options.most_blocks * samples.width, 0.0)};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto row = samples.row(order[i]);
    double* const block = &blocks.values[i % options.most_blocks * samples.width];
    for (std::size_t j = 0; j < samples.width; ++j) block[j] += row[j];
  }
  return blocks;
}

ASSAY_DETAIL_HEADER_INLINE void add_row(std::vector<double>& sums, std::span<const double> row) {
  for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += row[j];
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE MetricInterval interval_of(double estimate, std::vector<double> values,
                                                                    std::size_t samples,
                                                                    const ResamplingOptions& options) {
  MetricInterval interval{estimate, -INFINITY, INFINITY, INFINITY, samples, 0};
  const auto numbers = std::partition(values.begin(), values.end(), [](double value) { return !std::isnan(value); });
  interval.undefined = static_cast<std::size_t>(values.end() - numbers);
  values.erase(numbers, values.end());
  if (values.size() < 100) return interval;
  std::sort(values.begin(), values.end());
  const double lower = (1 - options.confidence) / 2, upper = (1 + options.confidence) / 2;
  if (std::isinf(values.front()) || std::isinf(values.back())) {
    // Nothing lies between a number and infinity, so the bounds are values that were drawn, the outer of two.
    const auto last = static_cast<double>(values.size() - 1);
    interval.lower = values[static_cast<std::size_t>(std::floor(last * lower))];
    interval.upper = values[static_cast<std::size_t>(std::ceil(last * upper))];
    return interval;
  }
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  interval.deviation = std::sqrt(squares / static_cast<double>(values.size() - 1));
  interval.lower = quantile_of_sorted(values, lower);
  interval.upper = quantile_of_sorted(values, upper);
  return interval;
}

ASSAY_DETAIL_HEADER_INLINE void expect_paired(const SampleStatistics& candidate, const SampleStatistics& baseline) {
  expect(candidate.width == baseline.width && candidate.size() == baseline.size(), [&] {
    return "a paired test was given " + std::to_string(candidate.size()) + " and " + std::to_string(baseline.size()) +
           " samples; give the same samples in the same order";
  });
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE MetricInterval bootstrap_interval(const SampleStatistics& samples,
                                                             const MetricOfSums& metric,
                                                             const ResamplingOptions& options) {
  detail::expect_resampling(samples, options);
  const SampleStatistics blocks = detail::in_blocks(samples, options);
  detail::RandomSequence random(options.seed);
  std::vector<double> values(options.resamples), sums(samples.width);
  for (double& value : values) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::size_t i = 0; i < blocks.size(); ++i) detail::add_row(sums, blocks.row(random.below(blocks.size())));
    value = metric(sums);
  }
  return detail::interval_of(metric(samples.sums()), std::move(values), samples.size(), options);
}

ASSAY_DETAIL_HEADER_INLINE MetricInterval paired_bootstrap(const SampleStatistics& candidate,
                                                           const SampleStatistics& baseline, const MetricOfSums& metric,
                                                           const ResamplingOptions& options) {
  detail::expect_resampling(candidate, options);
  detail::expect_paired(candidate, baseline);
  const SampleStatistics ours = detail::in_blocks(candidate, options), theirs = detail::in_blocks(baseline, options);
  detail::RandomSequence random(options.seed);
  std::vector<double> values(options.resamples), our_sums(ours.width), their_sums(ours.width);
  for (double& value : values) {
    std::fill(our_sums.begin(), our_sums.end(), 0.0);
    std::fill(their_sums.begin(), their_sums.end(), 0.0);
    for (std::size_t i = 0; i < ours.size(); ++i) {
      const std::size_t drawn = random.below(ours.size());
      detail::add_row(our_sums, ours.row(drawn));
      detail::add_row(their_sums, theirs.row(drawn));
    }
    value = metric(our_sums) - metric(their_sums);
  }
  return detail::interval_of(metric(candidate.sums()) - metric(baseline.sums()), std::move(values), candidate.size(),
                             options);
}

ASSAY_DETAIL_HEADER_INLINE double paired_permutation(const SampleStatistics& candidate,
                                                     const SampleStatistics& baseline, const MetricOfSums& metric,
                                                     const ResamplingOptions& options) {
  detail::expect_resampling(candidate, options);
  detail::expect_paired(candidate, baseline);
  const SampleStatistics ours = detail::in_blocks(candidate, options), theirs = detail::in_blocks(baseline, options);
  const double seen = std::abs(metric(candidate.sums()) - metric(baseline.sums()));
  detail::RandomSequence random(options.seed);
  std::vector<double> our_sums(ours.width), their_sums(ours.width);
  std::size_t as_large = 0;
  for (std::size_t r = 0; r < options.resamples; ++r) {
    std::fill(our_sums.begin(), our_sums.end(), 0.0);
    std::fill(their_sums.begin(), their_sums.end(), 0.0);
    std::uint64_t coins = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (i % 64 == 0) coins = random.next();
      const bool swapped = (coins >> i % 64 & 1) != 0;
      detail::add_row(swapped ? their_sums : our_sums, ours.row(i));
      detail::add_row(swapped ? our_sums : their_sums, theirs.row(i));
    }
    const double difference = std::abs(metric(our_sums) - metric(their_sums));
    as_large += !(difference < seen * (1 - 1e-12)) ? 1 : 0;  // equal but for the order of sums; NaN is no evidence
  }
  return static_cast<double>(1 + as_large) / static_cast<double>(1 + options.resamples);
}

ASSAY_DETAIL_HEADER_INLINE Discordance discordance(const SampleStatistics& candidate,
                                                   const SampleStatistics& baseline) {
  detail::expect_paired(candidate, baseline);
  Discordance pairs;
  pairs.samples = candidate.size();
  for (std::size_t i = 0; i < candidate.size(); ++i) {
    const bool ours = candidate.row(i)[0] > 0, theirs = baseline.row(i)[0] > 0;
    pairs.only_candidate += ours && !theirs ? 1 : 0;
    pairs.only_baseline += theirs && !ours ? 1 : 0;
  }
  return pairs;
}

}  // namespace assay::inline v0
