#pragma once

#include <algorithm>
#include <bit>

#include "assay/collectives/in_process/detail/rank_group.hpp"

namespace assay::inline v0::detail {

/// The binary tree over a group: position 0 is the root, the children of p are 2p + 1 and 2p + 2.
struct BinaryTree {
  explicit BinaryTree(const RankGroup& group) : members(group) {}

  [[nodiscard]] bool is_root() const { return members.me == 0; }
  [[nodiscard]] int parent() const { return members[(members.me - 1) / 2]; }
  template <class Visit>
  void for_each_child(const Visit& visit) const {
    for (int child = 2 * members.me + 1; child <= 2 * members.me + 2 && child < members.size(); ++child)
      visit(members[child], depth_of(child));
  }
  [[nodiscard]] static int depth_of(int position) { return static_cast<int>(std::bit_width(static_cast<unsigned>(position) + 1)) - 1; }
  [[nodiscard]] int depth() const { return depth_of(members.me); }
  /// Messages of one depth are one step, which ascends in both directions.
  [[nodiscard]] int step_up(int depth_of_lower) const { return depth_of(members.size() - 1) - depth_of_lower; }

  const RankGroup& members;
};

inline void reduce_up(Endpoint& endpoint, const BinaryTree& tree, Bytes data, int chunk) {
  tree.for_each_child([&](int child, int depth) { endpoint.reduce_chunk(child, tree.step_up(depth), chunk, data); });
  if (!tree.is_root()) endpoint.send_chunk(tree.parent(), tree.step_up(tree.depth()), chunk, data);
}

inline void send_down(Endpoint& endpoint, const BinaryTree& tree, Bytes data, int chunk) {
  if (!tree.is_root()) endpoint.receive_chunk(tree.parent(), tree.depth(), chunk, data);
  tree.for_each_child([&](int child, int depth) { endpoint.send_chunk(child, depth, chunk, data); });
}

inline void tree_reduce(Endpoint& endpoint, const RankGroup& group, Bytes data, int level = 0) {
  endpoint.enter(AlgorithmPhase::reduce, level);
  const BinaryTree tree(group);
  for (int chunk = 0; chunk < endpoint.chunks_of(data.size()); ++chunk) reduce_up(endpoint, tree, data, chunk);
}

inline void tree_broadcast(Endpoint& endpoint, const RankGroup& group, Bytes data, int level = 0) {
  endpoint.enter(AlgorithmPhase::broadcast, level);
  const BinaryTree tree(group);
  for (int chunk = 0; chunk < endpoint.chunks_of(data.size()); ++chunk) send_down(endpoint, tree, data, chunk);
}

/// Up and down. The root sends a chunk down while the next ones still come up.
inline void tree_all_reduce(Endpoint& endpoint, const RankGroup& group, Bytes data) {
  const auto up = endpoint.enter(AlgorithmPhase::reduce), down = endpoint.enter(AlgorithmPhase::broadcast);
  const BinaryTree tree(group);
  const int chunks = endpoint.chunks_of(data.size());
  for (int chunk = 0; chunk < chunks; ++chunk) {
    endpoint.resume(up);
    reduce_up(endpoint, tree, data, chunk);
    endpoint.resume(down);
    if (tree.is_root()) send_down(endpoint, tree, data, chunk);
  }
  for (int chunk = 0; chunk < chunks && !tree.is_root(); ++chunk) send_down(endpoint, tree, data, chunk);
}

/// The steps that a binomial tree over `positions` takes: at the k-th from the leaves, position p with its k lowest bits zero
/// holds those of p to p + 2^k − 1.
inline int binomial_steps(int positions) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(positions) - 1));
}

/// Each position begins with its piece, position 0 ends with all. Pieces of others pass through the memory between.
inline void binomial_gather(Endpoint& endpoint, const RankGroup& group, const Pieces& pieces) {
  endpoint.enter(AlgorithmPhase::gather);
  for (int step = 0; step < binomial_steps(group.size()); ++step) {
    const int held = 1 << step;
    if ((group.me & held) != 0)
      return endpoint.send(group[group.me - held], step, pieces.range(group.me, std::min(group.me + held, group.size())));
    if (group.me + held < group.size())
      endpoint.receive(group[group.me + held], step, pieces.range(group.me + held, std::min(group.me + 2 * held, group.size())));
  }
}

/// Position 0 begins with all pieces, each ends with its own.
inline void binomial_scatter(Endpoint& endpoint, const RankGroup& group, const Pieces& pieces) {
  endpoint.enter(AlgorithmPhase::scatter);
  const int steps = binomial_steps(group.size());
  const int mine = group.me == 0 ? steps : std::countr_zero(static_cast<unsigned>(group.me));
  if (group.me > 0)
    endpoint.receive(group[group.me - (1 << mine)], steps - 1 - mine,
                     pieces.range(group.me, std::min(group.me + (1 << mine), group.size())));
  for (int bit = mine - 1; bit >= 0; --bit) {
    const int child = group.me + (1 << bit);
    if (child < group.size()) endpoint.send(group[child], steps - 1 - bit, pieces.range(child, std::min(child + (1 << bit), group.size())));
  }
}

}  // namespace assay::inline v0::detail
