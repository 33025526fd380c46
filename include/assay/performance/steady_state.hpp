#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "assay/core/misuse.hpp"
#include "assay/report/text.hpp"
#include "assay/statistics/order_statistics.hpp"

namespace assay::inline v0 {

/// When values count as steady: the medians of the last `window` and of the `window` before differ by at most `tolerance` of the later, plus what
/// their scatter explains, 2·√(2/window)·1.2533·σ, with σ from the median absolute deviation within each (1.2533σ/√n is the standard
/// deviation of a normal sample's median). A kernel that scatters is so as steady as one that does not; one that still gets faster or slower is not,
/// from a drift of about 2·tolerance/window a sample.
struct SteadyCriterion {
  std::size_t window = 10;  ///< at least 3
  double tolerance = 0.01;  ///< relative; at least 0
};

/// How far the median moved between both windows, and how far it may have. Both relative to the later; infinite until there are enough values.
struct SteadyDrift {
  double moved = std::numeric_limits<double>::infinity();
  double allowed = 0;  ///< of the median, relative
};

/// O(window). Preconditions: values are samples (`are_samples`).
[[nodiscard]] inline SteadyDrift drift_between(std::span<const double> earlier, std::span<const double> later, double tolerance) {
  const double before = median(earlier), after = median(later);
  if (!(std::abs(after) > 0)) return {before == after ? 0 : std::numeric_limits<double>::infinity(), tolerance};
  const double deviation =
      deviations_per_median_absolute_deviation * std::max(median_absolute_deviation(earlier), median_absolute_deviation(later));
  const double scatter = 2 * std::sqrt(2 / static_cast<double>(std::min(earlier.size(), later.size()))) * 1.2533 * deviation;
  return {std::abs(after - before) / std::abs(after), tolerance + scatter / std::abs(after)};
}

/// Watches values until they are steady by the criterion. Once steady it stays so, however the values go on.
class SteadyState {
 public:
  /// Misuse: a window below 3, a tolerance that is negative or NaN.
  explicit SteadyState(const SteadyCriterion& criterion = {}) : criterion_(criterion) {
    expect(criterion.window >= 3 && criterion.tolerance >= 0,
           [] { return "SteadyCriterion: window must be at least 3, tolerance at least 0"; });
  }

  /// Whether values are steady with this one. O(window). Misuse: no sample.
  bool add(double value) {
    detail::expect_samples({&value, 1}, 1, "SteadyState::add()");
    last_.push_back(value);
    ++count_;
    if (last_.size() > 2 * criterion_.window) last_.erase(last_.begin());
    if (last_.size() < 2 * criterion_.window) return false;
    const std::span<const double> all(last_);
    drift_ = drift_between(all.first(criterion_.window), all.last(criterion_.window), criterion_.tolerance);
    return steady_ = steady_ || drift_.moved <= drift_.allowed;
  }

  /// Whether the values are steady.
  [[nodiscard]] bool steady() const noexcept { return steady_; }
  /// Values that were seen.
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// "never got steady: …"; empty once steady.
  [[nodiscard]] std::string reason() const {
    if (steady_) return {};
    if (last_.size() < 2 * criterion_.window)
      return "never got steady: only " + std::to_string(count_) + " values while warming up, and the criterion needs " +
             std::to_string(2 * criterion_.window);
    return "never got steady: after " + std::to_string(count_) + " values of warm-up the median still moved by " +
           number_text(100 * drift_.moved) + " % within " + std::to_string(criterion_.window) + " values, where " +
           number_text(100 * drift_.allowed) + " % are allowed";
  }

 private:
  SteadyCriterion criterion_;
  std::vector<double> last_;
  std::size_t count_ = 0;
  SteadyDrift drift_;
  bool steady_ = false;
};

}  // namespace assay::inline v0
