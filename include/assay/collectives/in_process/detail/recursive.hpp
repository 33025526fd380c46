#pragma once

#include <bit>

#include "assay/collectives/in_process/detail/rank_group.hpp"

namespace assay::inline v0::detail {

/// The largest power of two of positions. Where there are more, each of the first `extra` pairs of neighbors is one
/// core: the odd one gives its data to the even one (fold), and gets its result from it (unfold).
struct Cores {
  explicit Cores(int positions)
      : count(static_cast<int>(std::bit_floor(static_cast<unsigned>(positions)))), extra(positions - count) {}

  [[nodiscard]] bool is_folded(int position) const { return position < 2 * extra && position % 2 == 1; }
  [[nodiscard]] bool has_folded(int position) const { return position < 2 * extra && position % 2 == 0; }
  [[nodiscard]] int core_of(int position) const { return position < 2 * extra ? position / 2 : position - extra; }
  [[nodiscard]] int first_position(int core) const { return core < extra ? 2 * core : core + extra; }

  int count, extra;
};

/// The even one of a folded pair reduces the whole of the odd one.
inline void fold(Endpoint& endpoint, const RankGroup& group, const Cores& cores, Bytes whole) {
  endpoint.enter(AlgorithmPhase::fold);
  if (cores.is_folded(group.me)) endpoint.send(group[group.me - 1], 0, whole);
  if (cores.has_folded(group.me)) endpoint.receive_and_reduce(group[group.me + 1], 0, whole);
}

/// The odd one of a folded pair gets its part of the result.
inline void unfold(Endpoint& endpoint, const RankGroup& group, const Cores& cores, Bytes of_odd) {
  endpoint.enter(AlgorithmPhase::unfold);
  if (cores.has_folded(group.me)) endpoint.send(group[group.me + 1], 0, of_odd);
  if (cores.is_folded(group.me)) endpoint.receive(group[group.me - 1], 0, of_odd);
}

/// After a fold: each core ends with the reduction of its positions' pieces. lg p steps, each of half as much as the
/// one before.
void recursive_halving(Endpoint& endpoint, const RankGroup& group, const Cores& cores, const Pieces& pieces);

void recursive_all_reduce(Endpoint& endpoint, const RankGroup& group, const Pieces& pieces);

/// Position p ends with the reduction of piece p.
inline void recursive_reduce_scatter(Endpoint& endpoint, const RankGroup& group, const Pieces& pieces) {
  const Cores cores(group.size());
  fold(endpoint, group, cores, pieces.whole);
  recursive_halving(endpoint, group, cores, pieces);
  unfold(endpoint, group, cores, group.me < 2 * cores.extra ? pieces[group.me | 1] : Bytes());
}

/// Position p begins with piece p; all end with all.
void recursive_all_gather(Endpoint& endpoint, const RankGroup& group, const Pieces& pieces);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/in_process/detail/recursive.ipp"
#endif
