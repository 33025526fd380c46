#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/flight/rank_flight.hpp"
#include "assay/collectives/stragglers/detail/median_bounds.hpp"
#include "assay/collectives/stragglers/straggler_report.hpp"
#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

/// How slow ranks are told from noise.
struct StragglerOptions {
  double least_slowdown = 1.25;  ///< what is less slow is none to speak of
  double error = 0.01;           ///< with which probability anybody at all is accused who is not slower than that
};

/// Seconds that each rank took for its part of each iteration: `times[rank][iteration]`; NaN where not known. Rows are
/// equally long.
using RankTimes = std::vector<std::vector<double>>;

/// From the flights of a training loop: what each rank did between operation k − 1 and operation k of a communicator,
/// plus the time that the operation itself takes (that of the rank that waits least), so that a rank that is late by a
/// hair in a loop without work is none to speak of. Measured by each rank's own clock: clocks of machines need not
/// agree. O(records · log).
[[nodiscard]] RankTimes rank_times_of(std::span<const RankFlight> flights, const std::string& communicator = "world");

/// Which ranks work more slowly than the others, iteration by iteration: the ratio of a rank's time to the median of
/// the others' of the same iteration, whose median must lie above `least_slowdown` by a sign test. So noise may have
/// any distribution, and an iteration that is long for all harms nothing; errors of all ranks together are held by
/// Bonferroni's correction. Fewer than half of the ranks may be slow.
///
/// log₂(ranks / error) iterations at least, 10 for 8 ranks, 16 for 512; more where noise is large. Independent
/// iterations are presumed. Sources: Conover, "Practical Nonparametric Statistics", 1999, 3.4 (sign test). O(ranks ·
/// iterations · log). Misuse: rows of different lengths; `least_slowdown` < 1; an error outside (0, 1).
[[nodiscard]] StragglerReport find_slow_ranks(const RankTimes& times, const StragglerOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/stragglers/slow_ranks.ipp"
#endif
