#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/flight/hang_report.hpp"
#include "assay/core/outcome.hpp"

namespace assay::inline v0 {

/// The report as an outcome, which every report of Assay shows: the sentence as the reason, findings as the diagnosis,
/// a table of the ranks, a map of ranks × operations. `error` where ranks hang, died or failed, `fail` where calls do
/// not match; where nothing hangs, `pass` if something was recorded, else `inconclusive`.
[[nodiscard]] Outcome hang_outcome(const HangReport& report, std::string id = "collectives/hang");

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/flight/hang_outcome.ipp"
#endif
