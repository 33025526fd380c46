#pragma once

#include "assay/collectives/in_process/detail/operations.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE RankOperation::RankOperation(Endpoint& endpoint, const CollectiveCall& call)
    : endpoint_(endpoint),
      call_(call),
      size_(endpoint.size()),
      block_(static_cast<std::size_t>(call.count) * endpoint.element_bytes()),
      algorithm_(endpoint.options().algorithm),
      send_(static_cast<const std::byte*>(call.send)),
      receive_(static_cast<std::byte*>(call.receive)) {}

ASSAY_DETAIL_HEADER_INLINE void RankOperation::run() {
  switch (call_.operation) {
    case CollectiveOperation::all_reduce: return all_reduce();
    case CollectiveOperation::reduce_scatter: return reduce_scatter();
    case CollectiveOperation::all_gather: return all_gather();
    case CollectiveOperation::broadcast: return broadcast();
    case CollectiveOperation::reduce: return reduce();
    case CollectiveOperation::all_to_all: return all_to_all();
    case CollectiveOperation::all_to_all_v: return all_to_all_v();
    case CollectiveOperation::gather: return gather();
    case CollectiveOperation::scatter: return scatter();
    case CollectiveOperation::barrier: return barrier();
    case CollectiveOperation::send_receive: return;  // is no collective call
  }
}

ASSAY_DETAIL_HEADER_INLINE void RankOperation::all_reduce() {
  contribute(receive_, send_, call_.count);
  const RankGroup group(order(), endpoint_.rank());
  const Bytes data(receive_, block_);
  const auto pieces = [&] { return divided(data, size_, endpoint_.element_bytes()); };
  switch (algorithm_) {
    case CollectiveAlgorithm::ring:
      ring_reduce_scatter(endpoint_, group, pieces());
      ring_all_gather(endpoint_, group, pieces());
      break;
    case CollectiveAlgorithm::recursive_halving_doubling: recursive_all_reduce(endpoint_, group, pieces()); break;
    case CollectiveAlgorithm::tree: tree_all_reduce(endpoint_, group, data); break;
    case CollectiveAlgorithm::hierarchical: hierarchical_all_reduce(endpoint_, group, ranks_per_node(), data); break;
  }
  finish(receive_);
}

ASSAY_DETAIL_HEADER_INLINE void RankOperation::reduce_scatter() {
  const RankGroup group(order(), endpoint_.rank());
  const Memory memory = scratch(at(size_));
  const Pieces pieces = equal_blocks({memory.get(), at(size_)});
  for (int position = 0; position < size_; ++position)
    contribute(pieces[position].data(), send_ + at(group[position]), call_.count);
  switch (algorithm_) {
    case CollectiveAlgorithm::recursive_halving_doubling: recursive_reduce_scatter(endpoint_, group, pieces); break;
    case CollectiveAlgorithm::tree:
      tree_reduce(endpoint_, group, pieces.whole);
      binomial_scatter(endpoint_, group, pieces);
      break;
    case CollectiveAlgorithm::hierarchical:
      if (nodes_are_equal()) {
        hierarchical_reduce_scatter(endpoint_, group, ranks_per_node(), pieces);
        break;
      }
      [[fallthrough]];
    case CollectiveAlgorithm::ring: ring_reduce_scatter(endpoint_, group, pieces); break;
  }
  copy(receive_, pieces[group.me].data(), block_);
  finish(receive_);
}

ASSAY_DETAIL_HEADER_INLINE void RankOperation::all_gather() {
  const RankGroup group = all();
  const Pieces pieces = equal_blocks({receive_, at(size_)});
  copy(pieces[group.me].data(), send_, block_);
  switch (algorithm_) {
    case CollectiveAlgorithm::recursive_halving_doubling: return recursive_all_gather(endpoint_, group, pieces);
    case CollectiveAlgorithm::tree:
      binomial_gather(endpoint_, group, pieces);
      return tree_broadcast(endpoint_, group, pieces.whole);
    case CollectiveAlgorithm::hierarchical:
      if (nodes_are_equal()) return hierarchical_all_gather(endpoint_, group, ranks_per_node(), pieces);
      [[fallthrough]];
    case CollectiveAlgorithm::ring: return ring_all_gather(endpoint_, group, pieces);
  }
}

ASSAY_DETAIL_HEADER_INLINE void RankOperation::broadcast() {
  if (at_root()) copy(receive_, send_, block_);
  const RankGroup group = all_from_root();
  const Bytes data(receive_, block_);
  switch (algorithm_) {
    case CollectiveAlgorithm::ring: return chain_broadcast(endpoint_, group, data);
    case CollectiveAlgorithm::tree: return tree_broadcast(endpoint_, group, data);
    case CollectiveAlgorithm::hierarchical:
      return hierarchical_broadcast(endpoint_, all(), call_.root, ranks_per_node(), data);
    case CollectiveAlgorithm::recursive_halving_doubling: {
      const Pieces pieces = divided(data, size_, endpoint_.element_bytes());
      binomial_scatter(endpoint_, group, pieces);
      return recursive_all_gather(endpoint_, group, pieces);
    }
  }
}

