#pragma once

#include "assay/statistics/bootstrap.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE void expect_runs(Runs runs) {
  expect(!runs.empty(),
         [] { return "bootstrap_median_ratio() was given no runs; it needs at least one on each side"; });
  for (const std::vector<double>& run : runs) {
    expect_samples(run, 1, "bootstrap_median_ratio()");
    expect(*std::min_element(run.begin(), run.end()) > 0, [] {
      return "bootstrap_median_ratio() was given a sample that is not positive; a ratio says nothing of it";
    });
  }
}

/// The median of the values, which are reordered. O(n).
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE double median_in_place(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return values.size() % 2 != 0 ? *middle : (*std::max_element(values.begin(), middle) + *middle) / 2;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE double median_of_all(Runs runs, std::vector<double>& pool) {
  pool.clear();
  for (const std::vector<double>& run : runs) pool.insert(pool.end(), run.begin(), run.end());
  return median_in_place(pool);
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE double median_of_resample(Runs runs, RandomSequence& random,
                                                                   std::vector<double>& pool) {
  pool.clear();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::vector<double>& run = runs[random.below(runs.size())];
    pool.insert(pool.end(), run.begin(), run.end());
  }
  return median_in_place(pool);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE RatioInterval bootstrap_median_ratio(std::span<const std::vector<double>> baseline,
                                                                std::span<const std::vector<double>> candidate,
                                                                const BootstrapOptions& options) {
  detail::expect_runs(baseline);
  detail::expect_runs(candidate);
  detail::expect_share(options.confidence, "BootstrapOptions::confidence");
  expect(options.resamples >= 100,
         [] { return "BootstrapOptions::resamples is below 100, too few for the ends of an interval"; });
  std::vector<double> pool;
  RatioInterval ratio;
  ratio.estimate = detail::median_of_all(candidate, pool) / detail::median_of_all(baseline, pool);
  if (baseline.size() < 2 || candidate.size() < 2) return ratio;
  detail::RandomSequence random(options.seed);
  std::vector<double> ratios(options.resamples);
  for (double& value : ratios) {
    const double denominator = detail::median_of_resample(baseline, random, pool);
    value = detail::median_of_resample(candidate, random, pool) / denominator;
  }
  std::sort(ratios.begin(), ratios.end());
  ratio.lower = quantile_of_sorted(ratios, (1 - options.confidence) / 2);
  ratio.upper = quantile_of_sorted(ratios, (1 + options.confidence) / 2);
  return ratio;
}

ASSAY_DETAIL_HEADER_INLINE RatioInterval bootstrap_median_ratio(std::span<const double> baseline,
                                                                std::span<const double> candidate,
                                                                const BootstrapOptions& options) {
  const auto one_each = [](std::span<const double> values) {
    std::vector<std::vector<double>> runs;
    for (const double value : values) runs.push_back({value});
    return runs;
  };
  const std::vector<std::vector<double>> before = one_each(baseline), after = one_each(candidate);
  return bootstrap_median_ratio(std::span<const std::vector<double>>(before),
                                std::span<const std::vector<double>>(after), options);
}

}  // namespace assay::inline v0
