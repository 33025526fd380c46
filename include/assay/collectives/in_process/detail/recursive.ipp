#pragma once

#include "assay/collectives/in_process/detail/recursive.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void recursive_halving(Endpoint& endpoint, const RankGroup& group, const Cores& cores,
                                                  const Pieces& pieces) {
  endpoint.enter(AlgorithmPhase::reduce_scatter);
  if (cores.is_folded(group.me)) return;
  const auto range = [&](int from, int to) {
    return pieces.range(cores.first_position(from), cores.first_position(to));
  };
  const int core = cores.core_of(group.me);
  int from = 0, to = cores.count;
  for (int half = cores.count / 2, step = 0; half > 0; half /= 2, ++step) {
    const int partner = group[cores.first_position(core ^ half)], middle = from + half;
    endpoint.send(partner, step, (core & half) != 0 ? range(from, middle) : range(middle, to));
    ((core & half) != 0 ? from : to) = middle;
    endpoint.receive_and_reduce(partner, step, range(from, to));
  }
}

/// Each core begins with its positions' pieces; all cores end with all. lg p steps, each of twice as much as the one
/// before.
ASSAY_DETAIL_HEADER_INLINE void recursive_doubling(Endpoint& endpoint, const RankGroup& group, const Cores& cores,
                                                   const Pieces& pieces) {
  endpoint.enter(AlgorithmPhase::all_gather);
  if (cores.is_folded(group.me)) return;
  const auto range = [&](int from, int to) {
    return pieces.range(cores.first_position(from), cores.first_position(to));
  };
  const int core = cores.core_of(group.me);
  for (int held = 1, step = 0; held < cores.count; held *= 2, ++step) {
    const int partner_core = core ^ held, mine = core / held * held, theirs = partner_core / held * held;
    const int partner = group[cores.first_position(partner_core)];
    endpoint.send(partner, step, range(mine, mine + held));
    endpoint.receive(partner, step, range(theirs, theirs + held));
  }
}

ASSAY_DETAIL_HEADER_INLINE void recursive_all_reduce(Endpoint& endpoint, const RankGroup& group, const Pieces& pieces) {
  const Cores cores(group.size());
  fold(endpoint, group, cores, pieces.whole);
  recursive_halving(endpoint, group, cores, pieces);
  recursive_doubling(endpoint, group, cores, pieces);
  unfold(endpoint, group, cores, pieces.whole);
}

ASSAY_DETAIL_HEADER_INLINE void recursive_all_gather(Endpoint& endpoint, const RankGroup& group, const Pieces& pieces) {
  const Cores cores(group.size());
  endpoint.enter(AlgorithmPhase::fold);
  if (cores.is_folded(group.me)) endpoint.send(group[group.me - 1], 0, pieces[group.me]);
  if (cores.has_folded(group.me)) endpoint.receive(group[group.me + 1], 0, pieces[group.me + 1]);
  recursive_doubling(endpoint, group, cores, pieces);
  unfold(endpoint, group, cores, pieces.whole);
}

}  // namespace assay::inline v0::detail
