#pragma once

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
  [[nodiscard]] static int depth_of(int position) {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(position) + 1)) - 1;
  }
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
void tree_all_reduce(Endpoint& endpoint, const RankGroup& group, Bytes data);

/// Each position begins with its piece, position 0 ends with all. Pieces of others pass through the memory between.
void binomial_gather(Endpoint& endpoint, const RankGroup& group, const Pieces& pieces);

/// Position 0 begins with all pieces, each ends with its own.
void binomial_scatter(Endpoint& endpoint, const RankGroup& group, const Pieces& pieces);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/in_process/detail/tree.ipp"
#endif
