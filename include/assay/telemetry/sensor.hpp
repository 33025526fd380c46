#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "assay/telemetry/quantity.hpp"

namespace assay::inline v0 {

/// Something that has sensors: a GPU, a processor package, a memory controller, a port.
struct TelemetryDevice {
  /// The same in every run on this machine: "gpu/GPU-4f3c…", "pci/0000:3b:00.0", "package/0".
  std::string id;
  std::string name;    ///< for people: "NVIDIA H100 80GB HBM3"; may be empty
  std::string kind;    ///< gpu, processor, memory, port, sensors, kernel, …
  std::string parent;  ///< the id of the device that it belongs to: the upstream port, the primary die; may be empty
};

/// One place where a device tells a quantity.
struct Sensor {
  std::size_t device = 0;  ///< position in `devices`
  Quantity quantity = Quantity::temperature;
  /// Which of several: "edge", "memory", "core 3", "critical edge". A limit is named as what it limits, see `limits`.
  std::string name;
  std::string limits;  ///< of a limit: what it limits, and how: "critical", "max", "enforced", "default"; else empty
  double scale = 1;    ///< of counters: the quantity's unit for one count, 1e-6 for µJ
  /// Of counters: the count after which it begins at 0 again. Empty: it never does, as far as is known.
  std::optional<std::uint64_t> wraps_at;
  bool seldom = false;  ///< it changes rarely (a limit, a count of errors): sources read it every few seconds

  /// For people: "power", "temperature edge", "temperature_limit edge (critical)".
  [[nodiscard]] std::string text() const {
    return std::string(name_of(quantity)) + (name.empty() ? "" : " " + name) +
           (limits.empty() ? "" : " (" + limits + ")");
  }
};

}  // namespace assay::inline v0
