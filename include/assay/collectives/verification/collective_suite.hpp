#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/verification/check_collective.hpp"
#include "assay/suite/case.hpp"

namespace assay::inline v0 {

/// What a suite of collectives asks for. The same on every rank.
struct CollectiveSuiteOptions {
  std::vector<CollectiveOperation> operations{all_collective_operations.begin(), all_collective_operations.end()};
  std::vector<ElementType> types{all_element_types.begin(), all_element_types.end()};
  std::vector<ReductionOperator> reductions{all_reductions.begin(), all_reductions.end()};
  Index large_count = 100003;                 ///< a prime
  std::vector<double> sizes;                  ///< bytes, as of `size_bytes`; if not empty, these instead of all counts
  std::optional<int> root;                    ///< of operations that have one; none: by turns
  bool out_of_place = true, in_place = true;  ///< which of them
  NanReduction nan_policy = NanReduction::any;  ///< what the runtime promises of NaN in reductions
  std::uint64_t seed = 1;                       ///< of the data
  CollectiveCheckOptions check;
};

/// Problems for `size` ranks: every operation and type; every reduction and kind of data; counts 0, 1, n − 1, n, n + 1,
/// a prime and `large_count`; in place and out of place; aligned and not; other roots. Counts, places and roots go
/// through all their values from problem to problem, so that there are some hundred problems and not some hundred
/// thousand: every pair of an operation with each of them occurs. Where sizes are asked for, each has a problem of
/// every operation, type, reduction, kind of data and placement, but for the one that an operation does not have.
[[nodiscard]] std::vector<CollectiveProblem> collective_problems(int size, const CollectiveSuiteOptions& options = {});

/// Runs a function on every rank of a communicator at once, giving each its end and its coordinator, and returns when
/// all have: `run_ranks` for threads. Empty where this process is one rank of a communicator that it holds itself.
using OnEveryRank = std::function<void(const std::function<void(AnyCollective&, Coordinator&)>&)>;

/// The problems as cases for a process that drives all ranks, such as those in process. A case's seed moves the data.
/// Thread safety: cases take turns.
[[nodiscard]] Suite collective_suite(const std::string& runtime, int size, OnEveryRank on_every_rank,
                                     const CollectiveSuiteOptions& options = {});

/// Checks all problems in lockstep, every rank of a communicator (processes under MPI) calling it alike. Every rank
/// receives all outcomes; rank 0 reports them. Where a call hung or the runtime failed, the communicator is of no more
/// use: the rest is left out, so that there are fewer outcomes than problems. `observe` is shown each outcome as it
/// comes.
[[nodiscard]] std::vector<Outcome> check_collectives(AnyCollective& collective, Coordinator& coordinator,
                                                     const std::vector<CollectiveProblem>& problems,
                                                     const CollectiveCheckOptions& options = {},
                                                     const std::function<void(const Outcome&)>& observe = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/verification/collective_suite.ipp"
#endif
