#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "assay/collectives/verification/determinism_level.hpp"

namespace assay::inline v0 {

/// How much a check does. The same on every rank.
struct CollectiveCheckOptions {
  std::uint64_t calls = 3;       ///< each with data of its own
  std::uint64_t first_call = 0;  ///< the number of the first: tells the data
  std::size_t slots = 2;         ///< pairs of buffers that calls take by turns
  std::chrono::steady_clock::duration timeout = std::chrono::seconds(30);  ///< of each call
  /// What reductions of floats must reach. Higher levels are measured where they are asked for, or the data is
  /// `order_probe`. A reduce_scatter cannot be split: `across_offsets` is the most that is asked of it.
  DeterminismLevel required_determinism = DeterminismLevel::across_ranks;
  /// By how much a rank, another one in each call, is late at a barrier.
  std::chrono::steady_clock::duration barrier_delay = std::chrono::milliseconds(20);
};

}  // namespace assay::inline v0
