#pragma once

#include <optional>
#include <string_view>

namespace assay::inline v0 {

/// Which way a metric gets better: seconds and joules by falling, operations a second by rising.
enum class Direction { lower_is_better, higher_is_better };

/// The name in files.
[[nodiscard]] constexpr std::string_view name_of(Direction direction) noexcept {
  return direction == Direction::lower_is_better ? "lower_is_better" : "higher_is_better";
}

/// The direction of that name; nothing where the name is unknown.
[[nodiscard]] constexpr std::optional<Direction> direction_named(std::string_view name) noexcept {
  for (const Direction direction : {Direction::lower_is_better, Direction::higher_is_better})
    if (name_of(direction) == name) return direction;
  return std::nullopt;
}

/// By what share a metric got worse when its value became `ratio` times what it was: 0.02 for seconds × 1.02 and for a
/// throughput × 0.98. Negative where it got better.
[[nodiscard]] constexpr double worsening(Direction direction, double ratio) noexcept {
  return direction == Direction::lower_is_better ? ratio - 1 : 1 - ratio;
}

}  // namespace assay::inline v0
