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
[[nodiscard]] inline std::vector<RankBlock> blocks_of(const CollectiveCall& call, bool sent, int rank, int size) {
  std::vector<RankBlock> blocks;
  const Index extent = sent ? send_extent(call, rank, size) : receive_extent(call, rank, size);
  if (call.operation == CollectiveOperation::all_to_all_v) {
    const RankBlockLayout& layout = sent ? call.sent : call.received;
    for (std::size_t other = 0; other < layout.counts.size(); ++other)
      if (layout.counts[other] > 0) blocks.push_back({layout.displacements[other], layout.counts[other], static_cast<int>(other)});
  } else if (extent == call.count * size &&
             (call.operation == CollectiveOperation::all_to_all ||
              (sent ? call.operation == CollectiveOperation::reduce_scatter || call.operation == CollectiveOperation::scatter
                    : call.operation == CollectiveOperation::all_gather || call.operation == CollectiveOperation::gather))) {
    for (int other = 0; other < size; ++other) blocks.push_back({other * call.count, call.count, other});
  } else if (extent > 0) {
    const int other = call.operation == CollectiveOperation::send_receive ? (sent ? call.destination : call.source)
                      : reduces(call.operation) || sent                   ? of_every_rank
                                                                          : call.root;
    blocks.push_back({0, extent, other});
  }
  return blocks;
}

/// Whether the buffers share memory.
[[nodiscard]] inline bool is_in_place(const CollectiveCall& call, int rank, int size) {
  const auto bytes = static_cast<Index>(bytes_of(call.type));
  const auto* sent = static_cast<const char*>(call.send);
  const auto* received = static_cast<const char*>(call.receive);
  const Index sent_bytes = bytes * send_extent(call, rank, size), received_bytes = bytes * receive_extent(call, rank, size);
  return sent_bytes > 0 && received_bytes > 0 && sent < received + received_bytes && received < sent + sent_bytes;
}

struct ElementRange {
  Index first = 0, last = 0;
};

/// The part of a block of `count` elements that the fault concerns.
[[nodiscard]] inline ElementRange chunk_of(const FaultInjection& how, Index count) {
  const Index chunks = std::max<Index>(1, std::min<Index>(how.chunks, count)), chunk = std::clamp<Index>(how.chunk, 0, chunks - 1);
  return {count * chunk / chunks, count * (chunk + 1) / chunks};
}

/// Whose input or output the fault concerns: the guilty rank's, but the root's where only the root has one.
[[nodiscard]] inline int guilty_sender(const FaultInjection& how, const CollectiveCall& call) {
  return call.operation == CollectiveOperation::broadcast || call.operation == CollectiveOperation::scatter ? call.root : how.rank;
}
[[nodiscard]] inline int guilty_receiver(const FaultInjection& how, const CollectiveCall& call) {
  return call.operation == CollectiveOperation::reduce || call.operation == CollectiveOperation::gather ? call.root : how.rank;
}

}  // namespace assay::inline v0::detail
