#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/deadline.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// How those who check a collective agree with each other: beside the communicator under test, which may be wrong or
/// hang. One thread a rank calls it; every rank makes the same calls in the same order.
class Coordinator {
 public:
  virtual ~Coordinator() = default;
  /// This process among those that agree, in [0, size()).
  [[nodiscard]] virtual int rank() const = 0;
  /// How many processes agree.
  [[nodiscard]] virtual int size() const = 0;
  /// Gives every rank's text to every rank, in the order of ranks; those that had not come by the deadline are absent.
  /// Errors: `io`, `device`: nothing more can be agreed on. O(size) messages.
  [[nodiscard]] virtual Result<std::vector<std::optional<std::string>>> exchange(std::string mine,
                                                                                 Deadline deadline) = 0;
};

/// Waits for all ranks. Errors: `timed_out`, naming the ranks that did not come; those of `exchange`.
[[nodiscard]] inline Result<void> meet(Coordinator& coordinator, Deadline deadline) {
  auto met = coordinator.exchange({}, deadline);
  if (!met) return met.propagate();
  std::string missing;
  for (std::size_t rank = 0; rank < met.value().size(); ++rank)
    if (!met.value()[rank]) missing += (missing.empty() ? "" : ", ") + std::to_string(rank);
  if (!missing.empty()) return failure(ErrorKind::timed_out, "these ranks did not come in time: " + missing);
  return {};
}

}  // namespace assay::inline v0
