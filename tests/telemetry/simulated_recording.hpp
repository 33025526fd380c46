#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "assay/telemetry/recording.hpp"

namespace assay::testing {

/// A recording of one accelerator, from functions of the time in seconds.
class SimulatedRecording {
 public:
  explicit SimulatedRecording(double seconds, std::string id = "gpu/GPU-0") : seconds_(seconds) {
    recording_.begin_nanoseconds = begin;
    recording_.end_nanoseconds = begin + at(seconds);
    recording_.devices.push_back({std::move(id), "Simulated", "gpu", ""});
  }

  /// A gauge that is polled so often; the state other than value is what `state` says.
  SimulatedRecording& gauge(Quantity quantity, const std::string& name, const std::function<double(double)>& value,
                            double interval = 0.1, const std::string& limits = "") {
    const std::size_t sensor = add({0, quantity, name, limits, 1, {}, !limits.empty()});
    for (std::int64_t i = 0; at(interval) * i <= at(seconds_); ++i)
      recording_.add(Reading::of(sensor, begin + at(interval) * i, value(interval * static_cast<double>(i))));
    return *this;
  }
  SimulatedRecording& limit(Quantity quantity, double value, const std::string& name, const std::string& limits) {
    return gauge(
        quantity, name, [value](double) { return value; }, 5, limits);
  }
  /// A counter, whose value is a count.
  SimulatedRecording& counter(Quantity quantity, const std::function<double(double)>& count, double scale = 1,
                              double interval = 0.1) {
    const std::size_t sensor = add({0, quantity, "", "", scale, {}, false});
    for (std::int64_t i = 0; at(interval) * i <= at(seconds_); ++i)
      recording_.add(Reading::counted(sensor, begin + at(interval) * i,
                                      static_cast<std::uint64_t>(count(interval * static_cast<double>(i))), scale));
    return *this;
  }
  /// Energy in mJ, of power in watts.
  SimulatedRecording& energy(const std::function<double(double)>& watts, double interval = 0.1) {
    double joules = 1000, until = 0;
    return counter(
        Quantity::energy,
        [=](double t) mutable {
          for (; until < t; until += 0.01) joules += watts(until) * 0.01;
          return joules * 1000;
        },
        1e-3, interval);
  }
  SimulatedRecording& reasons(const std::function<std::uint64_t(double)>& flags, double interval = 0.1) {
    return counter(
        Quantity::throttle_reasons, [&](double t) { return static_cast<double>(flags(t)); }, 1, interval);
  }
  /// From that time on, and for so long, the sensors have no value.
  SimulatedRecording& silent(double from, double to, ReadingState state, const std::string& reason) {
    for (auto& readings : recording_.readings)
      for (Reading& reading : readings)
        if (reading.nanoseconds >= begin + at(from) && reading.nanoseconds < begin + at(to))
          reading = Reading::none(reading.sensor, reading.nanoseconds, state, reason);
    return *this;
  }

  [[nodiscard]] Recording& recording() { return recording_; }

 private:
  static constexpr std::int64_t begin = 5'000'000'000;
  [[nodiscard]] static std::int64_t at(double seconds) { return static_cast<std::int64_t>(seconds * 1e9); }
  std::size_t add(const Sensor& sensor) {
    recording_.sensors.push_back(sensor);
    recording_.readings.emplace_back();
    return recording_.sensors.size() - 1;
  }

  double seconds_;
  Recording recording_;
};

}  // namespace assay::testing
