#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/flight/detail/communicator_flight.hpp"
#include "assay/collectives/flight/detail/wait_analysis.hpp"
#include "assay/collectives/flight/hang_cause.hpp"
#include "assay/collectives/flight/rank_flight.hpp"

namespace assay::inline v0 {

/// Ranks of the same standing: same life, same last operation, in the same state.
struct HangGroup {
  std::vector<int> ranks;  ///< ascending
  ProcessLife life = ProcessLife::unknown;
  std::optional<FlightRecord> last;  ///< of the first of them; none: no record
  double seconds = 0;                ///< since the last one entered, if stuck, else since the first one ended
};

/// Who came to an operation, who did not, and why.
struct HangReport {
  HangCause cause = HangCause::none;
  std::string sentence;               ///< the cause, with the guilty ranks first
  std::vector<std::string> findings;  ///< what else is known, most telling first
  std::vector<int> culprits;          ///< ranks of the world, ascending; empty where nobody can be named
  std::vector<int> waiting;           ///< ranks that do not get through
  std::string communicator;           ///< of the operation that hangs
  std::uint64_t sequence = 0;         ///< of the operation in question
  std::vector<HangGroup> groups;      ///< all ranks of the world
  std::vector<RankFlight> flights;    ///< what it was made from

  /// Whether anything hangs.
  [[nodiscard]] bool hangs() const { return cause != HangCause::none; }
  /// Several lines for a terminal.
  [[nodiscard]] std::string text() const;
};

/// What the records of all ranks say at the time `now`, in nanoseconds since 1970. Ranks of which there is no flight
/// count as absent: the world is as large as any flight says. `problems`: what kept flights from being read, taken into
/// the findings. O(records · log).
[[nodiscard]] HangReport hang_report(std::vector<RankFlight> given, std::int64_t now,
                                     std::span<const std::string> problems = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/flight/hang_report.ipp"
#endif
