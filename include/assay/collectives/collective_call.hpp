#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/collectives/collective_operation.hpp"
#include "assay/collectives/element_type.hpp"
#include "assay/collectives/reduction_operator.hpp"
#include "assay/core/index.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// Lengths and places of the n blocks of an all_to_all_v, in elements; places count from the buffer's begin.
struct RankBlockLayout {
  std::vector<Index> counts;         ///< elements of each rank's block
  std::vector<Index> displacements;  ///< where each block begins, in elements
};

/// One rank's part in an operation. Ranks must agree on operation, type, reduction, root and count.
///
/// In place, as NCCL and MPI have it: the buffers are equal for all_reduce, broadcast, reduce (at the root), all_to_all
/// and send_receive; `receive` is the rank's own block within `send` for reduce_scatter and scatter (at the root), and
/// `send` the rank's own block within `receive` for all_gather and gather (at the root). Buffers overlap in no other
/// way. Buffers that the rank does not need (receive of a reduce elsewhere than at the root) may be null. A barrier has
/// none.
struct CollectiveCall {
  CollectiveOperation operation = CollectiveOperation::all_reduce;
  ElementType type = ElementType::float32;
  Index count = 0;  ///< elements of one block
  ReductionOperator reduction = ReductionOperator::sum;
  int root = 0;
  int destination = -1;            ///< of a send_receive; -1: nothing is sent
  int source = -1;                 ///< of a send_receive; -1: nothing is received
  double multiplier = 1;           ///< of a premultiplied sum: this rank's, rounded to `type`
  RankBlockLayout sent, received;  ///< of an all_to_all_v
  const void* send = nullptr;
  void* receive = nullptr;
};

/// Elements from the begin of the send buffer to the end of what rank `rank` of `size` reads. O(1), O(size) for
/// all_to_all_v.
[[nodiscard]] Index send_extent(const CollectiveCall& call, int rank, int size);

/// The same of what it writes.
[[nodiscard]] Index receive_extent(const CollectiveCall& call, int rank, int size);

/// Why the call is not one that rank `rank` of `size` may make; `invalid`, naming the rank and the field.
[[nodiscard]] Result<void> check_call(const CollectiveCall& call, int rank, int size);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/collective_call.ipp"
#endif
