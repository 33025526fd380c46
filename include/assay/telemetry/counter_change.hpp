#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "assay/telemetry/reading.hpp"
#include "assay/telemetry/sensor.hpp"

namespace assay::inline v0 {

/// By how much a counter grew between two or more readings.
struct CounterChange {
  double amount = 0;         ///< in the unit of the quantity; of the stretches between resets only
  std::uint64_t counts = 0;  ///< the same, before the sensor's scale
  std::size_t steps = 0;     ///< pairs of neighboring values that were compared
  std::size_t wraps = 0;     ///< passed the sensor's `wraps_at`, which is part of the amount
  std::size_t resets = 0;    ///< decreases: what was counted in between is unknown, and is no part of the amount

  /// Whether the amount is all that was counted: something was compared, and nothing was lost at a reset.
  [[nodiscard]] bool complete() const noexcept { return steps > 0 && resets == 0; }
};

/// Adds the step from one count to the next. A decrease is a wrap where the sensor has `wraps_at` and the step is less
/// than half of that: a counter that is read often enough moves little between readings, so a larger step is a reset.
inline void add_step(CounterChange& change, const Sensor& sensor, std::uint64_t before, std::uint64_t after) {
  ++change.steps;
  std::uint64_t step = after - before;
  if (after < before) {
    const std::uint64_t range = sensor.wraps_at.value_or(0);
    const bool known = range > 0 && before <= range && range - before + after < range / 2;
    if (!known) {
      ++change.resets;
      return;
    }
    ++change.wraps;
    step = range - before + after;
  }
  change.counts += step;
  change.amount += static_cast<double>(step) * sensor.scale;
}

/// The change over readings of one sensor, in order of time; those without a value are passed over. O(readings).
[[nodiscard]] inline CounterChange counter_change(const Sensor& sensor, std::span<const Reading> readings) {
  CounterChange change;
  const Reading* before = nullptr;
  for (const Reading& reading : readings) {
    if (!reading.has_value()) continue;
    if (before != nullptr) add_step(change, sensor, before->count, reading.count);
    before = &reading;
  }
  return change;
}

}  // namespace assay::inline v0
