#pragma once

#include "assay/collectives/in_process/detail/rank_group.hpp"

namespace assay::inline v0::detail {

/// Position p ends with the reduction of piece p. p − 1 steps of a piece each; a chunk is passed on as soon as it is
/// reduced.
void ring_reduce_scatter(Endpoint& endpoint, const RankGroup& group, const Pieces& pieces, int level = 0);

/// Position p begins with piece p; all end with all pieces. p − 1 steps of a piece each.
void ring_all_gather(Endpoint& endpoint, const RankGroup& group, const Pieces& pieces, int level = 0);

/// From position 0 along the ranks; chunks follow each other.
void chain_broadcast(Endpoint& endpoint, const RankGroup& group, Bytes data, int level = 0);

/// From the last position along the ranks to position 0.
void chain_reduce(Endpoint& endpoint, const RankGroup& group, Bytes data, int level = 0);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/in_process/detail/ring.ipp"
#endif
