#pragma once

#include "assay/collectives/faults/detail/collective_blocks.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::vector<RankBlock> blocks_of(const CollectiveCall& call, bool sent, int rank, int size) {
  std::vector<RankBlock> blocks;
  const Index extent = sent ? send_extent(call, rank, size) : receive_extent(call, rank, size);
  if (call.operation == CollectiveOperation::all_to_all_v) {
    const RankBlockLayout& layout = sent ? call.sent : call.received;
    for (std::size_t other = 0; other < layout.counts.size(); ++other)
      if (layout.counts[other] > 0)
        blocks.push_back({layout.displacements[other], layout.counts[other], static_cast<int>(other)});
  } else if (extent == call.count * size && (call.operation == CollectiveOperation::all_to_all ||
                                             (sent ? call.operation == CollectiveOperation::reduce_scatter ||
                                                         call.operation == CollectiveOperation::scatter
                                                   : call.operation == CollectiveOperation::all_gather ||
                                                         call.operation == CollectiveOperation::gather))) {
    for (int other = 0; other < size; ++other) blocks.push_back({other * call.count, call.count, other});
  } else if (extent > 0) {
    const int other = call.operation == CollectiveOperation::send_receive ? (sent ? call.destination : call.source)
                      : reduces(call.operation) || sent                   ? of_every_rank
                                                                          : call.root;
    blocks.push_back({0, extent, other});
  }
  return blocks;
}

ASSAY_DETAIL_HEADER_INLINE bool is_in_place(const CollectiveCall& call, int rank, int size) {
  const auto bytes = static_cast<Index>(bytes_of(call.type));
  const auto* sent = static_cast<const char*>(call.send);
  const auto* received = static_cast<const char*>(call.receive);
  const Index sent_bytes = bytes * send_extent(call, rank, size),
              received_bytes = bytes * receive_extent(call, rank, size);
  return sent_bytes > 0 && received_bytes > 0 && sent < received + received_bytes && received < sent + sent_bytes;
}

}  // namespace assay::inline v0::detail
