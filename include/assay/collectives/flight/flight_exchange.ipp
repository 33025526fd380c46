#pragma once

#include "assay/collectives/flight/flight_exchange.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string text_of_flight(const RankFlight& flight, std::size_t most) {
  const std::size_t first = flight.records.size() > most ? flight.records.size() - most : 0;
  const auto numbers = [](auto... values) {
    std::string text;
    ((text += std::to_string(values) + " "), ...);
    return text;
  };
  std::string text = "assay-flight/1\n" +
                     numbers(flight.rank, flight.size, static_cast<int>(flight.life), flight.process,
                             flight.last_seen_at, flight.lost + first, flight.unfinished) +
                     detail::flight_line(flight.host) + "\n";
  for (const FlightMembership& own : flight.communicators)
    text += "c" + numbers(own.rank, own.size) + detail::flight_line(own.communicator) + "\n";
  for (std::size_t i = first; i < flight.records.size(); ++i) {
    const FlightRecord& record = flight.records[i];
    text +=
        "r" +
        numbers(record.rank, record.size, record.sequence, static_cast<int>(record.operation),
                static_cast<int>(record.type), record.count, record.received_count, static_cast<int>(record.reduction),
                record.root, record.destination, record.source, record.sent_number, record.received_number,
                static_cast<int>(record.state), static_cast<int>(record.error), record.entered_at, record.ended_at) +
        detail::flight_line(record.communicator) + "\n";
  }
  return text + "end\n";
}

ASSAY_DETAIL_HEADER_INLINE Result<RankFlight> flight_of_text(std::string_view text) {
  RankFlight flight;
  for (std::size_t number = 1;; ++number) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos)
      return failure(ErrorKind::malformed, "a flight ends within line " + std::to_string(number));
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    const auto refused = [&] {
      return failure(ErrorKind::malformed,
                     "line " + std::to_string(number) + " of a flight is '" + std::string(line.substr(0, 80)) + "'");
    };
    if (number == 1) {
      if (line != "assay-flight/1") return refused();
      continue;
    }
    if (number > 2 && line == "end") break;
    const char kind = number == 2 || line.empty() ? 'h' : line.front();
    detail::FlightWords words{number == 2 || line.empty() ? line : line.substr(1)};
    if (number == 2) {
      flight.rank = words.next<int>();
      flight.size = words.next<int>();
      flight.life = words.next_of<ProcessLife>(4);
      flight.process = words.next<std::int64_t>();
      flight.last_seen_at = words.next<std::int64_t>();
      flight.lost = words.next<std::uint64_t>();
      flight.unfinished = words.next<std::size_t>();
      flight.host = words.rest;
    } else if (kind == 'c') {
      FlightMembership& own = flight.communicators.emplace_back();
      own.rank = words.next<int>();
      own.size = words.next<int>();
      own.communicator = words.rest;
    } else if (kind == 'r') {
      FlightRecord& record = flight.records.emplace_back();
      record.rank = words.next<int>();
      record.size = words.next<int>();
      record.sequence = words.next<std::uint64_t>();
      record.operation = words.next_of<CollectiveOperation>(all_collective_operations.size());
      record.type = words.next_of<ElementType>(all_element_types.size());
      record.count = words.next<Index>();
      record.received_count = words.next<Index>();
      record.reduction = words.next_of<ReductionOperator>(all_reductions.size());
      record.root = words.next<int>();
      record.destination = words.next<int>();
      record.source = words.next<int>();
      record.sent_number = words.next<std::uint64_t>();
      record.received_number = words.next<std::uint64_t>();
      record.state = words.next_of<FlightState>(4);
      record.error = words.next_of<ErrorKind>(static_cast<std::size_t>(ErrorKind::aborted) + 1);
      record.entered_at = words.next<std::int64_t>();
      record.ended_at = words.next<std::int64_t>();
      record.communicator = words.rest;
    } else {
      return refused();
    }
    if (!words.good) return refused();
  }
  if (flight.size < 1 || flight.rank < 0 || flight.rank >= flight.size)
    return failure(ErrorKind::malformed,
                   "a flight is of rank " + std::to_string(flight.rank) + " of " + std::to_string(flight.size));
  return flight;
}

ASSAY_DETAIL_HEADER_INLINE Result<FlightExchange> exchange_flights(Coordinator& coordinator, const RankFlight& mine,
                                                                   Deadline deadline) {
  auto texts = coordinator.exchange(text_of_flight(mine), deadline);
  if (!texts) return texts.propagate();
  FlightExchange all;
  for (std::size_t rank = 0; rank < texts.value().size(); ++rank) {
    if (!texts.value()[rank]) continue;
    auto flight = flight_of_text(*texts.value()[rank]);
    if (flight && flight.value().rank == static_cast<int>(rank))
      all.flights.push_back(std::move(flight).value());
    else
      all.problems.push_back("rank " + std::to_string(rank) + " sent no flight of its own" +
                             (flight ? "" : ": " + flight.error().message));
  }
  return all;
}

}  // namespace assay::inline v0
