#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace assay::inline v0 {

/// What came of asking a sensor.
enum class ReadingState {
  value,        ///< it told, and this is what it told
  unsupported,  ///< the device or the library does not offer it
  failed,       ///< it should have told, and did not: no permission, an error, a deadline
  lost          ///< the device is no longer there
};

/// In the order of `ReadingState`.
inline constexpr std::array<ReadingState, 4> all_reading_states{ReadingState::value, ReadingState::unsupported,
                                                                ReadingState::failed, ReadingState::lost};

/// The name in recordings.
[[nodiscard]] constexpr std::string_view name_of(ReadingState state) noexcept {
  switch (state) {
    case ReadingState::value: return "value";
    case ReadingState::unsupported: return "unsupported";
    case ReadingState::failed: return "failed";
    case ReadingState::lost: return "lost";
  }
  return "failed";
}

/// The state of that name; nothing where the name is unknown.
[[nodiscard]] constexpr std::optional<ReadingState> reading_state_named(std::string_view name) noexcept {
  for (const ReadingState state : all_reading_states)
    if (name_of(state) == name) return state;
  return std::nullopt;
}

/// One answer of a sensor. Where there is no value there is a reason, and never a number that stands for one.
struct Reading {
  std::size_t sensor = 0;        ///< position in the source's, or the recording's, `sensors`
  std::int64_t nanoseconds = 0;  ///< when it was read, by the monotonic clock (`std::chrono::steady_clock`)
  ReadingState state = ReadingState::failed;
  double value = 0;         ///< in the unit of the quantity; 0 unless there is a value
  std::uint64_t count = 0;  ///< of counters and flags, before the sensor's scale: exact where `value` is rounded
  std::string reason;       ///< why there is no value

  /// Whether there is a value.
  [[nodiscard]] bool has_value() const noexcept { return state == ReadingState::value; }

  /// A number of a gauge; `failed` where it is not finite.
  [[nodiscard]] static Reading of(std::size_t sensor, std::int64_t nanoseconds, double value) {
    if (!std::isfinite(value)) return none(sensor, nanoseconds, ReadingState::failed, "the number is not finite");
    return {sensor, nanoseconds, ReadingState::value, value, 0, {}};
  }
  /// A count of a counter, or flags; `scale` is that of the sensor.
  [[nodiscard]] static Reading counted(std::size_t sensor, std::int64_t nanoseconds, std::uint64_t count,
                                       double scale = 1) {
    return {sensor, nanoseconds, ReadingState::value, static_cast<double>(count) * scale, count, {}};
  }
  /// No value, and why. Precondition: `state` is not `value`.
  [[nodiscard]] static Reading none(std::size_t sensor, std::int64_t nanoseconds, ReadingState state,
                                    std::string reason) {
    return {sensor, nanoseconds, state, 0, 0, std::move(reason)};
  }
};

}  // namespace assay::inline v0
