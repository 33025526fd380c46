#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "assay/collectives/collective_call.hpp"
#include "assay/collectives/faults/fault_injection.hpp"

namespace assay::inline v0::detail {

/// Elements of a buffer that come from, or go to, one rank; `of_every_rank` where they are reduced.
struct RankBlock {
  Index at = 0, count = 0;
  int rank = 0;
};
inline constexpr int of_every_rank = -1;

/// The blocks of the buffer that the rank sends, if `sent`, or else of the one it receives.
[[nodiscard]] std::vector<RankBlock> blocks_of(const CollectiveCall& call, bool sent, int rank, int size);

/// Whether the buffers share memory.
[[nodiscard]] bool is_in_place(const CollectiveCall& call, int rank, int size);

struct ElementRange {
  Index first = 0, last = 0;
};

/// The part of a block of `count` elements that the fault concerns.
[[nodiscard]] inline ElementRange chunk_of(const FaultInjection& how, Index count) {
  const Index chunks = std::max<Index>(1, std::min<Index>(how.chunks, count)),
              chunk = std::clamp<Index>(how.chunk, 0, chunks - 1);
  return {count * chunk / chunks, count * (chunk + 1) / chunks};
}

/// Whose input or output the fault concerns: the guilty rank's, but the root's where only the root has one.
[[nodiscard]] inline int guilty_sender(const FaultInjection& how, const CollectiveCall& call) {
  return call.operation == CollectiveOperation::broadcast || call.operation == CollectiveOperation::scatter ? call.root
                                                                                                            : how.rank;
}
[[nodiscard]] inline int guilty_receiver(const FaultInjection& how, const CollectiveCall& call) {
  return call.operation == CollectiveOperation::reduce || call.operation == CollectiveOperation::gather ? call.root
                                                                                                        : how.rank;
}

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/faults/detail/collective_blocks.ipp"
#endif
