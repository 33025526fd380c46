#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "assay/statistics/order_statistics.hpp"
#include "assay/statistics/random_sequence.hpp"

namespace assay::inline v0 {

/// How medians are resampled.
struct BootstrapOptions {
  std::size_t resamples = 10000;  ///< more narrow the error of the interval's ends
  double confidence = 0.95;       ///< of the two-sided interval
  std::uint64_t seed = 1;         ///< the same seed gives the same interval on every machine
};

/// median(candidate) / median(baseline), and its interval.
struct RatioInterval {
  double estimate = 1;                                     ///< from the samples themselves
  double lower = 0;                                        ///< of the interval
  double upper = std::numeric_limits<double>::infinity();  ///< of the interval
};

namespace detail {

using Runs = std::span<const std::vector<double>>;

}  // namespace detail

/// The ratio of the medians of all samples of either side, and its percentile bootstrap interval: *whole runs* are
/// drawn with replacement, not samples, since those of one run share its clock, its heat and its memory layout and are
/// no independent evidence. With one run on either side the interval would be a point, and is told as (0, ∞).
///
/// Percentile interval (not BCa): Efron, Tibshirani, "An introduction to the bootstrap", 1993, §13.3. Below some ten
/// runs a side it is too short: five against five cover some 90 % where 95 % are asked for. Prefer `hodges_lehmann`,
/// which is exact there, unless runs have many samples. O(resamples · samples). Misuse: no runs on a side, a run
/// without samples, a sample that is not positive, not finite or beyond `largest_sample`, fewer than 100 resamples.
[[nodiscard]] RatioInterval bootstrap_median_ratio(std::span<const std::vector<double>> baseline,
                                                   std::span<const std::vector<double>> candidate,
                                                   const BootstrapOptions& options = {});

/// The same where every run left one value. O(resamples · values). Misuse: as above.
[[nodiscard]] RatioInterval bootstrap_median_ratio(std::span<const double> baseline, std::span<const double> candidate,
                                                   const BootstrapOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/statistics/bootstrap.ipp"
#endif
