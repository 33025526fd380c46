#pragma once

#include "assay/collectives/in_process/detail/ring.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void ring_reduce_scatter(Endpoint& endpoint, const RankGroup& group, const Pieces& pieces,
                                                    int level) {
  endpoint.enter(AlgorithmPhase::reduce_scatter, level);
  const int last = group.size() - 2, next = group.around(group.me + 1), previous = group.around(group.me - 1);
  if (last < 0) return;
  endpoint.send(next, 0, pieces[group.wrap(group.me - 1)]);
  for (int step = 0; step <= last; ++step) {
    const Bytes piece = pieces[group.wrap(group.me - step - 2)];
    for (int chunk = 0; chunk < endpoint.chunks_of(piece.size()); ++chunk) {
      endpoint.reduce_chunk(previous, step, chunk, piece);
      if (step < last) endpoint.send_chunk(next, step + 1, chunk, piece);
    }
  }
}

ASSAY_DETAIL_HEADER_INLINE void ring_all_gather(Endpoint& endpoint, const RankGroup& group, const Pieces& pieces,
                                                int level) {
  endpoint.enter(AlgorithmPhase::all_gather, level);
  const int last = group.size() - 2, next = group.around(group.me + 1), previous = group.around(group.me - 1);
  if (last < 0) return;
  endpoint.send(next, 0, pieces[group.me]);
  for (int step = 0; step <= last; ++step) {
    const Bytes piece = pieces[group.wrap(group.me - step - 1)];
    for (int chunk = 0; chunk < endpoint.chunks_of(piece.size()); ++chunk) {
      endpoint.receive_chunk(previous, step, chunk, piece);
      if (step < last) endpoint.send_chunk(next, step + 1, chunk, piece);
    }
  }
}

ASSAY_DETAIL_HEADER_INLINE void chain_broadcast(Endpoint& endpoint, const RankGroup& group, Bytes data, int level) {
  endpoint.enter(AlgorithmPhase::broadcast, level);
  for (int chunk = 0; chunk < endpoint.chunks_of(data.size()); ++chunk) {
    if (group.me > 0) endpoint.receive_chunk(group[group.me - 1], group.me, chunk, data);
    if (group.me + 1 < group.size()) endpoint.send_chunk(group[group.me + 1], group.me + 1, chunk, data);
  }
}

ASSAY_DETAIL_HEADER_INLINE void chain_reduce(Endpoint& endpoint, const RankGroup& group, Bytes data, int level) {
  endpoint.enter(AlgorithmPhase::reduce, level);
  const int steps_before = group.size() - 2 - group.me;
  for (int chunk = 0; chunk < endpoint.chunks_of(data.size()); ++chunk) {
    if (group.me + 1 < group.size()) endpoint.reduce_chunk(group[group.me + 1], steps_before, chunk, data);
    if (group.me > 0) endpoint.send_chunk(group[group.me - 1], steps_before + 1, chunk, data);
  }
}

}  // namespace assay::inline v0::detail
