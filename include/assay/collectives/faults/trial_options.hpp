#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "assay/collectives/stragglers/measure_links.hpp"

namespace assay::inline v0 {

/// How faults that are no matter of values are tried.
struct TrialOptions {
  std::chrono::milliseconds patience{500};     ///< the deadline of an operation to which a rank may not come
  std::chrono::milliseconds agreement{20000};  ///< how long the others are waited for in between
  double least_slowdown = 3;                   ///< of a rank or a link, over its like
  int iterations = 48;                         ///< of all_reduces that show a slow rank; up to 60
  LinkOptions links = {.bandwidth_bytes = 1 << 14,
                       .one_at_a_time = true};  ///< so that a pair that waits holds up no other
  /// Is given the buffers of an operation that may have been given up, where the runtime may still use them then (MPI):
  /// keep them until it is gone.
  std::function<void(std::shared_ptr<void> buffers)> keep = {};
};

}  // namespace assay::inline v0
