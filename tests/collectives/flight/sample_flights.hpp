#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/flight/rank_flight.hpp"

namespace assay::testing {

inline constexpr std::int64_t second = 1'000'000'000;

/// Flights as data: every call of `record` makes one record, a second after the one before it.
struct SampleFlights {
  std::vector<RankFlight> ranks;

  explicit SampleFlights(int size) {
    for (int rank = 0; rank < size; ++rank) {
      RankFlight flight;
      flight.rank = rank;
      flight.size = size;
      flight.life = ProcessLife::alive;
      flight.process = 1000 + rank;
      flight.host = "node";
      flight.communicators = {{"world", rank, size}};
      ranks.push_back(std::move(flight));
    }
  }

  /// The next collective of `rank` in a communicator of which it is a member.
  FlightRecord& record(int rank, CollectiveOperation operation, FlightState state, Index count = 1024,
                       const std::string& communicator = "world") {
    RankFlight& flight = ranks[static_cast<std::size_t>(rank)];
    FlightRecord made;
    made.communicator = communicator;
    for (const FlightMembership& own : flight.communicators)
      if (own.communicator == communicator) made.rank = own.rank, made.size = own.size;
    made.sequence = 1;
    for (const FlightRecord& before : flight.records)
      if (before.communicator == communicator &&
          before.point_to_point() == (operation == CollectiveOperation::send_receive))
        made.sequence = before.sequence + 1;
    made.operation = operation;
    made.count = count;
    made.state = state;
    made.entered_at = static_cast<std::int64_t>(flight.records.size() + 1) * second;
    if (state != FlightState::entered) made.ended_at = made.entered_at + second / 2;
    flight.records.push_back(made);
    return flight.records.back();
  }

  /// `steps` pairs of all_reduce and broadcast that went well, on every rank.
  void go_well(int steps) {
    for (int step = 0; step < steps; ++step)
      for (const auto operation : {CollectiveOperation::all_reduce, CollectiveOperation::broadcast})
        for (std::size_t rank = 0; rank < ranks.size(); ++rank)
          record(static_cast<int>(rank), operation, FlightState::completed);
  }
};

}  // namespace assay::testing
