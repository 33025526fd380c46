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

inline constexpr std::uint64_t flight_magic =
    0x31'74'68'67'69'6c'46'41;  // "AFlight1" where the lowest byte comes first
inline constexpr std::size_t most_flight_communicators = 48;

/// One record. Its `turn` is the record's position times 8 plus a stage: readers see by it whether the rest belongs
/// together.
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
    for (const FlightWord* word :
         {&entered_at, &sequence, &count, &received_count, &sent_number, &received_number, &place, &peers, &kinds})
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
  std::int64_t process, process_started,
      process_space;          ///< number, clock ticks since boot, and the namespace of the number
  std::int64_t clock_offset;  ///< of the steady clock to the time since 1970, in ns
  char host[64], boot[40], run[64];
  std::uint64_t check;  ///< of all above
  FlightWord next;      ///< position of the next record
  FlightWord closed;
  FlightWord last_seen_at;  ///< ns of the steady clock
  FlightWord communicators;
  FlightCommunicator communicator[most_flight_communicators];

  [[nodiscard]] std::uint64_t computed_check() const;
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
[[nodiscard]] FlightReading read_flight(const FlightHeader& header, const FlightSlot* slots);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/flight/detail/flight_memory.ipp"
#endif
