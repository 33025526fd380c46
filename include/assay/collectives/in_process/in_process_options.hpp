#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>

#include "assay/collectives/in_process/collective_algorithm.hpp"
#include "assay/collectives/in_process/in_process_hooks.hpp"

namespace assay::inline v0 {

/// The emulated link from a rank to another. A message of b bytes occupies the link for b / bytes_per_second after
/// those before it, and arrives `latency_seconds` later.
struct EmulatedLink {
  double latency_seconds = 0;
  double bytes_per_second = std::numeric_limits<double>::infinity();
};

/// How a world of threads behaves.
struct InProcessOptions {
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::ring;
  int ranks_per_node = 8;                           ///< of the hierarchical algorithm; nodes are ranks in a row
  std::size_t chunk_bytes = std::size_t{64} << 10;  ///< longest message; longer transfers are pipelined
  /// The links, by ranks of the world. None: as fast as memory. Each communicator occupies links of its own.
  std::function<EmulatedLink(int from, int to)> link;
  /// Seconds by which a rank of the world is late with each message that it sends: a slow rank. None: 0.
  std::function<double(int rank)> send_delay_seconds;
  /// Whether ranks compare their calls before they begin. If not, a mismatch is as in a library without checks: wrong
  /// data, or a wait until the deadline.
  bool check_calls = true;
  std::chrono::steady_clock::duration split_timeout = std::chrono::seconds(60);  ///< of `split`, which has no deadline
  std::size_t stack_bytes = std::size_t{512} << 10;                              ///< of the threads of `run_ranks`
  InProcessHooks hooks;
};

}  // namespace assay::inline v0
