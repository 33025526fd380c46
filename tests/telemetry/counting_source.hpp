#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "assay/telemetry/source.hpp"

namespace assay::testing {

/// Counts its polls, and takes as long over each as it is told.
struct CountingSource {
  std::string label;
  std::chrono::milliseconds delay{0};
  std::uint64_t polls = 0;
  std::vector<TelemetryDevice> own_devices{{label, "", "", ""}};
  std::vector<Sensor> own_sensors{{0, Quantity::events, "polls", "", 1, {}, false}};

  [[nodiscard]] std::string name() const { return label; }
  [[nodiscard]] const std::vector<TelemetryDevice>& devices() const { return own_devices; }
  [[nodiscard]] const std::vector<Sensor>& sensors() const { return own_sensors; }
  [[nodiscard]] std::vector<Reading> poll() {
    std::this_thread::sleep_for(delay);
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return {Reading::counted(0, std::chrono::duration_cast<std::chrono::nanoseconds>(now).count(), ++polls)};
  }
};

/// The same with an event a call.
struct EventfulSource : CountingSource {
  EventfulSource() : CountingSource{"eventful"} {}
  [[nodiscard]] std::vector<TelemetryEvent> take_events() { return {{0, "gpu", "xid", 79, "reboot", true, "gone"}}; }
};

}  // namespace assay::testing
