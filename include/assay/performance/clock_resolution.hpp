#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>

namespace assay::inline v0 {

/// What a clock can tell.
struct ClockResolution {
  double resolution_seconds = 0;  ///< the smallest step seen; 0: it did not move within the readings
  double overhead_seconds = 0;    ///< of one reading: what an empty measurement shows
};

/// The monotonic clock, in seconds from an arbitrary start.
[[nodiscard]] inline double monotonic_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Measures a clock that gives seconds, by `readings` in a row: the smallest step that is above 0 and the mean time of
/// a reading. A clock that stands still longer than the readings take has 0 for both.
template <class Clock>
[[nodiscard]] ClockResolution clock_resolution(Clock&& now, std::size_t readings = 20000) {
  const double start = now();
  double last = start, smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < readings; ++i) {
    const double value = now();
    if (value > last) smallest = std::min(smallest, value - last);
    last = value;
  }
  if (!(last > start)) return {};
  return {smallest, (last - start) / static_cast<double>(readings)};
}
[[nodiscard]] inline ClockResolution clock_resolution() {
  return clock_resolution(monotonic_seconds);
}

}  // namespace assay::inline v0
