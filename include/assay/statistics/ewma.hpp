#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "assay/statistics/samples.hpp"

namespace assay::inline v0 {

/// When a moving average alarms.
struct EwmaOptions {
  double weight = 0.2;   ///< λ, of the newest value
  double limit = 2.962;  ///< L, in standard deviations of the average
};

/// An exponentially weighted moving average: E = λz + (1 − λ)E from 0, alarm at |E| > L·√(λ/(2 − λ)), the deviation of
/// E after many runs; z in standard deviations of a baseline that stays frozen. Source: Roberts, Technometrics 1
/// (1959); Lucas, Saccucci, Technometrics 32 (1990).
///
/// With λ = 0.2 and L = 2.962, known mean and deviation, and independent normal values, a false alarm on either side
/// comes every 500 runs on average, and a shift of one deviation is found after 10.5. What is said of `CusumChart` and
/// estimated baselines holds here.
class EwmaChart {
 public:
  /// Misuse: a weight outside (0, 1], a limit that is not positive.
  explicit EwmaChart(const EwmaOptions& options = {}) : options_(options) {
    expect(options.weight > 0 && options.weight <= 1, [] { return "EwmaOptions::weight lies in (0, 1]"; });
    detail::expect_positive(options.limit, "EwmaOptions::limit");
  }

  /// Takes the next run's z. Returns whether the average stands beyond a limit. O(1).
  /// Misuse: z that is NaN. Infinite and huge ones count as ±`largest_sample`.
  bool add(double z) {
    expect(z == z, [] { return "EwmaChart::add() was given NaN; leave out runs that failed"; });
    average_ += options_.weight * (std::clamp(z, -largest_sample, largest_sample) - average_);
    ++count_;
    return rise() || fall();
  }

  /// E, in standard deviations.
  [[nodiscard]] double average() const noexcept { return average_; }
  /// Values that were taken.
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// What the average must exceed for an alarm.
  [[nodiscard]] double reach() const noexcept {
    return options_.limit * std::sqrt(options_.weight / (2 - options_.weight));
  }
  /// Whether E lies beyond the limit above.
  [[nodiscard]] bool rise() const noexcept { return average_ > reach(); }
  /// Whether E lies beyond the limit below.
  [[nodiscard]] bool fall() const noexcept { return average_ < -reach(); }

 private:
  EwmaOptions options_;
  double average_ = 0;
  std::size_t count_ = 0;
};

}  // namespace assay::inline v0
