#pragma once

#include <functional>
#include <string>
#include <vector>

#include "assay/core/outcome.hpp"

namespace assay::inline v0 {

/// A counter of errors at one moment: corrected ECC errors of a DIMM, replays of a link.
struct CounterReading {
  std::string name;  ///< with its place: "mc0/ce_count"
  double value = 0;  ///< events since some moment
};

/// Reads all counters that there are; none: there are none.
using ReadCounters = std::function<std::vector<CounterReading>()>;

/// Holds counters before and after a test against each other, in the outcome of the test: one that rose turns a pass
/// into a failure, one that fell was set back, so that nobody knows, and a pass becomes inconclusive, as where one is
/// gone. That there are none is told. O(n²).
void judge_counters(Outcome& outcome, const std::vector<CounterReading>& before,
                    const std::vector<CounterReading>& after);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/counter_reading.ipp"
#endif
