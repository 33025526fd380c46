#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/monotonic_time.hpp"
#include "assay/telemetry/detail/shared_library.hpp"
#include "assay/telemetry/vendor_library.hpp"

namespace assay::inline v0::detail {

/// What a call of a library came to, before it is a reading.
struct LibraryAnswer {
  ReadingState state = ReadingState::unsupported;
  double value = 0;
  std::uint64_t count = 0;
  std::string reason;

  [[nodiscard]] static LibraryAnswer of(double value) { return {ReadingState::value, value, 0, {}}; }
  [[nodiscard]] static LibraryAnswer counted(std::uint64_t count) { return {ReadingState::value, 0, count, {}}; }
  [[nodiscard]] static LibraryAnswer none(ReadingState state, std::string reason) {
    return {state, 0, 0, std::move(reason)};
  }
};

/// A library of which each sensor is a question.
class AskedLibrary : public VendorLibrary {
 public:
  [[nodiscard]] Reading read(std::size_t sensor) override {
    const LibraryAnswer answer = ask_[sensor]();
    const std::int64_t now = monotonic_nanoseconds();
    const Sensor& described = sensors_[sensor];
    if (answer.state != ReadingState::value) return Reading::none(sensor, now, answer.state, answer.reason);
    if (is_counter(described.quantity) || described.quantity == Quantity::throttle_reasons)
      return Reading::counted(sensor, now, answer.count, described.scale);
    return Reading::of(sensor, now, answer.value);
  }

 protected:
  /// Adds a sensor of the device that was added last.
  void add(Sensor sensor, std::function<LibraryAnswer()> how) {
    sensor.device = devices_.size() - 1;
    sensors_.push_back(std::move(sensor));
    ask_.push_back(std::move(how));
  }

 private:
  std::vector<std::function<LibraryAnswer()>> ask_;
};

}  // namespace assay::inline v0::detail
