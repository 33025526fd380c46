#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/telemetry/reading.hpp"
#include "assay/telemetry/sensor.hpp"
#include "assay/telemetry/telemetry_event.hpp"

namespace assay::inline v0 {

/// Something that tells of devices.
///
/// - `devices()` and `sensors()` are the same for the life of a source: what goes is `lost`, and is not left out.
/// - `poll()` asks the sensors that are due, and answers for each of them in one of the four states. It blocks for as
///   long as the source promises, never longer: what may hang is asked in another process (`WorkerSource`). It throws
///   nothing but std::bad_alloc.
/// - Not thread-safe: one thread at a time.
///
/// Optional: `std::vector<TelemetryEvent> take_events()`, what happened since the last call.
template <class S>
concept Source = requires(S& source, const S& constant) {
  { constant.name() } -> std::convertible_to<std::string>;
  { constant.devices() } -> std::same_as<const std::vector<TelemetryDevice>&>;
  { constant.sensors() } -> std::same_as<const std::vector<Sensor>&>;
  { source.poll() } -> std::same_as<std::vector<Reading>>;
};

/// Any `Source`, owned; itself one.
class AnySource {
 public:
  /// Holds the source.
  template <Source S>
  explicit AnySource(S source) : held_(std::make_unique<Held<S>>(std::move(source))) {}

  /// Of the source that is held, as are those that follow.
  [[nodiscard]] std::string name() const { return held_->name(); }
  [[nodiscard]] const std::vector<TelemetryDevice>& devices() const { return held_->devices(); }
  [[nodiscard]] const std::vector<Sensor>& sensors() const { return held_->sensors(); }
  [[nodiscard]] std::vector<Reading> poll() { return held_->poll(); }
  /// Empty for sources that have none.
  [[nodiscard]] std::vector<TelemetryEvent> take_events() { return held_->take_events(); }

 private:
  struct Base {
    virtual ~Base() = default;
    [[nodiscard]] virtual std::string name() const = 0;
    [[nodiscard]] virtual const std::vector<TelemetryDevice>& devices() const = 0;
    [[nodiscard]] virtual const std::vector<Sensor>& sensors() const = 0;
    [[nodiscard]] virtual std::vector<Reading> poll() = 0;
    [[nodiscard]] virtual std::vector<TelemetryEvent> take_events() = 0;
  };

  template <class S>
  struct Held final : Base {
    explicit Held(S held) : source(std::move(held)) {}
    std::string name() const override { return source.name(); }
    const std::vector<TelemetryDevice>& devices() const override { return source.devices(); }
    const std::vector<Sensor>& sensors() const override { return source.sensors(); }
    std::vector<Reading> poll() override { return source.poll(); }
    std::vector<TelemetryEvent> take_events() override {
      if constexpr (requires { source.take_events(); })
        return source.take_events();
      else
        return {};
    }
    S source;
  };

  std::unique_ptr<Base> held_;
};

}  // namespace assay::inline v0
