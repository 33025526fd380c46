#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/run.hpp"
#include "assay/telemetry/reading.hpp"

namespace assay::inline v0 {

/// How a node is: what its scheduler is told.
enum class HealthLevel { ok, warning, critical, unknown };
/// "OK", "WARNING", "CRITICAL", "UNKNOWN".
[[nodiscard]] constexpr std::string_view name_of(HealthLevel level) noexcept {
  constexpr std::array<std::string_view, 4> names{"OK", "WARNING", "CRITICAL", "UNKNOWN"};
  return names[static_cast<std::size_t>(level)];
}

/// A reading of a device, or of the host (device "host", "disk:/scratch", …).
struct NodeReading {
  std::string device;
  std::string name;  ///< "temperature_celsius"; counters end in "_total"
  ReadingState state = ReadingState::value;
  double value = 0;  ///< in the base unit that the name ends in
};

/// What was found on a node, from wherever: sysfs, telemetry, results of suites.
struct NodeObservation {
  std::string node;
  double seconds = 0;                           ///< since 1970
  std::vector<std::string> devices;             ///< present accelerators, by PCI address or UUID
  std::map<std::string, std::string> versions;  ///< "driver nvidia" → "580.65.06"
  std::vector<NodeReading> readings;
  std::vector<Outcome> outcomes;  ///< of suites, preflights, hardware checks
};

/// What a reading may be. Readings of devices that match both globs are held to it.
struct NodeLimit {
  std::string device = "*";  ///< glob of devices
  std::string reading;
  /// What the value must lie between, both included, in the base unit of the reading; absent: no such bound.
  std::optional<double> minimum, maximum;
  std::optional<double> most_increase;  ///< since the last check, of a counter
  /// Another reading of the same device, such as the widest link; where it cannot be read the node is UNKNOWN.
  std::optional<std::string> at_least;
  HealthLevel level = HealthLevel::critical;
  bool optional = false;  ///< it is no fault where nobody offers it
  std::string remedy;     ///< what to do where it is broken; empty: nothing is advised
};

/// What a node must have.
struct NodeManifest {
  std::string name;                             ///< of the node; nothing is judged by it
  std::vector<std::string> devices;             ///< all of them; one that is absent is a failure
  std::optional<std::size_t> device_count;      ///< where addresses differ from node to node
  std::map<std::string, std::string> versions;  ///< "driver nvidia" → the only one that is right
  std::vector<NodeLimit> limits;
  std::map<std::string, std::size_t> paths;  ///< glob → how many there must be: "/dev/nvidia?" → 8
  std::vector<std::string> disks;            ///< folders whose free space is read
};

/// What is known of a node since before.
struct NodeState {
  double seconds = 0;                              ///< of the last check; 0: there was none
  std::map<std::string, double> counters;          ///< "device/reading" → value
  std::vector<HealthLevel> history;                ///< newest last, `most_history` at most
  static constexpr std::size_t most_history = 32;  ///< levels of past checks that are kept
};

/// One thing that was found.
struct NodeFinding {
  HealthLevel level = HealthLevel::unknown;
  std::string what;    ///< "gpu3 is absent"
  std::string remedy;  ///< what to do; empty: nothing is advised
};

/// How a node is, and why.
struct NodeReport {
  std::string node;
  HealthLevel level = HealthLevel::unknown;
  std::vector<NodeFinding> findings;  ///< worst first
  std::vector<std::string> notes;   ///< what is no fault, but worth knowing: counters that were reset, repeated faults
  std::size_t checks = 0;           ///< that were made
  std::size_t devices_present = 0;  ///< different ones that were observed
  std::optional<std::size_t> devices_expected;  ///< by the manifest; absent: it does not say
  NodeState state;                              ///< for the next check
};

/// The limits that hold where nobody says otherwise: links as wide as they can be (warning), no new uncorrected memory
/// errors, few corrected ones (warning), synchronized clock (warning), disks not full.
[[nodiscard]] std::vector<NodeLimit> default_node_limits();

/// Judges. Absent and doubled devices, lost readings, kept limits, increases since `before` (a counter that fell began
/// anew: its value is the increase), versions, failed outcomes, a clock that went back, and, from the history, repeated
/// faults and flapping. The level is the worst finding's, CRITICAL before UNKNOWN before WARNING; a node of which
/// nothing was checked is UNKNOWN. O(limits · readings + outcomes).
[[nodiscard]] NodeReport judge_node(const NodeManifest& manifest, const NodeObservation& observation,
                                    const NodeState& before = {});

/// The report as a run: an outcome a finding, or one that passed; UNKNOWN becomes `error`, WARNING `inconclusive`.
[[nodiscard]] Run node_run(const NodeReport& report);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/node/node_health.ipp"
#endif
