#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// The time of one dependent load, by how much memory it wanders through.
struct LatencyPoint {
  std::size_t bytes = 0;     ///< through which the chain goes
  double seconds = 0;        ///< of a load
  std::uint64_t loads = 0;   ///< that were timed
  bool whole_cycle = false;  ///< every line was visited once before the first came again: the chain is whole
};

/// How latency is measured.
struct LatencyOptions {
  std::size_t least_bytes = std::size_t{16} << 10;  ///< of the smallest chain
  std::size_t most_bytes = std::size_t{64} << 20;   ///< of the largest chain, at most
  double seconds = 0.02;                            ///< of each size, about
  int processor = -1;                               ///< on which; −1: any
  std::uint64_t seed = 1;                           ///< of the order
  bool broken_chain = false;                        ///< a pointer is turned back, for tests of the check
};

/// Pointers in a random order through all cache lines of memory, each of which tells the next, followed one by one.
/// Sizes double. Error: `out_of_memory`, `invalid` (sizes).
[[nodiscard]] Result<std::vector<LatencyPoint>> measure_latency(const LatencyOptions& options = {});

/// `hardware/bandwidth/latency`: pass where every chain was whole and every time above 0, with the curve.
[[nodiscard]] Outcome check_latency(const LatencyOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/bandwidth/latency.ipp"
#endif
