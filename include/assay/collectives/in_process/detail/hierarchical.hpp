#pragma once

#include <algorithm>
#include <memory>

#include "assay/collectives/in_process/detail/ring.hpp"
#include "assay/collectives/in_process/detail/tree.hpp"

namespace assay::inline v0::detail {

/// A group divided into nodes of positions in a row; the last may be smaller.
struct Nodes {
  Nodes(const RankGroup& all, int ranks_per_node)
      : per_node(std::clamp(ranks_per_node, 1, all.size())),
        count((all.size() + per_node - 1) / per_node),
        node(all.me / per_node),
        group(all) {}

  [[nodiscard]] bool are_equal() const { return group.size() % per_node == 0; }
  [[nodiscard]] RankGroup own_node() const {
    const auto begin = group.ranks.begin() + node * per_node;
    return {{begin, begin + std::min(per_node, group.size() - node * per_node)}, group[group.me]};
  }
  /// The ranks at this one's place in every node. Precondition: nodes are equal, or this is the first of its node.
  [[nodiscard]] RankGroup across() const {
    std::vector<int> ranks;
    for (int position = group.me % per_node; position < group.size(); position += per_node)
      ranks.push_back(group[position]);
    return {std::move(ranks), group[group.me]};
  }
  [[nodiscard]] bool is_leader() const { return group.me % per_node == 0; }

  int per_node, count, node;
  const RankGroup& group;
};

void hierarchical_broadcast(Endpoint& endpoint, const RankGroup& all, int root, int ranks_per_node, Bytes data);

void hierarchical_reduce(Endpoint& endpoint, const RankGroup& all, int root, int ranks_per_node, Bytes data);

void hierarchical_all_reduce(Endpoint& endpoint, const RankGroup& all, int ranks_per_node, Bytes data);

/// Equal blocks of a group, ordered by place in the node, then by node, so that what one place owns stands in a row.
struct BlocksByPlace {
  BlocksByPlace(const Nodes& nodes, std::size_t block);
  [[nodiscard]] Bytes of_position(int position) const {
    const int place = position % within.size(), node = position / within.size();
    return pieces.whole.subspan(static_cast<std::size_t>(place * across.size() + node) * bytes, bytes);
  }

  RankGroup within, across;
  std::size_t bytes, size;
  std::unique_ptr<std::byte[]> memory;
  Pieces pieces, parts;
};

/// `pieces` are equal; position p ends with the reduction of piece p. Precondition: nodes are equal.
void hierarchical_reduce_scatter(Endpoint& endpoint, const RankGroup& all, int ranks_per_node, const Pieces& pieces);

/// `pieces` are equal; all end with all. Precondition: nodes are equal.
void hierarchical_all_gather(Endpoint& endpoint, const RankGroup& all, int ranks_per_node, const Pieces& pieces);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/in_process/detail/hierarchical.ipp"
#endif
