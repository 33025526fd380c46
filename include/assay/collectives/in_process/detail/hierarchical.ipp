#pragma once

#include "assay/collectives/in_process/detail/hierarchical.hpp"

#include <cstring>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

/// Nodes of which each has its own root first: that of the call, or its first rank.
ASSAY_DETAIL_HEADER_INLINE RankGroup leaders_of(const Nodes& nodes, int root, int& own_leader) {
  std::vector<int> leaders;
  const int root_node = static_cast<int>(std::find(nodes.group.ranks.begin(), nodes.group.ranks.end(), root) -
                                         nodes.group.ranks.begin()) /
                        nodes.per_node;
  for (int node = 0; node < nodes.count; ++node)
    leaders.push_back(node == root_node ? root : nodes.group[node * nodes.per_node]);
  own_leader = leaders[static_cast<std::size_t>(nodes.node)];
  return group_of_root(std::move(leaders), root, nodes.group[nodes.group.me]);
}

ASSAY_DETAIL_HEADER_INLINE void hierarchical_broadcast(Endpoint& endpoint, const RankGroup& all, int root,
                                                       int ranks_per_node, Bytes data) {
  const Nodes nodes(all, ranks_per_node);
  int leader = root;
  const RankGroup leaders = leaders_of(nodes, root, leader);
  if (endpoint.rank() == leader)
    tree_broadcast(endpoint, leaders, data, 1);
  else
    endpoint.enter(AlgorithmPhase::broadcast, 1);
  tree_broadcast(endpoint, group_of_root(nodes.own_node().ranks, leader, endpoint.rank()), data);
}

ASSAY_DETAIL_HEADER_INLINE void hierarchical_reduce(Endpoint& endpoint, const RankGroup& all, int root,
                                                    int ranks_per_node, Bytes data) {
  const Nodes nodes(all, ranks_per_node);
  int leader = root;
  const RankGroup leaders = leaders_of(nodes, root, leader);
  tree_reduce(endpoint, group_of_root(nodes.own_node().ranks, leader, endpoint.rank()), data);
  if (endpoint.rank() == leader)
    tree_reduce(endpoint, leaders, data, 1);
  else
    endpoint.enter(AlgorithmPhase::reduce, 1);
}

ASSAY_DETAIL_HEADER_INLINE void hierarchical_all_reduce(Endpoint& endpoint, const RankGroup& all, int ranks_per_node,
                                                        Bytes data) {
  const Nodes nodes(all, ranks_per_node);
  if (!nodes.are_equal()) {
    hierarchical_reduce(endpoint, all, all[0], ranks_per_node, data);
    return hierarchical_broadcast(endpoint, all, all[0], ranks_per_node, data);
  }
  const RankGroup within = nodes.own_node(), across = nodes.across();
  const Pieces pieces = divided(data, within.size(), endpoint.element_bytes());
  const Pieces parts = divided(pieces[within.me], across.size(), endpoint.element_bytes());
  ring_reduce_scatter(endpoint, within, pieces);
  ring_reduce_scatter(endpoint, across, parts, 1);
  ring_all_gather(endpoint, across, parts, 1);
  ring_all_gather(endpoint, within, pieces);
}

ASSAY_DETAIL_HEADER_INLINE BlocksByPlace::BlocksByPlace(const Nodes& nodes, std::size_t block)
    : within(nodes.own_node()),
      across(nodes.across()),
      bytes(block),
      size(static_cast<std::size_t>(nodes.group.size()) * block),
      memory(std::make_unique_for_overwrite<std::byte[]>(size)),
      pieces{{memory.get(), size}, {}},
      parts{} {
  for (int place = 0; place <= within.size(); ++place)
    pieces.first.push_back(static_cast<std::size_t>(place * across.size()) * block);
  parts.whole = pieces[within.me];
  for (int node = 0; node <= across.size(); ++node) parts.first.push_back(static_cast<std::size_t>(node) * block);
}

ASSAY_DETAIL_HEADER_INLINE void copy_piece(ConstBytes from, Bytes to) {
  if (!from.empty()) std::memcpy(to.data(), from.data(), from.size());
}

ASSAY_DETAIL_HEADER_INLINE void hierarchical_reduce_scatter(Endpoint& endpoint, const RankGroup& all,
                                                            int ranks_per_node, const Pieces& pieces) {
  const BlocksByPlace blocks(Nodes(all, ranks_per_node), pieces[0].size());
  for (int position = 0; position < all.size(); ++position) copy_piece(pieces[position], blocks.of_position(position));
  ring_reduce_scatter(endpoint, blocks.within, blocks.pieces);
  ring_reduce_scatter(endpoint, blocks.across, blocks.parts, 1);
  copy_piece(blocks.of_position(all.me), pieces[all.me]);
}

ASSAY_DETAIL_HEADER_INLINE void hierarchical_all_gather(Endpoint& endpoint, const RankGroup& all, int ranks_per_node,
                                                        const Pieces& pieces) {
  const BlocksByPlace blocks(Nodes(all, ranks_per_node), pieces[0].size());
  copy_piece(pieces[all.me], blocks.of_position(all.me));
  ring_all_gather(endpoint, blocks.across, blocks.parts, 1);
  ring_all_gather(endpoint, blocks.within, blocks.pieces);
  for (int position = 0; position < all.size(); ++position)
    if (position != all.me) copy_piece(blocks.of_position(position), pieces[position]);
}

}  // namespace assay::inline v0::detail
