#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "assay/core/enum_name.hpp"

namespace assay::inline v0 {

/// What the ranks of a communicator do together. n is the number of ranks, `count` the elements of one block.
enum class CollectiveOperation {
  all_reduce,      ///< every rank gives `count` elements and receives the reduction of all ranks'
  reduce_scatter,  ///< every rank gives n blocks and receives the reduction of the blocks that bear its number
  all_gather,      ///< every rank gives a block and receives all n, in the order of ranks
  broadcast,       ///< every rank receives the block of `root`
  reduce,          ///< `root` receives the reduction of all ranks' blocks
  all_to_all,      ///< every rank gives n blocks, one for each rank, and receives one from each
  all_to_all_v,    ///< the same with lengths and places of their own, `RankBlockLayout`
  gather,          ///< `root` receives all n blocks, in the order of ranks
  scatter,         ///< every rank receives its block of the n that `root` gives
  send_receive,    ///< a rank sends a block to `destination` and receives one from `source`
  barrier          ///< no rank leaves before all have come; no data
};

/// In the order of `CollectiveOperation`.
inline constexpr std::array<CollectiveOperation, 11> all_collective_operations{
    CollectiveOperation::all_reduce,   CollectiveOperation::reduce_scatter, CollectiveOperation::all_gather,
    CollectiveOperation::broadcast,    CollectiveOperation::reduce,         CollectiveOperation::all_to_all,
    CollectiveOperation::all_to_all_v, CollectiveOperation::gather,         CollectiveOperation::scatter,
    CollectiveOperation::send_receive, CollectiveOperation::barrier};

/// The name in ids and on the command line.
[[nodiscard]] constexpr std::string_view name_of(CollectiveOperation operation) noexcept {
  return enum_name(operation);
}

/// The operation of that name; nothing where the name is unknown.
[[nodiscard]] constexpr std::optional<CollectiveOperation> collective_operation_named(std::string_view name) noexcept {
  return enum_named<CollectiveOperation>(name);
}

/// Whether elements of several ranks are combined into one.
[[nodiscard]] constexpr bool reduces(CollectiveOperation operation) noexcept {
  return operation == CollectiveOperation::all_reduce || operation == CollectiveOperation::reduce_scatter ||
         operation == CollectiveOperation::reduce;
}

/// Whether one rank is the source or the target of all data.
[[nodiscard]] constexpr bool has_root(CollectiveOperation operation) noexcept {
  return operation == CollectiveOperation::broadcast || operation == CollectiveOperation::reduce ||
         operation == CollectiveOperation::gather || operation == CollectiveOperation::scatter;
}

}  // namespace assay::inline v0
