#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "assay/telemetry/reading.hpp"
#include "assay/telemetry/sensor.hpp"

namespace assay::inline v0 {

/// A vendor's library that tells of its devices, opened in this process. Its calls may hang, abort the process, or print:
/// so `serve_readings` has it in a process of its own, and `WorkerSource` is what others use.
class VendorLibrary {
 public:
  virtual ~VendorLibrary() = default;
  VendorLibrary() = default;
  VendorLibrary(const VendorLibrary&) = delete;
  VendorLibrary& operator=(const VendorLibrary&) = delete;

  /// Found when the library was opened, and the same from then on.
  [[nodiscard]] const std::vector<TelemetryDevice>& devices() const noexcept { return devices_; }
  /// As of `devices()`.
  [[nodiscard]] const std::vector<Sensor>& sensors() const noexcept { return sensors_; }

  /// Asks one sensor. Precondition: `sensor` is a position in `sensors()`.
  [[nodiscard]] virtual Reading read(std::size_t sensor) = 0;

 protected:
  /// For those who derive: added while the library is opened.
  std::vector<TelemetryDevice> devices_;
  /// As of `devices_`.
  std::vector<Sensor> sensors_;
};

}  // namespace assay::inline v0
