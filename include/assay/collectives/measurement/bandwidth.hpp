#pragma once

#include <cmath>

#include "assay/collectives/collective_operation.hpp"
#include "assay/core/index.hpp"

namespace assay::inline v0 {

/// Bytes a second as nccl-tests counts them (NVIDIA/nccl-tests doc/PERFORMANCE.md), so that numbers can be held side by
/// side.
struct CollectiveBandwidth {
  double algorithm = 0;  ///< algbw: the size over the time
  double bus =
      0;  ///< busbw: what each rank's link must have carried, were the algorithm one of messages between pairs of ranks; does not
  ///< depend on their number
};

/// The size that sweeps tell of an operation, in bytes: the whole vector, which is n blocks for operations that have a
/// block for each rank. `count` is that of `CollectiveCall`; of an all_to_all_v it is the larger of what a rank sends
/// and receives.
[[nodiscard]] constexpr double size_bytes(CollectiveOperation operation, Index count, double element_bytes,
                                          int ranks) noexcept {
  const double block = static_cast<double>(count) * element_bytes;
  switch (operation) {
    case CollectiveOperation::reduce_scatter:
    case CollectiveOperation::all_gather:
    case CollectiveOperation::all_to_all:
    case CollectiveOperation::gather:
    case CollectiveOperation::scatter: return block * ranks;
    case CollectiveOperation::barrier: return 0;
    default: return block;
  }
}

/// Elements of a block so that the whole has `bytes`, as of `size_bytes`; at least one where there are bytes. Blocks of
/// an all_to_all_v have half of the most, on average.
[[nodiscard]] inline Index count_of_bytes(CollectiveOperation operation, double bytes, double element_bytes,
                                          int ranks) noexcept {
  const double one = std::fmax(size_bytes(operation, 1, element_bytes, ranks), 1);
  const double block = operation == CollectiveOperation::all_to_all_v ? one * ranks / 2 : one;
  return bytes > 0 ? static_cast<Index>(std::fmax(std::floor(bytes / block), 1)) : 0;
}

/// busbw over algbw: 2(n−1)/n for all_reduce, (n−1)/n where there are n blocks, 1 for broadcast, reduce and
/// send_receive, 0 for a barrier. Precondition: ranks ≥ 1.
[[nodiscard]] constexpr double bus_factor(CollectiveOperation operation, double ranks) noexcept {
  switch (operation) {
    case CollectiveOperation::all_reduce: return 2 * (ranks - 1) / ranks;
    case CollectiveOperation::reduce_scatter:
    case CollectiveOperation::all_gather:
    case CollectiveOperation::all_to_all:
    case CollectiveOperation::all_to_all_v:
    case CollectiveOperation::gather:
    case CollectiveOperation::scatter: return (ranks - 1) / ranks;
    case CollectiveOperation::barrier: return 0;
    default: return 1;
  }
}

/// Of `size` bytes, as of `size_bytes`, in `seconds`. No time: no bandwidth.
[[nodiscard]] constexpr CollectiveBandwidth bandwidth_of(CollectiveOperation operation, double size, double ranks,
                                                         double seconds) noexcept {
  if (!(seconds > 0)) return {};
  return {size / seconds, size / seconds * bus_factor(operation, ranks)};
}

}  // namespace assay::inline v0
