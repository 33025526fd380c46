#pragma once

#include "assay/collectives/flight/detail/flight_memory.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::uint64_t FlightHeader::computed_check() const {
  std::uint64_t hash = flight_magic;
  const char* bytes = reinterpret_cast<const char*>(this);
  for (std::size_t at = 0; at < offsetof(FlightHeader, check); at += sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, bytes + at, sizeof word);
    hash = std::rotl((hash ^ word) * 0xff51afd7ed558ccdu, 29);
  }
  return hash;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE int high_of(std::uint64_t word) {
  return static_cast<int>(static_cast<std::uint32_t>(word >> 32));
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE int low_of(std::uint64_t word) {
  return static_cast<int>(static_cast<std::uint32_t>(word));
}

ASSAY_DETAIL_HEADER_INLINE FlightReading read_flight(const FlightHeader& header, const FlightSlot* slots) {
  FlightReading reading;
  RankFlight& flight = reading.flight;
  const auto wrong = [&](std::string why) {
    reading.wrong = std::move(why);
    return reading;
  };
  flight.rank = static_cast<int>(header.rank);
  flight.size = static_cast<int>(header.size);
  flight.process = header.process;
  flight.host = field_text(header.host);
  const auto seen = static_cast<std::int64_t>(header.last_seen_at.load(std::memory_order_relaxed));
  flight.last_seen_at = seen == 0 ? 0 : seen + header.clock_offset;
  const std::uint64_t communicators = header.communicators.load(std::memory_order_acquire);
  if (communicators > most_flight_communicators)
    return wrong("it names " + std::to_string(communicators) + " communicators");
  for (std::uint64_t i = 0; i < communicators; ++i) {
    const FlightCommunicator& own = header.communicator[i];
    flight.communicators.push_back({field_text(own.name), own.rank, own.size});
  }
  const std::uint64_t next = header.next.load(std::memory_order_acquire);
  const std::uint64_t first = next > header.capacity ? next - header.capacity : 0;
  flight.lost = first;
  for (std::uint64_t position = first; position < next; ++position) {
    const FlightSlot& slot = slots[position % header.capacity];
    const std::uint64_t turn = slot.turn.load(std::memory_order_acquire);
    if (turn / 8 != position || turn % 8 < FlightSlot::first_state) {
      const bool overtaken = turn / 8 > position;
      ++(overtaken ? flight.lost : flight.unfinished);
      continue;
    }
    FlightRecord record;
    const std::uint64_t kinds = slot.kinds.load(std::memory_order_acquire),
                        place = slot.place.load(std::memory_order_acquire),
                        peers = slot.peers.load(std::memory_order_acquire);
    const std::uint64_t error = slot.error.load(std::memory_order_acquire),
                        check = slot.check.load(std::memory_order_acquire), computed = slot.computed_check(position);
    const auto entered_at = static_cast<std::int64_t>(slot.entered_at.load(std::memory_order_acquire)),
               ended_at = static_cast<std::int64_t>(slot.ended_at.load(std::memory_order_acquire));
    record.sequence = slot.sequence.load(std::memory_order_acquire);
    record.count = static_cast<Index>(slot.count.load(std::memory_order_acquire));
    record.received_count = static_cast<Index>(slot.received_count.load(std::memory_order_acquire));
    record.sent_number = slot.sent_number.load(std::memory_order_acquire);
    record.received_number = slot.received_number.load(std::memory_order_acquire);
    if (slot.turn.load(std::memory_order_relaxed) / 8 != position) {
      ++flight.lost;
      continue;
    }
    const auto state = turn % 8 - FlightSlot::first_state;
    const std::uint64_t operation = kinds & 0xff, type = kinds >> 8 & 0xff, reduction = kinds >> 16;
    const auto communicator = static_cast<std::size_t>(high_of(place));
    if (check != computed || state > 3 || operation >= all_collective_operations.size() ||
        type >= all_element_types.size() || reduction >= all_reductions.size() ||
        communicator >= flight.communicators.size() || error > static_cast<std::uint64_t>(ErrorKind::aborted))
      return wrong("record " + std::to_string(position) + " does not belong together");
    const FlightMembership& membership = flight.communicators[communicator];
    record.communicator = membership.communicator;
    record.rank = membership.rank;
    record.size = membership.size;
    record.operation = static_cast<CollectiveOperation>(operation);
    record.type = static_cast<ElementType>(type);
    record.reduction = static_cast<ReductionOperator>(reduction);
    record.root = low_of(place);
    record.destination = high_of(peers);
    record.source = low_of(peers);
    record.state = static_cast<FlightState>(state);
    record.error = static_cast<ErrorKind>(error);
    record.entered_at = entered_at + header.clock_offset;
    record.ended_at = record.state == FlightState::entered ? 0 : ended_at + header.clock_offset;
    flight.records.push_back(std::move(record));
  }
  return reading;
}

}  // namespace assay::inline v0::detail
