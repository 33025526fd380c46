#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#include "assay/collectives/in_process/detail/hierarchical.hpp"
#include "assay/collectives/in_process/detail/recursive.hpp"
#include "assay/collectives/in_process/detail/ring.hpp"
#include "assay/collectives/in_process/detail/tree.hpp"

namespace assay::inline v0::detail {

/// One rank's part in one collective call: from the buffers of the call to the algorithm's and back.
class RankOperation {
 public:
  RankOperation(Endpoint& endpoint, const CollectiveCall& call)
      : endpoint_(endpoint),
        call_(call),
        size_(endpoint.size()),
        block_(static_cast<std::size_t>(call.count) * endpoint.element_bytes()),
        algorithm_(endpoint.options().algorithm),
        send_(static_cast<const std::byte*>(call.send)),
        receive_(static_cast<std::byte*>(call.receive)) {}

  void run() {
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

  /// The messages of a rank that leaves a barrier before the others have come.
  void announce_barrier() {
    endpoint_.enter(AlgorithmPhase::exchange);
    for (int distance = 1, step = 0; distance < size_; distance *= 2, ++step) endpoint_.signal((endpoint_.rank() + distance) % size_, step);
  }

 private:
  using Memory = std::unique_ptr<std::byte[]>;
  [[nodiscard]] static Memory scratch(std::size_t bytes) { return std::make_unique_for_overwrite<std::byte[]>(bytes); }
  static void copy(void* to, const void* from, std::size_t bytes) {
    if (bytes > 0 && to != from) std::memmove(to, from, bytes);
  }
  [[nodiscard]] std::size_t at(int block) const { return static_cast<std::size_t>(block) * block_; }
  [[nodiscard]] bool at_root() const { return endpoint_.rank() == call_.root; }
  [[nodiscard]] int ranks_per_node() const { return endpoint_.options().ranks_per_node; }
  [[nodiscard]] bool nodes_are_equal() const { return ranks_per_node() > 0 && size_ % std::min(ranks_per_node(), size_) == 0; }

  /// The order in which a reduction goes through the ranks.
  [[nodiscard]] std::vector<int> order() const {
    std::vector<int> ranks = ranks_from_0(size_);
    if (endpoint_.options().hooks.on_order) endpoint_.options().hooks.on_order(endpoint_.place(), ranks);
    return ranks;
  }
  [[nodiscard]] RankGroup all() const { return {ranks_from_0(size_), endpoint_.rank()}; }
  [[nodiscard]] RankGroup all_from_root() const { return group_of_root(ranks_from_0(size_), call_.root, endpoint_.rank()); }
  [[nodiscard]] Pieces equal_blocks(Bytes whole) const {
    Pieces pieces{whole, {}};
    for (int position = 0; position <= size_; ++position) pieces.first.push_back(at(position));
    return pieces;
  }

  /// What this rank gives to a reduction.
  void contribute(std::byte* to, const std::byte* from, Index count) const {
    copy(to, from, static_cast<std::size_t>(count) * endpoint_.element_bytes());
    if (call_.reduction == ReductionOperator::premultiplied_sum) scale_elements(call_.type, to, call_.multiplier, count);
  }
  void finish(std::byte* result) const {
    if (call_.reduction == ReductionOperator::average) divide_elements(call_.type, result, size_, call_.count);
  }

  void all_reduce() {
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

  void reduce_scatter() {
    const RankGroup group(order(), endpoint_.rank());
    const Memory memory = scratch(at(size_));
    const Pieces pieces = equal_blocks({memory.get(), at(size_)});
    for (int position = 0; position < size_; ++position) contribute(pieces[position].data(), send_ + at(group[position]), call_.count);
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

  void all_gather() {
    const RankGroup group = all();
    const Pieces pieces = equal_blocks({receive_, at(size_)});
    copy(pieces[group.me].data(), send_, block_);
    switch (algorithm_) {
      case CollectiveAlgorithm::recursive_halving_doubling: return recursive_all_gather(endpoint_, group, pieces);
      case CollectiveAlgorithm::tree: binomial_gather(endpoint_, group, pieces); return tree_broadcast(endpoint_, group, pieces.whole);
      case CollectiveAlgorithm::hierarchical:
        if (nodes_are_equal()) return hierarchical_all_gather(endpoint_, group, ranks_per_node(), pieces);
        [[fallthrough]];
      case CollectiveAlgorithm::ring: return ring_all_gather(endpoint_, group, pieces);
    }
  }

  void broadcast() {
    if (at_root()) copy(receive_, send_, block_);
    const RankGroup group = all_from_root();
    const Bytes data(receive_, block_);
    switch (algorithm_) {
      case CollectiveAlgorithm::ring: return chain_broadcast(endpoint_, group, data);
      case CollectiveAlgorithm::tree: return tree_broadcast(endpoint_, group, data);
      case CollectiveAlgorithm::hierarchical: return hierarchical_broadcast(endpoint_, all(), call_.root, ranks_per_node(), data);
      case CollectiveAlgorithm::recursive_halving_doubling: {
        const Pieces pieces = divided(data, size_, endpoint_.element_bytes());
        binomial_scatter(endpoint_, group, pieces);
        return recursive_all_gather(endpoint_, group, pieces);
      }
    }
  }

  void reduce() {
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

  void gather() {
    const RankGroup group = all_from_root();
    if (algorithm_ == CollectiveAlgorithm::ring) {
      endpoint_.enter(AlgorithmPhase::gather);
      if (!at_root()) return endpoint_.send(call_.root, 0, {send_, block_});
      copy(receive_ + at(call_.root), send_, block_);
      for (int position = 1; position < size_; ++position) endpoint_.receive(group[position], 0, {receive_ + at(group[position]), block_});
      return;
    }
    const Memory memory = scratch(at(size_));
    const Pieces pieces = equal_blocks({memory.get(), at(size_)});
    copy(pieces[group.me].data(), send_, block_);
    binomial_gather(endpoint_, group, pieces);
    if (!at_root() || endpoint_.has_failed()) return;
    for (int position = 0; position < size_; ++position) copy(receive_ + at(group[position]), pieces[position].data(), block_);
  }

  void scatter() {
    const RankGroup group = all_from_root();
    if (algorithm_ == CollectiveAlgorithm::ring) {
      endpoint_.enter(AlgorithmPhase::scatter);
      if (!at_root()) return endpoint_.receive(call_.root, 0, {receive_, block_});
      for (int position = 1; position < size_; ++position) endpoint_.send(group[position], 0, {send_ + at(group[position]), block_});
      return copy(receive_, send_ + at(call_.root), block_);
    }
    const Memory memory = scratch(at(size_));
    const Pieces pieces = equal_blocks({memory.get(), at(size_)});
    if (at_root())
      for (int position = 0; position < size_; ++position) copy(pieces[position].data(), send_ + at(group[position]), block_);
    binomial_scatter(endpoint_, group, pieces);
    if (!endpoint_.has_failed()) copy(receive_, pieces[group.me].data(), block_);
  }

  /// At step s, rank r sends to r + s and receives from r − s.
  template <class Sent, class Received>
  void exchange(const Sent& sent, const Received& received) {
    endpoint_.enter(AlgorithmPhase::exchange);
    const int rank = endpoint_.rank();
    copy(received(rank).data(), sent(rank).data(), std::min(sent(rank).size(), received(rank).size()));  // unequal only where nobody checks
    for (int step = 1; step < size_; ++step) {
      const int to = (rank + step) % size_, from = (rank - step + size_) % size_;
      endpoint_.send(to, step, sent(to));
      endpoint_.receive(from, step, received(from));
    }
  }

  void all_to_all() {
    Memory memory;
    const std::byte* source = send_;
    if (send_ == receive_ && block_ > 0) {
      memory = scratch(at(size_));
      copy(memory.get(), send_, at(size_));
      source = memory.get();
    }
    exchange([&](int rank) { return ConstBytes(source + at(rank), block_); }, [&](int rank) { return Bytes(receive_ + at(rank), block_); });
  }

  void all_to_all_v() {
    const auto bytes = [&](Index elements) { return static_cast<std::size_t>(elements) * endpoint_.element_bytes(); };
    const auto block = [&](auto* memory, const RankBlockLayout& layout, int rank) {
      const auto index = static_cast<std::size_t>(rank);
      return layout.counts[index] > 0 ? std::span(memory + bytes(layout.displacements[index]), bytes(layout.counts[index]))
                                      : std::span<std::remove_pointer_t<decltype(memory)>>();
    };
    exchange([&](int rank) { return ConstBytes(block(send_, call_.sent, rank)); },
             [&](int rank) { return Bytes(block(receive_, call_.received, rank)); });
  }

  /// Hensgen, Finkel, Manber, "Two algorithms for barrier synchronization", 1988: at step s, every rank signals to the one 2^s further.
  void barrier() {
    endpoint_.enter(AlgorithmPhase::exchange);
    const int rank = endpoint_.rank();
    for (int distance = 1, step = 0; distance < size_; distance *= 2, ++step) {
      endpoint_.signal((rank + distance) % size_, step);
      endpoint_.await_signal((rank - distance + size_) % size_, step);
    }
  }

  Endpoint& endpoint_;
  const CollectiveCall& call_;
  int size_;
  std::size_t block_;
  CollectiveAlgorithm algorithm_;
  const std::byte* send_;
  std::byte* receive_;
};

}  // namespace assay::inline v0::detail
