#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/collectives/verification/check_collective.hpp"
#include "assay/statistics/rate_interval.hpp"

namespace assay::inline v0 {

/// How long corruption is hunted. The same on every rank.
struct HuntOptions {
  std::uint64_t calls = 100000;                                        ///< at most
  std::chrono::steady_clock::duration budget = std::chrono::hours(1);  ///< at most, by the clock of rank 0
  std::uint64_t first_call = 0;                ///< number of the first call: data differ from number to number
  std::uint64_t calls_between_exchanges = 64;  ///< of findings; ranks are free to run ahead of each other between them
  std::uint64_t most_failures = 16;            ///< after so many wrong calls, 1 at least, the hunt ends
  std::size_t slots = 4;                       ///< sets of buffers, filled while others are used
  std::chrono::steady_clock::duration timeout = std::chrono::seconds(30);  ///< of each call
  double confidence = 0.95;  ///< of the interval of the rate: 0.9, 0.95 or 0.99
};

/// Repeats a verified call with data that change from call to call, and looks for corruption that comes rarely: every
/// call is compared in full. Data with one right answer a place (decode, exact) show every bit. Every rank calls it
/// alike and receives the same outcome: measurements "calls", "corrupted_calls", "corruption_rate" with
/// "corruption_rate_lower" and "_upper"; labels "first_call", "fault", "guilty_rank" of the first corrupted call, which
/// `check_collective` with that `first_call` and the problem's seed repeats. A hunt that found nothing passes, and says
/// below which rate corruption must be. A barrier is unsupported. Misuse: as `RankCheck::make`.
[[nodiscard]] Outcome hunt(AnyCollective& collective, Coordinator& coordinator, const CollectiveProblem& problem,
                           const HuntOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/verification/hunt.ipp"
#endif
