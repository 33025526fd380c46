#pragma once

#include <chrono>

namespace assay::inline v0 {

/// The time after which an operation is given up.
using Deadline = std::chrono::steady_clock::time_point;

/// The moment that lies `duration` from now, by the steady clock.
[[nodiscard]] inline Deadline deadline_after(std::chrono::steady_clock::duration duration) {
  return std::chrono::steady_clock::now() + duration;
}
/// Whether the moment is over.
[[nodiscard]] inline bool has_passed(Deadline deadline) {
  return std::chrono::steady_clock::now() >= deadline;
}

}  // namespace assay::inline v0
