#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "assay/performance/direction.hpp"

namespace assay::inline v0 {

/// One metric over runs, oldest first: one number a run, the median of its samples. Runs are what is independent;
/// samples within a run are not.
struct RunSeries {
  std::string name;  ///< of the metric
  Direction direction = Direction::lower_is_better;
  std::vector<double> values;  ///< one a run, oldest first
  /// The runs [begin, end) of the release that all later runs are held against. It stays where it is until a release
  /// moves it: a baseline that slides along follows every drift.
  std::size_t baseline_begin = 0;
  std::size_t baseline_end = 0;  ///< behind the last run of the baseline

  /// Whether there is a baseline within the series.
  [[nodiscard]] bool has_baseline() const noexcept {
    return baseline_begin < baseline_end && baseline_end <= values.size();
  }
  /// Precondition of both: `has_baseline()`.
  [[nodiscard]] std::span<const double> baseline() const noexcept {
    return std::span(values).subspan(baseline_begin, baseline_end - baseline_begin);
  }
  /// The runs behind the baseline.
  [[nodiscard]] std::span<const double> since_baseline() const noexcept {
    return std::span(values).subspan(baseline_end);
  }
};

}  // namespace assay::inline v0
