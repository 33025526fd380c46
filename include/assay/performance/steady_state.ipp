#pragma once

#include "assay/performance/steady_state.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE SteadyDrift drift_between(std::span<const double> earlier, std::span<const double> later,
                                                     double tolerance) {
  const double before = median(earlier), after = median(later);
  if (!(std::abs(after) > 0)) return {before == after ? 0 : std::numeric_limits<double>::infinity(), tolerance};
  const double deviation = deviations_per_median_absolute_deviation *
                           std::max(median_absolute_deviation(earlier), median_absolute_deviation(later));
  const double scatter =
      2 * std::sqrt(2 / static_cast<double>(std::min(earlier.size(), later.size()))) * 1.2533 * deviation;
  return {std::abs(after - before) / std::abs(after), tolerance + scatter / std::abs(after)};
}

ASSAY_DETAIL_HEADER_INLINE bool SteadyState::add(double value) {
  detail::expect_samples({&value, 1}, 1, "SteadyState::add()");
  last_.push_back(value);
  ++count_;
  if (last_.size() > 2 * criterion_.window) last_.erase(last_.begin());
  if (last_.size() < 2 * criterion_.window) return false;
  const std::span<const double> all(last_);
  drift_ = drift_between(all.first(criterion_.window), all.last(criterion_.window), criterion_.tolerance);
  return steady_ = steady_ || drift_.moved <= drift_.allowed;
}

ASSAY_DETAIL_HEADER_INLINE std::string SteadyState::reason() const {
  if (steady_) return {};
  if (last_.size() < 2 * criterion_.window)
    return "never got steady: only " + std::to_string(count_) + " values while warming up, and the criterion needs " +
           std::to_string(2 * criterion_.window);
  return "never got steady: after " + std::to_string(count_) + " values of warm-up the median still moved by " +
         number_text(100 * drift_.moved) + " % within " + std::to_string(criterion_.window) + " values, where " +
         number_text(100 * drift_.allowed) + " % are allowed";
}

}  // namespace assay::inline v0
