#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/collectives/collective_operation.hpp"
#include "assay/core/index.hpp"
#include "assay/core/outcome.hpp"

namespace assay::inline v0 {

/// Whether a job may start on these ranks. The values are exit codes.
enum class Health {
  healthy = 0,    ///< everything asked for was computed and found right
  unhealthy = 1,  ///< something is wrong: a result, a rank, a link, a hang
  undecided = 2   ///< nothing wrong was found, and not everything could be found right
};

/// The name in reports.
[[nodiscard]] constexpr const char* name_of(Health health) noexcept {
  return health == Health::healthy ? "healthy" : health == Health::unhealthy ? "unhealthy" : "undecided";
}

/// What a preflight checks, and how long it may take.
struct PreflightOptions {
  /// Of all together; what it does not reach is undecided. A hang adds `operation_deadline` and some ten seconds to
  /// agree on it.
  std::chrono::milliseconds budget{30000};
  std::chrono::milliseconds operation_deadline{5000};  ///< of one operation
  Index count = 4099;  ///< elements of a block in checks of results; a prime, so that remainders occur
  std::vector<CollectiveOperation> operations{CollectiveOperation::barrier,     CollectiveOperation::broadcast,
                                              CollectiveOperation::all_reduce,  CollectiveOperation::reduce_scatter,
                                              CollectiveOperation::all_gather,  CollectiveOperation::all_to_all,
                                              CollectiveOperation::send_receive};
  bool links = true;                  ///< measure pairs of ranks, and look for slow ranks and links
  Index bandwidth_bytes = 4 << 20;    ///< of one message between two ranks
  double least_slowdown = 1.25;       ///< ranks and links that are less slow than this are none to speak of
  double least_latency_slowdown = 2;  ///< the same of latencies, which differ by the way through switches
  /// Whether slowness counts where a host has fewer processors than ranks; if not, it is told, and decides nothing.
  bool judge_oversubscribed = false;
  std::uint64_t seed = 1;  ///< of the data
};

/// The same on every rank that answered.
struct PreflightResult {
  Health health = Health::undecided;
  std::string reason;             ///< one line
  std::vector<Outcome> outcomes;  ///< what was checked, for reports; that of this rank where ranks differ
  double duration_seconds = 0;    ///< of the whole preflight, on this rank

  /// 0: healthy; see `Health`.
  [[nodiscard]] int exit_code() const { return static_cast<int>(health); }
};

}  // namespace assay::inline v0
