#pragma once

#include "assay/collectives/in_process/detail/tree.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void tree_all_reduce(Endpoint& endpoint, const RankGroup& group, Bytes data) {
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

/// The steps that a binomial tree over `positions` takes: at the k-th from the leaves, position p with its k lowest
/// bits zero holds those of p to p + 2^k − 1.
ASSAY_DETAIL_HEADER_INLINE int binomial_steps(int positions) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(positions) - 1));
}

ASSAY_DETAIL_HEADER_INLINE void binomial_gather(Endpoint& endpoint, const RankGroup& group, const Pieces& pieces) {
  endpoint.enter(AlgorithmPhase::gather);
  for (int step = 0; step < binomial_steps(group.size()); ++step) {
    const int held = 1 << step;
    if ((group.me & held) != 0)
      return endpoint.send(group[group.me - held], step,
                           pieces.range(group.me, std::min(group.me + held, group.size())));
    if (group.me + held < group.size())
      endpoint.receive(group[group.me + held], step,
                       pieces.range(group.me + held, std::min(group.me + 2 * held, group.size())));
  }
}

ASSAY_DETAIL_HEADER_INLINE void binomial_scatter(Endpoint& endpoint, const RankGroup& group, const Pieces& pieces) {
  endpoint.enter(AlgorithmPhase::scatter);
  const int steps = binomial_steps(group.size());
  const int mine = group.me == 0 ? steps : std::countr_zero(static_cast<unsigned>(group.me));
  if (group.me > 0)
    endpoint.receive(group[group.me - (1 << mine)], steps - 1 - mine,
                     pieces.range(group.me, std::min(group.me + (1 << mine), group.size())));
  for (int bit = mine - 1; bit >= 0; --bit) {
    const int child = group.me + (1 << bit);
    if (child < group.size())
      endpoint.send(group[child], steps - 1 - bit, pieces.range(child, std::min(child + (1 << bit), group.size())));
  }
}

}  // namespace assay::inline v0::detail
