#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/collectives/model/detail/relative_least_squares.hpp"
#include "assay/core/result.hpp"
#include "assay/statistics/order_statistics.hpp"
#include "assay/statistics/random_sequence.hpp"

namespace assay::inline v0 {

/// What was measured at one size.
struct TimedSize {
  double bytes = 0;    ///< of the message
  double seconds = 0;  ///< that it took
};

/// A number and where it lies.
struct FittedNumber {
  double estimate = 0;  ///< the most likely value
  double lower = 0;     ///< of the interval
  double upper = 0;     ///< of the interval
};

/// How intervals are had.
struct FitOptions {
  std::size_t resamples = 1000;  ///< of the bootstrap; 0: no intervals
  double confidence = 0.95;      ///< of the two-sided intervals
  std::uint64_t seed = 1;        ///< of the resampling
};

/// seconds = latency + bytes · seconds_per_byte.
struct AlphaBetaFit {
  FittedNumber latency_seconds;  ///< of an empty message
  FittedNumber seconds_per_byte;
  double largest_relative_error = 0;       ///< of the model, over the points
  double median_relative_error = 0;        ///< |predicted − measured| ÷ measured
  double least_bytes = 0, most_bytes = 0;  ///< what it was fitted to

  /// What a message of so many bytes is predicted to take.
  [[nodiscard]] double seconds(double bytes) const noexcept {
    return latency_seconds.estimate + bytes * seconds_per_byte.estimate;
  }
  /// The knee, n½: below this size latency rules, above it bandwidth; at it half of the bandwidth is reached (Hockney).
  /// Infinite without a β.
  [[nodiscard]] double knee_bytes() const noexcept {
    return seconds_per_byte.estimate > 0 ? latency_seconds.estimate / seconds_per_byte.estimate
                                         : std::numeric_limits<double>::infinity();
  }
};

namespace detail {

template <std::size_t Terms>
struct FittedRows {
  std::array<FittedNumber, Terms> numbers;
  double largest_relative_error = 0;
  double median_relative_error = 0;
};

[[nodiscard]] inline FittedNumber fitted(double estimate, std::vector<double>& drawn, double confidence) {
  if (drawn.empty()) return {estimate, estimate, estimate};
  std::sort(drawn.begin(), drawn.end());
  return {estimate, std::min(estimate, quantile_of_sorted(drawn, (1 - confidence) / 2)),
          std::max(estimate, quantile_of_sorted(drawn, (1 + confidence) / 2))};
}

/// `relative_least_squares` of one row or more, with percentile bootstrap intervals over rows. Rows drawn that
/// `tells_nothing` are left out.
template <std::size_t Terms, class TellsNothing>
[[nodiscard]] FittedRows<Terms> fit_rows(const std::vector<FitRow<Terms>>& rows, const FitOptions& options,
                                         const TellsNothing& tells_nothing) {
  const std::array<double, Terms> best = relative_least_squares<Terms>(std::span<const FitRow<Terms>>(rows));
  std::array<std::vector<double>, Terms> resampled;
  RandomSequence random(options.seed);
  std::vector<FitRow<Terms>> drawn(rows.size());
  for (std::size_t i = 0; i < options.resamples; ++i) {
    for (auto& row : drawn) row = rows[random.below(rows.size())];
    if (tells_nothing(drawn)) continue;
    const std::array<double, Terms> found = relative_least_squares<Terms>(std::span<const FitRow<Terms>>(drawn));
    for (std::size_t term = 0; term < Terms; ++term) resampled[term].push_back(found[term]);
  }
  FittedRows<Terms> fit;
  for (std::size_t term = 0; term < Terms; ++term)
    fit.numbers[term] = fitted(best[term], resampled[term], options.confidence);
  std::vector<double> errors;
  for (const FitRow<Terms>& row : rows) {
    double value = 0;
    for (std::size_t term = 0; term < Terms; ++term) value += row.terms[term] * best[term];
    errors.push_back(std::abs(value / row.value - 1));
  }
  fit.largest_relative_error = *std::max_element(errors.begin(), errors.end());
  fit.median_relative_error = median(errors);
  return fit;
}

}  // namespace detail

/// Fits α and β to points, several of one size included, in any order. Relative errors count, so that microseconds
/// weigh as much as seconds; outliers are bounded (`relative_least_squares`); neither α nor β is negative. Intervals:
/// percentile bootstrap over points. O(resamples · points). Errors: `invalid` for fewer than two different sizes, or a
/// point that is not finite, of negative size or without duration.
[[nodiscard]] Result<AlphaBetaFit> fit_alpha_beta(std::span<const TimedSize> points, const FitOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/model/alpha_beta_fit.ipp"
#endif
