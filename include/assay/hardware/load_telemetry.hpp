#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/hardware/power.hpp"
#include "assay/hardware/thermal.hpp"
#include "assay/telemetry/recording.hpp"

namespace assay::inline v0 {

/// What a recording beside a load is held to.
struct LoadTelemetryOptions {
  PowerOptions power;      ///< `related` is not used: `join_devices` has joined them; a specification holds for all
  ThermalOptions thermal;  ///< likewise
  /// Patterns of ids → watts that such a device was sold with. A device that none matches is held to the limit that it
  /// tells as its default, if it does, and else to its enforced one alone.
  std::vector<std::pair<std::string, double>> specifications;
  /// Patterns of ids that are under full load from `load_begin` to `load_end`. The power of others is skipped, unless
  /// they tell that they were busy.
  std::vector<std::string> loaded;
  std::optional<std::int64_t> load_begin;  ///< nanoseconds by the clock of the readings; absent: the recording's own
  std::optional<std::int64_t> load_end;    ///< likewise
  bool steady_load = true;                 ///< false: the load changes, and power is not judged by it
  double busy_utilization = 0.9;           ///< from which on a device counts as busy
  double busy_share = 0.9;                 ///< of the polls within the load, that must be busy
  double link_errors_a_minute = 80;        ///< corrected errors and replays of a link that are no failure
};

/// A recording in which what several sources name is one device: a GPU of a vendor's library and its PCI address; the
/// clocks, the RAPL zone and the chip of sensors of a processor. The first id stays. O(devices² + sensors).
[[nodiscard]] Recording join_devices(Recording recording);

/// What telemetry says of a machine that was recorded while it worked. Of each device of a joined recording:
///
/// - `hardware/sensors/<id>`: the gate. `fail` where the device was lost, where errors of its memory were counted, rows
///   were replaced, a link went down or had more errors than allowed, or the driver asks for a reset; `inconclusive`,
///   with codes in the label "reason_codes", where sensors fell silent or counters were set back; `unsupported` where
///   nothing told a value.
/// - `hardware/power/<id>` and `hardware/thermal/<id>`, of GPUs, accelerators and processors that have such sensors: as
///   `judge_power` and `judge_thermal` judge the load. A device that nothing says to be loaded is `skipped` for power.
///
/// And of the kernel's log, if it was read, `hardware/kernel_log`: `fail` by a message after which a device cannot be
/// trusted. Without any device: one outcome `hardware/sensors`, `unsupported`. O(readings).
[[nodiscard]] std::vector<Outcome> judge_load_telemetry(const Recording& joined,
                                                        const LoadTelemetryOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/load_telemetry.ipp"
#endif
