#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/telemetry/counter_change.hpp"
#include "assay/telemetry/reading.hpp"
#include "assay/telemetry/sensor.hpp"
#include "assay/telemetry/telemetry_event.hpp"

namespace assay::inline v0 {

/// What sensors told over a time. Verdicts are pure functions of recordings: what was measured and what is replayed
/// are judged by the same code.
struct Recording {
  std::string started;  ///< wall-clock time of the beginning, "2026-01-31T12:00:00Z"; may be empty
  std::vector<TelemetryDevice> devices;
  std::vector<Sensor> sensors;
  std::vector<std::vector<Reading>> readings;  ///< by sensor, in order of time
  std::vector<TelemetryEvent> events;          ///< in order of time
  std::vector<std::string> warnings;           ///< of whoever read or made it
  std::int64_t begin_nanoseconds = 0;          ///< when recording began, by the clock of the readings
  std::int64_t end_nanoseconds = 0;            ///< when it ended

  /// Adds a device with its sensors' places; the position of the first sensor. O(sensors).
  std::size_t add(const std::vector<TelemetryDevice>& more_devices, const std::vector<Sensor>& more_sensors);
  /// Adds a reading, whose sensor is a position in `sensors`; the recording then ends no earlier.
  void add(Reading reading);

  /// Seconds since the beginning.
  [[nodiscard]] double seconds(std::int64_t nanoseconds) const noexcept {
    return static_cast<double>(nanoseconds - begin_nanoseconds) * 1e-9;
  }
  /// Seconds from the beginning to the end.
  [[nodiscard]] double duration_seconds() const noexcept { return seconds(end_nanoseconds); }

  /// The position of the device of that id; nothing if there is none. O(devices).
  [[nodiscard]] std::optional<std::size_t> device(std::string_view id) const;
  /// The sensors of a device that read the quantity. O(sensors).
  [[nodiscard]] std::vector<std::size_t> sensors_of(std::size_t device, Quantity quantity) const;
  /// The first of those that ever had a value; else the first; nothing where the device has none.
  [[nodiscard]] std::optional<std::size_t> sensor_of(std::size_t device, Quantity quantity) const;
  /// The part of a sensor's readings from `begin` to `end`, both included. O(log readings).
  [[nodiscard]] std::span<const Reading> between(std::size_t sensor, std::int64_t begin, std::int64_t end) const;
  /// The last value of a sensor; nothing where it never had one.
  [[nodiscard]] std::optional<double> last_value(std::size_t sensor) const;
};

/// What is true of the part of a recording from `begin` to `end` nanoseconds: devices and sensors stay, for the same
/// positions. Limits and what else is read seldom keep their last readings before `begin`, too.
[[nodiscard]] Recording part_of(const Recording& recording, std::int64_t begin, std::int64_t end);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/telemetry/recording.ipp"
#endif
