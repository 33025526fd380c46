#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "assay/core/misuse.hpp"
#include "assay/report/text.hpp"
#include "assay/statistics/order_statistics.hpp"

namespace assay::inline v0 {

/// When values count as steady: the medians of the last `window` and of the `window` before differ by at most
/// `tolerance` of the later, plus what their scatter explains, 2·√(2/window)·1.2533·σ, with σ from the median absolute
/// deviation within each (1.2533σ/√n is the standard deviation of a normal sample's median). A kernel that scatters is
/// so as steady as one that does not; one that still gets faster or slower is not, from a drift of about
/// 2·tolerance/window a sample.
struct SteadyCriterion {
  std::size_t window = 10;  ///< at least 3
  double tolerance = 0.01;  ///< relative; at least 0
};

/// How far the median moved between both windows, and how far it may have. Both relative to the later; infinite until
/// there are enough values.
struct SteadyDrift {
  double moved = std::numeric_limits<double>::infinity();
  double allowed = 0;  ///< of the median, relative
};

/// O(window). Preconditions: values are samples (`are_samples`).
[[nodiscard]] SteadyDrift drift_between(std::span<const double> earlier, std::span<const double> later,
                                        double tolerance);

/// Watches values until they are steady by the criterion. Once steady it stays so, however the values go on.
class SteadyState {
 public:
  /// Misuse: a window below 3, a tolerance that is negative or NaN.
  explicit SteadyState(const SteadyCriterion& criterion = {}) : criterion_(criterion) {
    expect(criterion.window >= 3 && criterion.tolerance >= 0,
           [] { return "SteadyCriterion: window must be at least 3, tolerance at least 0"; });
  }

  /// Whether values are steady with this one. O(window). Misuse: no sample.
  bool add(double value);

  /// Whether the values are steady.
  [[nodiscard]] bool steady() const noexcept { return steady_; }
  /// Values that were seen.
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// "never got steady: …"; empty once steady.
  [[nodiscard]] std::string reason() const;

 private:
  SteadyCriterion criterion_;
  std::vector<double> last_;
  std::size_t count_ = 0;
  SteadyDrift drift_;
  bool steady_ = false;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/steady_state.ipp"
#endif
