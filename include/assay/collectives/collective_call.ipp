#pragma once

#include "assay/collectives/collective_call.hpp"

#include <limits>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Index send_extent(const CollectiveCall& call, int rank, int size) {
  switch (call.operation) {
    case CollectiveOperation::reduce_scatter:
    case CollectiveOperation::all_to_all: return call.count * size;
    case CollectiveOperation::scatter: return rank == call.root ? call.count * size : 0;
    case CollectiveOperation::broadcast: return rank == call.root ? call.count : 0;
    case CollectiveOperation::send_receive: return call.destination >= 0 ? call.count : 0;
    case CollectiveOperation::barrier: return 0;
    case CollectiveOperation::all_to_all_v: break;
    default: return call.count;
  }
  Index extent = 0;
  for (std::size_t i = 0; i < call.sent.counts.size(); ++i)
    if (call.sent.counts[i] > 0 && call.sent.displacements[i] + call.sent.counts[i] > extent)
      extent = call.sent.displacements[i] + call.sent.counts[i];
  return extent;
}

ASSAY_DETAIL_HEADER_INLINE Index receive_extent(const CollectiveCall& call, int rank, int size) {
  switch (call.operation) {
    case CollectiveOperation::all_gather:
    case CollectiveOperation::all_to_all: return call.count * size;
    case CollectiveOperation::gather: return rank == call.root ? call.count * size : 0;
    case CollectiveOperation::reduce: return rank == call.root ? call.count : 0;
    case CollectiveOperation::send_receive: return call.source >= 0 ? call.count : 0;
    case CollectiveOperation::barrier: return 0;
    case CollectiveOperation::all_to_all_v: break;
    default: return call.count;
  }
  Index extent = 0;
  for (std::size_t i = 0; i < call.received.counts.size(); ++i)
    if (call.received.counts[i] > 0 && call.received.displacements[i] + call.received.counts[i] > extent)
      extent = call.received.displacements[i] + call.received.counts[i];
  return extent;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> check_call(const CollectiveCall& call, int rank, int size) {
  const auto refuse = [&](const std::string& what) {
    return Result<void>(failure(ErrorKind::invalid, "rank " + std::to_string(rank) + " of " + std::to_string(size) +
                                                        ", " + std::string(name_of(call.operation)) + ": " + what));
  };
  const auto is_rank = [&](int other) { return other >= 0 && other < size; };
  if (size < 1 || !is_rank(rank)) return refuse("ranks count from 0 to the size less 1");
  if (call.operation == CollectiveOperation::barrier) return {};
  if (call.count < 0) return refuse("count is " + std::to_string(call.count) + "; it must be 0 or more");
  if (has_root(call.operation) && !is_rank(call.root))
    return refuse("root is " + std::to_string(call.root) + "; it must be a rank, 0 to " + std::to_string(size - 1));
  if (call.operation == CollectiveOperation::send_receive) {
    if (call.destination >= size)
      return refuse("destination is " + std::to_string(call.destination) + "; it must be a rank, or -1 for none");
    if (call.source >= size)
      return refuse("source is " + std::to_string(call.source) + "; it must be a rank, or -1 for none");
  }
  if (call.operation == CollectiveOperation::all_to_all_v) {
    for (const RankBlockLayout* layout : {&call.sent, &call.received}) {
      const std::string name = layout == &call.sent ? "sent" : "received";
      if (layout->counts.size() != static_cast<std::size_t>(size) ||
          layout->displacements.size() != static_cast<std::size_t>(size))
        return refuse(name + " has " + std::to_string(layout->counts.size()) + " counts and " +
                      std::to_string(layout->displacements.size()) + " displacements; give one of each a rank");
      for (std::size_t i = 0; i < layout->counts.size(); ++i)
        if (layout->counts[i] < 0 || layout->displacements[i] < 0)
          return refuse(name + " of rank " + std::to_string(i) + " has a negative count or displacement");
    }
  }
  if (call.count > std::numeric_limits<Index>::max() / 8 / size)
    return refuse("count is " + std::to_string(call.count) + "; the bytes of all blocks have no number of 64 bits");
  const Index sent = send_extent(call, rank, size), received = receive_extent(call, rank, size);
  if (sent > 0 && call.send == nullptr)
    return refuse("send is null; " + std::to_string(sent) + " elements are read from it");
  if (received > 0 && call.receive == nullptr)
    return refuse("receive is null; " + std::to_string(received) + " elements are written to it");
  return {};
}

}  // namespace assay::inline v0
