#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "assay/report/text.hpp"

namespace assay::inline v0 {

/// The clock of the processors and whether heat slowed them, as far as Linux tells. What it does not tell is empty,
/// never guessed.
struct CpuClockState {
  std::optional<double> lowest_hertz;            ///< of all processors now
  std::optional<double> highest_hertz;           ///< the most that the processor offers
  std::optional<double> limit_hertz;             ///< the highest that the governor allows
  std::string governor;                          ///< "performance", "powersave", …; several by commas
  std::optional<bool> boost;                     ///< whether clocks above the nominal are allowed
  std::optional<std::uint64_t> throttle_events;  ///< since boot, all processors and packages
};

/// Reads the state now. `root` is where the kernel shows its processors. Takes about 0.1 ms a processor: not within
/// what is measured.
[[nodiscard]] CpuClockState read_cpu_clock_state(const std::filesystem::path& root = "/sys/devices/system/cpu");

/// Whether heat slowed a processor between two readings; empty if the kernel does not tell.
[[nodiscard]] inline std::optional<bool> throttled_between(const CpuClockState& before, const CpuClockState& after) {
  if (!before.throttle_events || !after.throttle_events) return std::nullopt;
  return *after.throttle_events > *before.throttle_events;
}

/// For `RunOrigin::clocks`: what was so before and after a measurement; "unknown" for what the kernel does not tell.
[[nodiscard]] std::map<std::string, std::string> clock_summary(const CpuClockState& before, const CpuClockState& after);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/clock_state.ipp"
#endif
