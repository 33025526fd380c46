#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace assay::inline v0 {

/// What a sensor reads. Sources bring everything to these quantities and their units, so that a verdict asks for
/// "power" and not for the names of a vendor.
enum class Quantity {
  temperature,         ///< of the place that the sensor's name says
  temperature_limit,   ///< at which the device slows down or stops
  temperature_margin,  ///< how far below its limit the device is; negative: above
  power,               ///< now, or averaged by the device over a second or less
  power_limit,         ///< that is enforced now
  energy,              ///< a counter
  clock,               ///< frequency now
  clock_limit,         ///< the most that is allowed
  throttle_reasons,    ///< flags: see `ThrottleReason`
  throttle_time,       ///< a counter: how long clocks were held down
  throttle_count,      ///< a counter of events
  utilization,         ///< share of time in which the device worked, 0 to 1
  fan,                 ///< revolutions per minute
  fan_share,           ///< of the most, 0 to 1
  voltage,             ///< electric
  current,             ///< electric
  corrected_errors,    ///< a counter, of memory or link
  uncorrected_errors,  ///< a counter, of memory or link
  repaired_rows,       ///< a counter: rows or pages of memory that were replaced
  link_width,          ///< lanes
  link_width_limit,    ///< lanes that the device could use
  link_speed,          ///< transfers per second and lane
  link_speed_limit,    ///< that the device could use
  link_replays,        ///< a counter of repeated packets
  link_state,          ///< 1 up, 0 down
  recovery_action,     ///< what the driver asks for: 0 nothing, 1 reset, 2 reboot, 3 drain, 4 drain and reset
  events               ///< a counter of messages of a class
};

/// How many quantities there are.
inline constexpr int quantity_count = static_cast<int>(Quantity::events) + 1;

namespace detail {

struct QuantityFacts {
  Quantity quantity;
  std::string_view name, unit;
  bool counter;
};

inline constexpr std::array<QuantityFacts, quantity_count> quantity_facts{{
    {Quantity::temperature, "temperature", "°C", false},
    {Quantity::temperature_limit, "temperature_limit", "°C", false},
    {Quantity::temperature_margin, "temperature_margin", "°C", false},
    {Quantity::power, "power", "W", false},
    {Quantity::power_limit, "power_limit", "W", false},
    {Quantity::energy, "energy", "J", true},
    {Quantity::clock, "clock", "Hz", false},
    {Quantity::clock_limit, "clock_limit", "Hz", false},
    {Quantity::throttle_reasons, "throttle_reasons", "1", false},
    {Quantity::throttle_time, "throttle_time", "s", true},
    {Quantity::throttle_count, "throttle_count", "1", true},
    {Quantity::utilization, "utilization", "1", false},
    {Quantity::fan, "fan", "rpm", false},
    {Quantity::fan_share, "fan_share", "1", false},
    {Quantity::voltage, "voltage", "V", false},
    {Quantity::current, "current", "A", false},
    {Quantity::corrected_errors, "corrected_errors", "1", true},
    {Quantity::uncorrected_errors, "uncorrected_errors", "1", true},
    {Quantity::repaired_rows, "repaired_rows", "1", true},
    {Quantity::link_width, "link_width", "lanes", false},
    {Quantity::link_width_limit, "link_width_limit", "lanes", false},
    {Quantity::link_speed, "link_speed", "T/s", false},
    {Quantity::link_speed_limit, "link_speed_limit", "T/s", false},
    {Quantity::link_replays, "link_replays", "1", true},
    {Quantity::link_state, "link_state", "1", false},
    {Quantity::recovery_action, "recovery_action", "1", false},
    {Quantity::events, "events", "1", true},
}};

}  // namespace detail

/// The name in recordings and on the command line.
[[nodiscard]] constexpr std::string_view name_of(Quantity quantity) noexcept {
  return detail::quantity_facts[static_cast<std::size_t>(quantity)].name;
}

/// The unit of every reading of it: "W", "°C", "Hz", …; "1" for counts and flags.
[[nodiscard]] constexpr std::string_view unit_of(Quantity quantity) noexcept {
  return detail::quantity_facts[static_cast<std::size_t>(quantity)].unit;
}

/// Whether it only counts up. A single reading of a counter says nothing: differences do, see `counter_change`.
[[nodiscard]] constexpr bool is_counter(Quantity quantity) noexcept {
  return detail::quantity_facts[static_cast<std::size_t>(quantity)].counter;
}

/// The quantity of that name; nothing where the name is unknown.
[[nodiscard]] constexpr std::optional<Quantity> quantity_named(std::string_view name) noexcept {
  for (const detail::QuantityFacts& facts : detail::quantity_facts)
    if (facts.name == name) return facts.quantity;
  return std::nullopt;
}

}  // namespace assay::inline v0
