#pragma once

#include "assay/telemetry/recording.hpp"

#include <algorithm>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::size_t Recording::add(const std::vector<TelemetryDevice>& more_devices,
                                                      const std::vector<Sensor>& more_sensors) {
  const std::size_t first_device = devices.size(), first_sensor = sensors.size();
  devices.insert(devices.end(), more_devices.begin(), more_devices.end());
  for (Sensor sensor : more_sensors) {
    expect(sensor.device < more_devices.size(), [&] {
      return "The sensor '" + sensor.text() + "' names device " + std::to_string(sensor.device) + " of " +
             std::to_string(more_devices.size()) + "; name one that is added with it.";
    });
    sensor.device += first_device;
    sensors.push_back(std::move(sensor));
  }
  readings.resize(sensors.size());
  return first_sensor;
}

ASSAY_DETAIL_HEADER_INLINE void Recording::add(Reading reading) {
  expect(reading.sensor < sensors.size(), [&] {
    return "A reading names sensor " + std::to_string(reading.sensor) + " of " + std::to_string(sensors.size()) +
           "; add the sensor first.";
  });
  end_nanoseconds = std::max(end_nanoseconds, reading.nanoseconds);
  readings[reading.sensor].push_back(std::move(reading));
}

ASSAY_DETAIL_HEADER_INLINE std::optional<std::size_t> Recording::device(std::string_view id) const {
  for (std::size_t i = 0; i < devices.size(); ++i)
    if (devices[i].id == id) return i;
  return std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::size_t> Recording::sensors_of(std::size_t device, Quantity quantity) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < sensors.size(); ++i)
    if (sensors[i].device == device && sensors[i].quantity == quantity) found.push_back(i);
  return found;
}

ASSAY_DETAIL_HEADER_INLINE std::optional<std::size_t> Recording::sensor_of(std::size_t device,
                                                                           Quantity quantity) const {
  const std::vector<std::size_t> found = sensors_of(device, quantity);
  for (const std::size_t sensor : found)
    if (last_value(sensor)) return sensor;
  return found.empty() ? std::nullopt : std::optional(found.front());
}

ASSAY_DETAIL_HEADER_INLINE std::span<const Reading> Recording::between(std::size_t sensor, std::int64_t begin,
                                                                       std::int64_t end) const {
  const std::vector<Reading>& all = readings[sensor];
  const auto first = std::lower_bound(all.begin(), all.end(), begin,
                                      [](const Reading& reading, std::int64_t at) { return reading.nanoseconds < at; });
  const auto last = std::upper_bound(first, all.end(), end,
                                     [](std::int64_t at, const Reading& reading) { return at < reading.nanoseconds; });
  return {first, last};
}

ASSAY_DETAIL_HEADER_INLINE std::optional<double> Recording::last_value(std::size_t sensor) const {
  const std::vector<Reading>& all = readings[sensor];
  for (std::size_t i = all.size(); i-- > 0;)
    if (all[i].has_value()) return all[i].value;
  return std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE Recording part_of(const Recording& recording, std::int64_t begin, std::int64_t end) {
  Recording part;
  part.started = recording.started;
  part.devices = recording.devices;
  part.sensors = recording.sensors;
  part.warnings = recording.warnings;
  part.begin_nanoseconds = begin;
  part.end_nanoseconds = end;
  part.readings.resize(part.sensors.size());
  for (std::size_t sensor = 0; sensor < part.sensors.size(); ++sensor) {
    const std::span<const Reading> kept = recording.between(sensor, begin, end);
    std::vector<Reading>& own = part.readings[sensor];
    if (recording.sensors[sensor].seldom)
      for (const Reading& reading : recording.readings[sensor]) {
        if (reading.nanoseconds >= begin) break;
        own.assign(1, reading);
      }
    own.insert(own.end(), kept.begin(), kept.end());
  }
  for (const TelemetryEvent& event : recording.events)
    if (event.nanoseconds >= begin && event.nanoseconds <= end) part.events.push_back(event);
  return part;
}

}  // namespace assay::inline v0
