#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/faults/collective_faults.hpp"
#include "assay/collectives/verification/rank_finding.hpp"
#include "assay/core/outcome.hpp"

namespace assay::inline v0 {

/// Whether no rank found anything, and all that must agree do.
[[nodiscard]] inline bool are_right(const std::vector<RankFinding>& findings) {
  return std::all_of(findings.begin(), findings.end(), [&](const RankFinding& finding) {
    return finding.is_right() && finding.hash == findings.front().hash;
  });
}

/// What is wrong, of which rank: the fault's name is one of `collective_faults()`.
struct CollectiveCause {
  std::string fault;                  ///< empty: not told
  int guilty = -1;                    ///< -1: not told, or no single rank
  std::vector<std::string> evidence;  ///< one sentence each
  std::vector<int> suspects = {};     ///< where it is not told: ranks of which an explanation fits, ascending
};

namespace detail {

/// What findings of several ranks say together that none of them can say alone.
class CauseOfFindings {
 public:
  CauseOfFindings(const CollectiveProblem& problem, const std::vector<RankFinding>& findings);

  [[nodiscard]] CollectiveCause cause();

 private:
  [[nodiscard]] std::size_t saying(const std::string& fault) const {
    return static_cast<std::size_t>(std::count_if(wrong_.begin(), wrong_.end(), [&](const RankFinding* finding) {
      return std::any_of(finding->suspicions.begin(), finding->suspicions.end(),
                         [&](const CollectiveSuspicion& suspicion) { return suspicion.fault == fault; });
    }));
  }
  [[nodiscard]] bool one_gives_all() const {
    return problem_.operation == CollectiveOperation::broadcast || problem_.operation == CollectiveOperation::scatter;
  }

  [[nodiscard]] bool is_exact() const {
    using enum CollectiveDataKind;
    const bool digits =
        (problem_.data == decode || problem_.data == exact) && problem_.reduction != ReductionOperator::average;
    return !reduces(problem_.operation) || is_integer(problem_.type) || digits;
  }
  using Explanation = std::pair<std::string, int>;  ///< fault, guilty rank

  void settle(CollectiveCause& cause) const;
  /// The only rank that received what is wrong, though others received the same right, or much of their own; else -1.
  [[nodiscard]] int alone(const CollectiveCause& cause) const;
  /// Leaves a rank guilty only where nothing else fits as well and chance does not explain it.
  void weigh_rivals(CollectiveCause& cause, const Explanation& best) const;
  /// Ranks of which a message between two tells no more than that one of them is.
  [[nodiscard]] std::vector<int> ends_of_message() const;
  /// Whether, of two ranks, what one did gives what the other would have given: they swapped, or their sums cancel, so
  /// that one left out is the other counted twice.
  [[nodiscard]] bool each_does_as_the_other(const std::string& fault) const;
  /// How likely all that speaks for an explanation is there by chance; 1 where it does not explain all that is wrong.
  [[nodiscard]] double chance_of(const Explanation& explanation) const;
  /// Whether next to nothing is right on ranks where anything is wrong.
  [[nodiscard]] bool all_of_it() const {
    return std::all_of(wrong_.begin(), wrong_.end(),
                       [](const RankFinding* finding) { return finding->wrong * 10 >= finding->elements * 9; });
  }
  /// The rank whose elements are wrong on all ranks, if they are one rank's.
  [[nodiscard]] int shared_source() const;

  [[nodiscard]] CollectiveCause disagreement() const;

  const CollectiveProblem& problem_;
  const std::vector<RankFinding>& findings_;
  std::vector<const RankFinding*> wrong_;
  std::map<Explanation, double> weights_;
};

}  // namespace detail

/// The cause that what all ranks found after one call points to. `findings` are in the order of ranks. A rank is guilty
/// only where no other explanation fits as well: otherwise all that fit are suspects, and the evidence says both.
[[nodiscard]] inline CollectiveCause diagnose_collective(const CollectiveProblem& problem,
                                                         const std::vector<RankFinding>& findings) {
  return detail::CauseOfFindings(problem, findings).cause();
}

/// Of cases and outcomes of a problem.
[[nodiscard]] std::map<std::string, std::string> labels_of(const CollectiveProblem& problem, const std::string& runtime,
                                                           int size);

/// The outcome of a problem from what all ranks found after its last call, `right_calls` having been right before it.
/// Labels "fault" and "guilty_rank" where they can be told; "suspect_ranks" where one of several is guilty: "4, 5".
[[nodiscard]] Outcome outcome_of(const CollectiveProblem& problem, const std::string& runtime, int size,
                                 const std::vector<RankFinding>& findings, std::uint64_t right_calls = 0);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/verification/collective_diagnosis.ipp"
#endif
