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
  RankOperation(Endpoint& endpoint, const CollectiveCall& call);

  void run();

  /// The messages of a rank that leaves a barrier before the others have come.
  void announce_barrier() {
    endpoint_.enter(AlgorithmPhase::exchange);
    for (int distance = 1, step = 0; distance < size_; distance *= 2, ++step)
      endpoint_.signal((endpoint_.rank() + distance) % size_, step);
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
  [[nodiscard]] bool nodes_are_equal() const {
    return ranks_per_node() > 0 && size_ % std::min(ranks_per_node(), size_) == 0;
  }

  /// The order in which a reduction goes through the ranks.
  [[nodiscard]] std::vector<int> order() const {
    std::vector<int> ranks = ranks_from_0(size_);
    if (endpoint_.options().hooks.on_order) endpoint_.options().hooks.on_order(endpoint_.place(), ranks);
    return ranks;
  }
  [[nodiscard]] RankGroup all() const { return {ranks_from_0(size_), endpoint_.rank()}; }
  [[nodiscard]] RankGroup all_from_root() const {
    return group_of_root(ranks_from_0(size_), call_.root, endpoint_.rank());
  }
  [[nodiscard]] Pieces equal_blocks(Bytes whole) const {
    Pieces pieces{whole, {}};
    for (int position = 0; position <= size_; ++position) pieces.first.push_back(at(position));
    return pieces;
  }

  /// What this rank gives to a reduction.
  void contribute(std::byte* to, const std::byte* from, Index count) const {
    copy(to, from, static_cast<std::size_t>(count) * endpoint_.element_bytes());
    if (call_.reduction == ReductionOperator::premultiplied_sum)
      scale_elements(call_.type, to, call_.multiplier, count);
  }
  void finish(std::byte* result) const {
    if (call_.reduction == ReductionOperator::average) divide_elements(call_.type, result, size_, call_.count);
  }

  void all_reduce();

  void reduce_scatter();

  void all_gather();

  void broadcast();

  void reduce();

  void gather();

  void scatter();

  /// At step s, rank r sends to r + s and receives from r − s.
  template <class Sent, class Received>
  void exchange(const Sent& sent, const Received& received) {
    endpoint_.enter(AlgorithmPhase::exchange);
    const int rank = endpoint_.rank();
    copy(received(rank).data(), sent(rank).data(),
         std::min(sent(rank).size(), received(rank).size()));  // unequal only where nobody checks
    for (int step = 1; step < size_; ++step) {
      const int to = (rank + step) % size_, from = (rank - step + size_) % size_;
      endpoint_.send(to, step, sent(to));
      endpoint_.receive(from, step, received(from));
    }
  }

  void all_to_all();

  void all_to_all_v();

  /// Hensgen, Finkel, Manber, "Two algorithms for barrier synchronization", 1988: at step s, every rank signals to the
  /// one 2^s further.
  void barrier();

  Endpoint& endpoint_;
  const CollectiveCall& call_;
  int size_;
  std::size_t block_;
  CollectiveAlgorithm algorithm_;
  const std::byte* send_;
  std::byte* receive_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/in_process/detail/operations.ipp"
#endif
