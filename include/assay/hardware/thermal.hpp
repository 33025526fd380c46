#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/telemetry/recording.hpp"

namespace assay::inline v0 {

/// What held a device's clocks down, in the label "throttle" of an outcome.
enum class ThrottleCause {
  none,         ///< none of these did; the derivation names what else was told
  power_cap,    ///< the power limit, which under full load is normal
  thermal,      ///< heat
  power_brake,  ///< the machine's power supply
  unexplained   ///< clocks fell, and none of these was told
};

/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(ThrottleCause cause) noexcept {
  constexpr std::array<std::string_view, 5> names{"none", "power_cap", "thermal", "power_brake", "unexplained"};
  return names[static_cast<std::size_t>(cause)];
}

/// When heat is a failure.
struct ThermalOptions {
  double least_margin = 5;        ///< °C between the hottest steady temperature and its limit
  double near_limit = 5;          ///< °C within which a throttle reason of heat is confirmed by the temperature
  double steepest = 0.5;          ///< °C a minute, of what is steady
  double power_variation = 0.02;  ///< coefficient of variation of power, of what is steady
  double steady_seconds = 60;     ///< at the end of the recording
  double ramp_seconds = 30;       ///< from the beginning, before which nothing is judged but throttling by heat
  int consecutive_polls = 3;      ///< with a reason of heat, until it counts
  double throttled_share = 0.01;  ///< of the time, by the device's own counters, until it counts
  double clock_drop = 0.05;       ///< of the first unthrottled clock, until it wants a reason
  /// Between values of a sensor: see `ValidityOptions`.
  double longest_gap_seconds = 3;
  std::vector<std::string> related;  ///< ids of devices that are the same thing in other sources
};

/// Whether a device under load stays cool enough, from a recording of that load.
///
/// `fail`: heat held its clocks down (reasons in consecutive polls, or its counters), the power brake did, clocks fell
/// without a reason, or the steady temperature is nearer to its limit than allowed. `pass`: steady, with its margin, and
/// throttled by the power cap at most. `inconclusive`: not steady at the end (too_short, not_steady), or what
/// `check_validity` finds, or no_throttle_information, or no_limit. `unsupported`: no temperature is told at all. The
/// label "throttle" has the cause. O(readings).
[[nodiscard]] Outcome judge_thermal(const Recording& recording, const std::string& device,
                                    const ThermalOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/thermal.ipp"
#endif
