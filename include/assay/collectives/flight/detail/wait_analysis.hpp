#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/flight/detail/communicator_flight.hpp"
#include "assay/collectives/flight/hang_cause.hpp"
#include "assay/core/enum_name.hpp"
#include "assay/core/printed_number.hpp"

namespace assay::inline v0::detail {

[[nodiscard]] inline std::string seconds_text(double seconds) {
  if (seconds < 1) return printed_number(seconds * 1e3, 0, std::chars_format::fixed) + " ms";
  return printed_number(seconds, 1, std::chars_format::fixed) + " s";
}

/// How long a rank is, or was, in an operation that it does not get through; how long ago it left any other.
[[nodiscard]] inline double seconds_since(const FlightRecord& record, std::int64_t now) {
  const std::int64_t from = record.stuck() ? record.entered_at : record.ended_at,
                     to = record.state == FlightState::timed_out ? record.ended_at : now;
  return static_cast<double>(std::max<std::int64_t>(0, to - from)) / 1e9;
}

/// The last record of a rank; the one that it does not get through, if there is one; not those that were aborted under
/// it.
[[nodiscard]] const FlightRecord* last_of(const RankFlight& flight);

[[nodiscard]] std::string standing_text(ProcessLife life, const FlightRecord* last, double seconds);

/// Who waits for whom.
struct WaitAnalysis {
  HangCause cause = HangCause::none;
  std::vector<int> guilty, waiting;
  std::set<int> late;  ///< came when others had given up
  std::string communicator;
  const FlightRecord* record =
      nullptr;                 ///< the operation in question, by a rank that waits in it, or by the guilty one
  std::size_t nameless = 0;    ///< ranks waited for that left no trace, not even a number
  bool after_the_end = false;  ///< all processes are dead: somebody ended them, which says nothing of the cause
  std::vector<const FlightRecord*> blocked;  ///< by rank
  std::vector<ProcessLife> lives;            ///< by rank, as the analysis took them
};

[[nodiscard]] WaitAnalysis wait_analysis(const std::vector<CommunicatorFlight>& communicators,
                                         const std::vector<const RankFlight*>& flights);

[[nodiscard]] std::string waiting_text(const WaitAnalysis& waits, std::int64_t now);

[[nodiscard]] std::string cause_sentence(const WaitAnalysis& waits, const std::vector<const RankFlight*>& flights,
                                         std::int64_t now, bool several);

/// What the sentence leaves out: the rest of the guilty, absent records, gaps.
[[nodiscard]] std::vector<std::string> further_findings(const WaitAnalysis& waits,
                                                        const std::vector<const RankFlight*>& flights, std::int64_t now,
                                                        bool several);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/flight/detail/wait_analysis.ipp"
#endif
