#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::inline v0 {

/// Why a device holds its clocks down, as flags of a reading of `Quantity::throttle_reasons`. The bits are those of
/// NVML's clock-event reasons, up to 0x400; other vendors' follow.
enum class ThrottleReason : std::uint64_t {
  idle = 0x1,                   ///< nothing to do
  application_clocks = 0x2,     ///< somebody asked for lower clocks
  power_cap = 0x4,              ///< the power limit, which at full load is normal
  hardware_slowdown = 0x8,      ///< thermal, power brake, or a change of the performance state: alone it says little
  sync_boost = 0x10,            ///< another device of the same group is slower
  software_thermal = 0x20,      ///< the driver holds a temperature limit
  hardware_thermal = 0x40,      ///< the device does, by halving clocks or more
  power_brake = 0x80,           ///< the machine's power supply asked for it
  display = 0x100,              ///< a display asks for these clocks
  board_limit = 0x200,          ///< the board's supply
  reliability = 0x400,          ///< to spare the device
  socket_thermal = 0x10000,     ///< AMD: the socket's temperature
  regulator_thermal = 0x20000,  ///< AMD: the voltage regulators'
  memory_thermal = 0x40000,     ///< AMD: the memory's
  processor_hot = 0x80000       ///< AMD: PROCHOT
};

/// Every reason, in the order of its bits.
inline constexpr std::array<ThrottleReason, 15> all_throttle_reasons{ThrottleReason::idle,
                                                                     ThrottleReason::application_clocks,
                                                                     ThrottleReason::power_cap,
                                                                     ThrottleReason::hardware_slowdown,
                                                                     ThrottleReason::sync_boost,
                                                                     ThrottleReason::software_thermal,
                                                                     ThrottleReason::hardware_thermal,
                                                                     ThrottleReason::power_brake,
                                                                     ThrottleReason::display,
                                                                     ThrottleReason::board_limit,
                                                                     ThrottleReason::reliability,
                                                                     ThrottleReason::socket_thermal,
                                                                     ThrottleReason::regulator_thermal,
                                                                     ThrottleReason::memory_thermal,
                                                                     ThrottleReason::processor_hot};

/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(ThrottleReason reason) noexcept {
  constexpr std::array<std::string_view, 15> names{"idle",
                                                   "application_clocks",
                                                   "power_cap",
                                                   "hardware_slowdown",
                                                   "sync_boost",
                                                   "software_thermal",
                                                   "hardware_thermal",
                                                   "power_brake",
                                                   "display",
                                                   "board_limit",
                                                   "reliability",
                                                   "socket_thermal",
                                                   "regulator_thermal",
                                                   "memory_thermal",
                                                   "processor_hot"};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (all_throttle_reasons[i] == reason) return names[i];
  return "unknown";
}

/// Whether the flags hold the reason.
[[nodiscard]] constexpr bool has_reason(std::uint64_t flags, ThrottleReason reason) noexcept {
  return (flags & static_cast<std::uint64_t>(reason)) != 0;
}

/// The flags that say that heat holds clocks down.
inline constexpr std::uint64_t thermal_reasons = static_cast<std::uint64_t>(ThrottleReason::software_thermal) |
                                                 static_cast<std::uint64_t>(ThrottleReason::hardware_thermal) |
                                                 static_cast<std::uint64_t>(ThrottleReason::socket_thermal) |
                                                 static_cast<std::uint64_t>(ThrottleReason::regulator_thermal) |
                                                 static_cast<std::uint64_t>(ThrottleReason::memory_thermal) |
                                                 static_cast<std::uint64_t>(ThrottleReason::processor_hot);

/// The names of the flags, joined by " + "; "none" where there are none. Bits without a name are told in hexadecimal.
[[nodiscard]] inline std::string throttle_reason_text(std::uint64_t flags) {
  std::string text;
  for (const ThrottleReason reason : all_throttle_reasons) {
    if (!has_reason(flags, reason)) continue;
    text += (text.empty() ? "" : " + ") + std::string(name_of(reason));
    flags &= ~static_cast<std::uint64_t>(reason);
  }
  constexpr std::string_view digits = "0123456789abcdef";
  std::string rest;
  for (; flags != 0; flags >>= 4) rest.insert(rest.begin(), digits[flags & 15]);
  if (!rest.empty()) text += (text.empty() ? "0x" : " + 0x") + rest;
  return text.empty() ? "none" : text;
}

}  // namespace assay::inline v0
