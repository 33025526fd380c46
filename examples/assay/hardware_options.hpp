#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "telemetry_sources.hpp"

namespace CLI {
class App;
}

namespace assay_program {

/// What `assay hardware` is asked for, as it was typed.
struct HardwareOptions {
  std::string action;  ///< check, memory, stress, power, thermal, bandwidth, pools or soak
  int level = 1;
  std::string bytes;                 ///< of memory to test
  std::vector<std::string> tests;    ///< of memory
  std::vector<std::string> formats;  ///< of the stress
  std::optional<double> seconds;
  std::string processors;
  std::string storage;  ///< a folder
  std::string trace;    ///< a file with a trace of allocations
  std::string journal;  ///< of a soak
  double pulses = 0;
  std::optional<double> peak;              ///< Gop/s
  std::optional<double> memory_bandwidth;  ///< GB/s
  double least_share = 0;
  bool coverage = false;  ///< print the table of fault classes, and test nothing
  std::uint64_t seed = 1;
  std::string report, html;
  TelemetryOrigin telemetry;                ///< "none" among the sources: it is not read
  std::vector<std::string> loaded;          ///< patterns of devices that a load of the user's own keeps busy
  std::vector<std::string> specifications;  ///< PATTERN=WATTS
  double ramp = 30, steady = 60;            ///< seconds
  std::string recording;                    ///< where it is kept
};

CLI::App& add_hardware_command(CLI::App& app, HardwareOptions& options);

/// Refuses numbers and lists that cannot be meant, and an action that is missing. Error `invalid`.
[[nodiscard]] assay::Result<void> check_hardware_options(const HardwareOptions& options);

/// "gpu/*=700": pattern and watts. Error `invalid`.
[[nodiscard]] assay::Result<std::vector<std::pair<std::string, double>>> specified_watts(
    const HardwareOptions& options);

/// "64M", "1.5GiB": bytes; nothing typed: `otherwise`. Error `invalid`.
[[nodiscard]] assay::Result<std::size_t> hardware_bytes(const HardwareOptions& options, std::size_t otherwise);

}  // namespace assay_program
