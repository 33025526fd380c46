#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/misuse.hpp"
#include "assay/core/result.hpp"
#include "assay/core/run.hpp"
#include "assay/core/stable_sort.hpp"
#include "assay/suite/detail/perform.hpp"
#include "assay/suite/missing_shards.hpp"
#include "assay/suite/shard.hpp"

namespace assay::inline v0 {

namespace detail {

/// More missing parts than these are a mistyped count, not a run.
inline constexpr std::size_t most_missing_parts = 10'000;

}  // namespace detail

/// Makes one run of several: the parts that shards have run, or runs of different cases.
///
/// - Outcomes come in the order of the whole suite if all parts are there and complete, else in the order of the parts.
/// - A part that was not given is an outcome of its own with the verdict `error`: what it should have run is not known
///   to be right.
/// - A case that one of them did not come to (`Run::cases_not_run`) and another ran is whole; what none ran leaves the
///   merged run cut short.
/// - Inconclusive cases count as failures where they do in any of the runs.
/// - A case that ran in several of them keeps the gravest outcome, and its diagnosis says how often it ran and with
///   what verdicts.
/// - Environments are put together; where there is more than one host, outcomes are labeled with theirs ("host").
///
/// Errors: `invalid` if seeds, versions of Assay or rules differ, parts cannot be of one run (title, sizes, a case in
/// two of them), or more than 10,000 parts are missing. Misuse: no runs. O(outcomes · log(outcomes)).
[[nodiscard]] Result<Run> merge_runs(std::vector<Run> runs);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/suite/merge_runs.ipp"
#endif
