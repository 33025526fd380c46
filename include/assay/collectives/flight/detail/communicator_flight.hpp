#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/call_signature.hpp"
#include "assay/collectives/flight/rank_flight.hpp"

namespace assay::inline v0::detail {

/// The records of all ranks of one communicator, and how far each has come.
struct CommunicatorFlight {
  struct Member {
    int rank = -1;                                           ///< in the world; -1: not known
    bool known = false;                                      ///< has a record
    std::vector<const FlightRecord*> collectives, messages;  ///< oldest first
    /// Where it does not get on: the first operation that it has not got through, with none completed after it.
    const FlightRecord* blocked = nullptr;
    const FlightRecord* failed = nullptr;  ///< the same with an error of its own
    const FlightRecord* aborted =
        nullptr;                ///< the first collective, with none completed after it, that was aborted under the rank
    std::uint64_t reached = 0;  ///< the last collective it has entered, none later than `blocked`
  };

  std::string name;
  std::vector<Member> members;  ///< by rank in the communicator

  /// The collective at which the first of the ranks waits that do; none if no rank is blocked in one.
  [[nodiscard]] std::optional<std::uint64_t> front() const;
};

/// An error of the rank itself, not one that came of a hang elsewhere or of what the runtime does not offer on any
/// rank.
[[nodiscard]] inline bool own_failure(const FlightRecord& record) {
  return record.state == FlightState::failed && record.error != ErrorKind::aborted &&
         record.error != ErrorKind::unsupported;
}

/// The communicators of all flights, of each name the latest generation. `flights[rank]` may be null. O(records).
[[nodiscard]] std::vector<CommunicatorFlight> communicator_flights(const std::vector<const RankFlight*>& flights);

/// Calls of one operation that are not the same on all ranks.
struct FlightMismatch {
  const CommunicatorFlight* communicator = nullptr;
  std::string title;  ///< "calls #16"
  std::uint64_t sequence = 0;
  std::int64_t entered_at = 0;       ///< when the first rank did
  std::vector<CallMismatch> fields;  ///< by ranks of the world
  std::vector<int> ranks;            ///< of all fields: those against most, all where there is no most
  std::vector<std::pair<std::string, std::vector<int>>> sides;  ///< description of the call, and who made it
};

/// The first collective of the communicator whose calls do not match. O(n log n) for n records.
[[nodiscard]] std::optional<FlightMismatch> first_mismatch(const CommunicatorFlight& communicator, std::size_t world);

/// The first message whose sender and receiver do not agree on type or count. O(n log n).
[[nodiscard]] std::optional<FlightMismatch> first_unequal_message(const CommunicatorFlight& communicator);

/// What came of calls in another order: whether the calls of two sides are there on the other as well, later or before.
[[nodiscard]] std::string order_finding(const FlightMismatch& mismatch);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/flight/detail/communicator_flight.ipp"
#endif
