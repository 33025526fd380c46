#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "assay/collectives/collective_operation.hpp"
#include "assay/collectives/element_type.hpp"
#include "assay/collectives/reduction_operator.hpp"
#include "assay/core/enum_name.hpp"
#include "assay/core/index.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// How far one rank has come in an operation.
enum class FlightState : std::uint8_t {
  entered,    ///< called, and not come back
  completed,  ///< came back without an error
  failed,     ///< came back with an error other than `timed_out`
  timed_out   ///< had not come back by its deadline
};

/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(FlightState state) noexcept {
  return enum_name(state);
}

/// One call of an operation by one rank, as it was recorded. Times are nanoseconds since 1970, by the clock of the
/// rank's machine.
struct FlightRecord {
  std::string communicator = "world";  ///< as it was given to the recorder
  int rank = 0;                        ///< in the communicator
  int size = 1;                        ///< of the communicator
  /// Counts the operations of this communicator from 1, the same on every rank if all is well. Each rank's
  /// send_receives have a count of their own, since not every rank takes part in them.
  std::uint64_t sequence = 0;
  CollectiveOperation operation = CollectiveOperation::all_reduce;
  ElementType type = ElementType::float32;
  Index count = 0;           ///< as in the call; of an all_to_all_v, all elements that the rank sends
  Index received_count = 0;  ///< of an all_to_all_v, all elements that the rank receives
  ReductionOperator reduction = ReductionOperator::sum;
  int root = 0;                       ///< −1: the operation has none
  int destination = -1, source = -1;  ///< of a send_receive
  /// Of a send_receive: the how-many-eth message to `destination`, and from `source`; from 1.
  std::uint64_t sent_number = 0, received_number = 0;
  FlightState state = FlightState::entered;
  ErrorKind error = ErrorKind::device;  ///< if `failed`
  std::int64_t entered_at = 0;          ///< when the call began
  std::int64_t ended_at = 0;            ///< 0 while `entered`

  /// Whether two ranks are concerned, not all.
  [[nodiscard]] bool point_to_point() const { return operation == CollectiveOperation::send_receive; }
  /// The rank has not got through: it is in the operation, or had to be fetched out of it.
  [[nodiscard]] bool stuck() const { return state == FlightState::entered || state == FlightState::timed_out; }
};

/// "all_reduce #17"
[[nodiscard]] inline std::string title_of(const FlightRecord& record) {
  return std::string(name_of(record.operation)) + " #" + std::to_string(record.sequence);
}

/// "f32, 1048576, sum": what ranks must agree on, besides the operation; empty for a barrier.
[[nodiscard]] inline std::string arguments_of(const FlightRecord& record) {
  if (record.operation == CollectiveOperation::barrier) return {};
  std::string text = std::string(name_of(record.type)) + ", " + std::to_string(record.count);
  if (record.operation == CollectiveOperation::all_to_all_v)
    text += " sent, " + std::to_string(record.received_count) + " received";
  if (reduces(record.operation)) text += ", " + std::string(name_of(record.reduction));
  if (has_root(record.operation)) text += ", root " + std::to_string(record.root);
  if (record.point_to_point()) {
    if (record.destination >= 0) text += ", to " + std::to_string(record.destination);
    if (record.source >= 0) text += ", from " + std::to_string(record.source);
  }
  return text;
}

/// "all_reduce #17 (f32, 1048576, sum)"
[[nodiscard]] inline std::string description_of(const FlightRecord& record) {
  const std::string arguments = arguments_of(record);
  return title_of(record) + (arguments.empty() ? "" : " (" + arguments + ")");
}

}  // namespace assay::inline v0