ASSAY_DETAIL_HEADER_INLINE void RankOperation::reduce() {
  const Memory memory = at_root() ? nullptr : scratch(block_);
  const Bytes data(at_root() ? receive_ : memory.get(), block_);
  contribute(data.data(), send_, call_.count);
  const std::vector<int> ranks = order();
  const RankGroup group = group_of_root(ranks, call_.root, endpoint_.rank());
  switch (algorithm_) {
    case CollectiveAlgorithm::ring: chain_reduce(endpoint_, group, data); break;
    case CollectiveAlgorithm::tree: tree_reduce(endpoint_, group, data); break;
    case CollectiveAlgorithm::hierarchical:
      hierarchical_reduce(endpoint_, {ranks, endpoint_.rank()}, call_.root, ranks_per_node(), data);
      break;
    case CollectiveAlgorithm::recursive_halving_doubling: {
      const Pieces pieces = divided(data, size_, endpoint_.element_bytes());
      recursive_reduce_scatter(endpoint_, group, pieces);
      binomial_gather(endpoint_, group, pieces);
    }
  }
  if (at_root()) finish(data.data());
}

ASSAY_DETAIL_HEADER_INLINE void RankOperation::gather() {
  const RankGroup group = all_from_root();
  if (algorithm_ == CollectiveAlgorithm::ring) {
    endpoint_.enter(AlgorithmPhase::gather);
    if (!at_root()) return endpoint_.send(call_.root, 0, {send_, block_});
    copy(receive_ + at(call_.root), send_, block_);
    for (int position = 1; position < size_; ++position)
      endpoint_.receive(group[position], 0, {receive_ + at(group[position]), block_});
    return;
  }
  const Memory memory = scratch(at(size_));
  const Pieces pieces = equal_blocks({memory.get(), at(size_)});
  copy(pieces[group.me].data(), send_, block_);
  binomial_gather(endpoint_, group, pieces);
  if (!at_root() || endpoint_.has_failed()) return;
  for (int position = 0; position < size_; ++position)
    copy(receive_ + at(group[position]), pieces[position].data(), block_);
}

ASSAY_DETAIL_HEADER_INLINE void RankOperation::scatter() {
  const RankGroup group = all_from_root();
  if (algorithm_ == CollectiveAlgorithm::ring) {
    endpoint_.enter(AlgorithmPhase::scatter);
    if (!at_root()) return endpoint_.receive(call_.root, 0, {receive_, block_});
    for (int position = 1; position < size_; ++position)
      endpoint_.send(group[position], 0, {send_ + at(group[position]), block_});
    return copy(receive_, send_ + at(call_.root), block_);
  }
  const Memory memory = scratch(at(size_));
  const Pieces pieces = equal_blocks({memory.get(), at(size_)});
  if (at_root())
    for (int position = 0; position < size_; ++position)
      copy(pieces[position].data(), send_ + at(group[position]), block_);
  binomial_scatter(endpoint_, group, pieces);
  if (!endpoint_.has_failed()) copy(receive_, pieces[group.me].data(), block_);
}

ASSAY_DETAIL_HEADER_INLINE void RankOperation::all_to_all() {
  Memory memory;
  const std::byte* source = send_;
  if (send_ == receive_ && block_ > 0) {
    memory = scratch(at(size_));
    copy(memory.get(), send_, at(size_));
    source = memory.get();
  }
  exchange([&](int rank) { return ConstBytes(source + at(rank), block_); },
           [&](int rank) { return Bytes(receive_ + at(rank), block_); });
}

ASSAY_DETAIL_HEADER_INLINE void RankOperation::all_to_all_v() {
  const auto bytes = [&](Index elements) { return static_cast<std::size_t>(elements) * endpoint_.element_bytes(); };
  const auto block = [&](auto* memory, const RankBlockLayout& layout, int rank) {
    const auto index = static_cast<std::size_t>(rank);
    return layout.counts[index] > 0
               ? std::span(memory + bytes(layout.displacements[index]), bytes(layout.counts[index]))
               : std::span<std::remove_pointer_t<decltype(memory)>>();
  };
  exchange([&](int rank) { return ConstBytes(block(send_, call_.sent, rank)); },
           [&](int rank) { return Bytes(block(receive_, call_.received, rank)); });
}

ASSAY_DETAIL_HEADER_INLINE void RankOperation::barrier() {
  endpoint_.enter(AlgorithmPhase::exchange);
  const int rank = endpoint_.rank();
  for (int distance = 1, step = 0; distance < size_; distance *= 2, ++step) {
    endpoint_.signal((rank + distance) % size_, step);
    endpoint_.await_signal((rank - distance + size_) % size_, step);
  }
}

}  // namespace assay::inline v0::detail
