#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/collectives/flight/flight_record.hpp"
#include "assay/core/enum_name.hpp"

namespace assay::inline v0 {

/// The present in the unit of records: nanoseconds since 1970.
[[nodiscard]] inline std::int64_t flight_time_now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// What is known of the process of a rank.
enum class ProcessLife : std::uint8_t {
  unknown,  ///< on another machine, or nothing tells
  alive,
  ended,  ///< closed its record in order
  dead    ///< is no more, and had not closed its record
};

/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(ProcessLife life) noexcept {
  return enum_name(life);
}

/// A communicator of which a rank is a member.
struct FlightMembership {
  std::string communicator;
  int rank = 0;
  int size = 1;  ///< how many ranks it has
};

/// What one rank recorded, and what is known of it.
struct RankFlight {
  int rank = 0;  ///< in the world
  int size = 1;  ///< of the world
  ProcessLife life = ProcessLife::unknown;
  std::int64_t process = 0;       ///< the process' number; 0: not known
  std::string host;               ///< on which the rank runs
  std::int64_t last_seen_at = 0;  ///< nanoseconds since 1970: when the process last gave a sign of life; 0: never
  std::vector<FlightMembership> communicators;  ///< in the order in which the rank joined them
  std::vector<FlightRecord> records;            ///< the latest, oldest first
  std::uint64_t lost = 0;                       ///< older records, which had to give way
  std::size_t unfinished = 0;                   ///< records that were just being written, and are left out
};

}  // namespace assay::inline v0
