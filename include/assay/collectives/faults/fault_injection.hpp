#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace assay::inline v0 {

/// Which fault a collective is given, and where. The same on every rank of the communicator, but for `crash`.
struct FaultInjection {
  std::string fault;             ///< one of `collective_faults()`; empty: none
  int rank = 0;                  ///< the guilty one
  int chunk = 0;                 ///< which of the `chunks` parts of a block is concerned; beyond the last: the last
  int chunks = 2;                ///< into which blocks are divided
  std::uint64_t seed = 1;        ///< of the calls, elements and bits that are hit
  std::uint64_t first_call = 0;  ///< calls before it are right; they count from 0
  /// Part of the calls that are hit, in [0, 1]. 0: the fault's own, 1e-4 for `intermittent_bit_flip` and 1 for all
  /// others.
  double rate = 0;
  std::chrono::nanoseconds delay = std::chrono::milliseconds(20);  ///< of `slow_rank` and `slow_link`, before each call
  std::size_t offset_limit = std::size_t{1}
                             << 32;  ///< of `offset_overflow`: bytes after which offsets begin at 0 again
  /// What ends the guilty rank in `rank_crash`; a process may raise a signal here. None: the rank's calls fail at once,
  /// as `device`, without coming to the others.
  std::function<void()> crash = {};
};

}  // namespace assay::inline v0
