#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "assay/collectives/collective_call.hpp"
#include "assay/core/enum_name.hpp"

namespace assay::inline v0 {

/// The part of an algorithm to which a message belongs. A phase occurs once in a call at each level.
enum class AlgorithmPhase { fold, reduce_scatter, reduce, exchange, scatter, gather, broadcast, all_gather, unfold };

/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(AlgorithmPhase phase) noexcept {
  return enum_name(phase);
}

/// Where in the work of a communicator a message, a reduction or a call stands. Ranks are those of the communicator.
struct InProcessPlace {
  int communicator = 0;    ///< 0: of all ranks; parts made by `split` count from 1
  std::uint64_t call = 0;  ///< the rank's calls on this communicator, from 0; a group is one
  CollectiveOperation operation = CollectiveOperation::all_reduce;
  ElementType type = ElementType::float32;
  AlgorithmPhase phase = AlgorithmPhase::exchange;
  int level = 0;  ///< 1: across nodes, in a hierarchical algorithm
  int step = 0;   ///< of the algorithm
};

/// What becomes of a message.
enum class MessageFate {
  deliver,
  lose,       ///< arrives, and has no effect on the receiver's data
  duplicate,  ///< takes effect twice
  withhold    ///< never arrives
};

/// A message before it is delivered.
struct InProcessMessage {
  InProcessPlace place;
  int from = 0;                       ///< sending rank
  int to = 0;                         ///< receiving rank
  int chunk = 0;                      ///< of the message, counted from 0
  int chunks = 1;                     ///< of this step's transfer from `from` to `to`
  std::span<std::byte> bytes;         ///< may be altered; no alignment
  std::chrono::nanoseconds delay{0};  ///< may be set: the message arrives later by as much
};

/// A reduction of two buffers before it is done.
struct InProcessReduction {
  InProcessPlace place;
  int rank = 0;  ///< who reduces
  int from = 0;  ///< whose message
  ReductionOperator reduction = ReductionOperator::sum;
  std::byte* into = nullptr;        ///< in place
  const std::byte* with = nullptr;  ///< read only
  Index count = 0;                  ///< elements
};

/// What becomes of a rank's call, or group of calls.
enum class CallFate {
  proceed,
  skip,         ///< returns success without coming to the call, which the rank's counter does not count
  leave_early,  ///< comes to the call and returns success at once; of a barrier it sends its messages first
  hang,         ///< does not come: returns when the communicator breaks, which it does at the deadline of the others
  crash         ///< the rank ends: it and all who wait for it get `aborted`
};

/// A rank that comes to an operation.
struct InProcessArrival {
  InProcessPlace place;
  int rank = 0;                           ///< who comes
  std::span<const CollectiveCall> calls;  ///< one, or those of a group
};

/// Where an observer, or a fault, is put into the in-process algorithms. All are optional, and called from the ranks'
/// threads, several at a time: what they share is theirs to guard. They must not throw.
struct InProcessHooks {
  /// Before each message leaves its sender.
  std::function<MessageFate(InProcessMessage& message)> on_message;
  /// Instead of each reduction of a received chunk into the rank's own data; false: reduce as usual.
  std::function<bool(const InProcessReduction& reduction)> on_reduce;
  /// When a rank comes to a call, before any other rank is told. May sleep: a slow rank.
  std::function<CallFate(const InProcessArrival& arrival)> on_call;
  /// When a call has succeeded, before it returns. May alter what was received.
  std::function<void(const InProcessArrival& arrival)> on_return;
  /// The order of ranks in a reduction (along the ring, in the tree), `ranks` being 0 to size − 1. May be permuted, in
  /// the same way on every rank of the call.
  std::function<void(const InProcessPlace& place, std::vector<int>& ranks)> on_order;
};

}  // namespace assay::inline v0
