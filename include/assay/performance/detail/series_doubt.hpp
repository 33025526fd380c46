#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/performance/history_baseline.hpp"

namespace assay::inline v0::detail {

/// Of each run of a history, how many runs come before it in the order; equals have one place. O(n log n).
[[nodiscard]] std::vector<std::size_t> run_places(const History& history, SeriesOrder order);

/// Why the newest value of a series is no evidence of the newest runs: later ones left it out more often than it was
/// left out before. Empty: it is. A series that was always measured in every third run may be absent from two. `places`
/// are those of `run_places`. O(points · log points).
[[nodiscard]] std::string why_stale(const History& history, const HistorySeries& series, const BaselinedSeries& chosen,
                                    const std::vector<std::size_t>& places);

/// Why the values of a series look as if nothing had been measured: none or fewer of what always takes some (time,
/// energy, cycles, memory), and what became better by more than 97 %. Empty: they do not. Looks at the baseline and at
/// the newest `newest` values. O(samples).
[[nodiscard]] std::string why_suspicious(const HistorySeries& series, const BaselinedSeries& chosen,
                                         std::size_t newest = 20);

/// Makes a pass of which there is a doubt inconclusive, with the label "doubt": `kind`, and tells the doubt whatever
/// the verdict is.
void doubt(Outcome& outcome, const std::string& kind, const std::string& why);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/performance/detail/series_doubt.ipp"
#endif
