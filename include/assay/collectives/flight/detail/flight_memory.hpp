#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "assay/collectives/collective_call.hpp"
#include "assay/collectives/flight/rank_flight.hpp"

/// The form of a flight record in memory that a process writes while others read: on the heap, or mapped from a file.
namespace assay::inline v0::detail {

using FlightWord = std::atomic<std::uint64_t>;
static_assert(FlightWord::is_always_lock_free && sizeof(FlightWord) == 8);

inline constexpr std::uint64_t flight_magic = 0x31'74'68'67'69'6c'46'41;  // "AFlight1" where the lowest byte comes first
inline constexpr std::size_t most_flight_communicators = 48;

/// One record. Its `turn` is the record's position times 8 plus a stage: readers see by it whether the rest belongs together.
struct FlightSlot {
  enum Stage : std::uint64_t { empty, writing, first_state };  // then the values of FlightState
  FlightWord turn, entered_at, ended_at, error;
  FlightWord sequence, count, received_count, sent_number, received_number;
  FlightWord place;  ///< communicator, root
  FlightWord peers;  ///< destination, source
  FlightWord kinds;  ///< operation, type, reduction
  FlightWord check;  ///< of all that does not change after entering
  FlightWord reserved[3];

  [[nodiscard]] std::uint64_t computed_check(std::uint64_t position) const {
    std::uint64_t hash = position + 0x9e3779b97f4a7c15u;
    for (const FlightWord* word : {&entered_at, &sequence, &count, &received_count, &sent_number, &received_number, &place, &peers, &kinds})
      hash = std::rotl((hash ^ word->load(std::memory_order_acquire)) * 0xff51afd7ed558ccdu, 29);
    return hash;
  }
};
static_assert(sizeof(FlightSlot) == 128);

struct FlightCommunicator {
  char name[48];
  std::int32_t rank, size;
  FlightWord sequence;  ///< of the last operation
  FlightWord point_to_point_sequence;
};
static_assert(sizeof(FlightCommunicator) == 72);

struct FlightHeader {
  std::uint64_t magic, slot_bytes, capacity;
  std::int64_t rank, size;
  std::int64_t process, process_started, process_space;  ///< number, clock ticks since boot, and the namespace of the number
  std::int64_t clock_offset;                             ///< of the steady clock to the time since 1970, in ns
  char host[64], boot[40], run[64];
  std::uint64_t check;  ///< of all above
  FlightWord next;      ///< position of the next record
  FlightWord closed;
  FlightWord last_seen_at;  ///< ns of the steady clock
  FlightWord communicators;
  FlightCommunicator communicator[most_flight_communicators];

  [[nodiscard]] std::uint64_t computed_check() const {
    std::uint64_t hash = flight_magic;
    const char* bytes = reinterpret_cast<const char*>(this);
    for (std::size_t at = 0; at < offsetof(FlightHeader, check); at += sizeof(std::uint64_t)) {
      std::uint64_t word;
      std::memcpy(&word, bytes + at, sizeof word);
      hash = std::rotl((hash ^ word) * 0xff51afd7ed558ccdu, 29);
    }
    return hash;
  }
};
inline constexpr std::size_t flight_header_bytes = 4096;
static_assert(sizeof(FlightHeader) <= flight_header_bytes && std::is_standard_layout_v<FlightHeader>);

[[nodiscard]] inline std::size_t flight_bytes(std::size_t capacity) {
  return flight_header_bytes + capacity * sizeof(FlightSlot);
}

template <std::size_t Size>
void set_text(char (&field)[Size], std::string_view text) {
  std::memset(field, 0, Size);
  text.copy(field, Size - 1);
}
template <std::size_t Size>
[[nodiscard]] std::string field_text(const char (&field)[Size]) {
  return std::string(field, static_cast<std::size_t>(std::find(field, field + Size, '\0') - field));
}

[[nodiscard]] inline std::uint64_t packed_pair(int high, int low) {
  return std::uint64_t{static_cast<std::uint32_t>(high)} << 32 | static_cast<std::uint32_t>(low);
}
[[nodiscard]] inline int high_of(std::uint64_t word) {
  return static_cast<int>(static_cast<std::uint32_t>(word >> 32));
}
[[nodiscard]] inline int low_of(std::uint64_t word) {
  return static_cast<int>(static_cast<std::uint32_t>(word));
}

[[nodiscard]] inline std::int64_t steady_nanoseconds(std::chrono::steady_clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}
[[nodiscard]] inline std::int64_t steady_nanoseconds() {
  return steady_nanoseconds(std::chrono::steady_clock::now());
}

/// What a reading of memory found, or why it cannot be true.
struct FlightReading {
  RankFlight flight;
  std::string wrong;  ///< empty: nothing
};

/// The records that stand in `slots`, read while the writer may go on. O(capacity).
[[nodiscard]] inline FlightReading read_flight(const FlightHeader& header, const FlightSlot* slots) {
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
  if (communicators > most_flight_communicators) return wrong("it names " + std::to_string(communicators) + " communicators");
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
    const std::uint64_t kinds = slot.kinds.load(std::memory_order_acquire), place = slot.place.load(std::memory_order_acquire),
                        peers = slot.peers.load(std::memory_order_acquire);
    const std::uint64_t error = slot.error.load(std::memory_order_acquire), check = slot.check.load(std::memory_order_acquire),
                        computed = slot.computed_check(position);
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
    if (check != computed || state > 3 || operation >= all_collective_operations.size() || type >= all_element_types.size() ||
        reduction >= all_reductions.size() || communicator >= flight.communicators.size() ||
        error > static_cast<std::uint64_t>(ErrorKind::aborted))
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
