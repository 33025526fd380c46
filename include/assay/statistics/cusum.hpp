#pragma once

#include <algorithm>
#include <cstddef>

#include "assay/statistics/samples.hpp"

namespace assay::inline v0 {

/// When a cumulative sum alarms.
struct CusumOptions {
  double allowance = 0.5;  ///< k, in standard deviations: half of the shift that is to be found soonest
  double limit = 5;        ///< h, in standard deviations
};

/// A one-sided cumulative sum: S = max(0, S + z − k), alarm at S > h, z in standard deviations of a baseline that stays
/// frozen. Source: Page, Biometrika 41 (1954); values: Montgomery, "Introduction to statistical quality control", ch.
/// 9.
///
/// With k = 0.5 and h = 5, known mean and deviation, and independent normal values, a false alarm comes every 931 runs
/// on average (465 with a second chart for the other side), and a shift of one deviation is found after 10.4. Estimated
/// from few baseline runs, or on autocorrelated ones, false alarms come much sooner; `variance_inflation` corrects for
/// the latter. What drifts slowly adds up, and is found.
class CusumChart {
 public:
  /// Misuse: a limit that is not positive, an allowance that is negative, NaN.
  explicit CusumChart(const CusumOptions& options = {}) : options_(options) {
    expect(options.allowance >= 0 && are_samples({&options.allowance, 1}),
           [] { return "CusumOptions::allowance is negative or no number"; });
    detail::expect_positive(options.limit, "CusumOptions::limit");
  }

  /// Takes the next run's z; a positive one speaks for a rise. Returns whether the chart stands above its limit. O(1).
  /// Misuse: z that is NaN. Infinite and huge ones count as `largest_sample`.
  bool add(double z) {
    expect(z == z, [] { return "CusumChart::add() was given NaN; leave out runs that failed"; });
    sum_ = std::min(std::max(0.0, sum_ + z - options_.allowance), largest_sample);
    ++count_;
    if (sum_ == 0) start_ = count_;
    return alarmed();
  }

  /// S, in standard deviations.
  [[nodiscard]] double sum() const noexcept { return sum_; }
  /// Whether S lies beyond the limit.
  [[nodiscard]] bool alarmed() const noexcept { return sum_ > options_.limit; }
  /// Values that were taken.
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// Where the rise under suspicion began: the number of runs added before it, those up to the last at which the sum
  /// was 0.
  [[nodiscard]] std::size_t start() const noexcept { return start_; }

 private:
  CusumOptions options_;
  double sum_ = 0;
  std::size_t count_ = 0;
  std::size_t start_ = 0;
};

}  // namespace assay::inline v0
