#pragma once

#include <chrono>
#include <cstdint>

namespace assay::inline v0::detail {

/// Nanoseconds on the monotonic clock: CLOCK_MONOTONIC on Linux.
[[nodiscard]] inline std::int64_t monotonic_nanoseconds() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace assay::inline v0::detail
