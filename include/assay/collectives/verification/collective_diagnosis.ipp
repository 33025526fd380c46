#pragma once

#include "assay/collectives/verification/collective_diagnosis.hpp"

#include "assay/collectives/verification/detail/movement_plan.hpp"
#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE CauseOfFindings::CauseOfFindings(const CollectiveProblem& problem,
                                                            const std::vector<RankFinding>& findings)
    : problem_(problem), findings_(findings) {
  for (const RankFinding& finding : findings) {
    if (finding.wrong > 0 || !finding.suspicions.empty()) wrong_.push_back(&finding);
    double best = 0;
    for (const CollectiveSuspicion& suspicion : finding.suspicions) best = std::max(best, suspicion.share);
    for (const CollectiveSuspicion& suspicion : finding.suspicions)
      if (!suspicion.fault.empty() && suspicion.share > best - 0.15)
        weights_[{suspicion.fault, suspicion.guilty}] += suspicion.share;
  }
}

ASSAY_DETAIL_HEADER_INLINE CollectiveCause CauseOfFindings::cause() {
  if (wrong_.empty()) return disagreement();
  CollectiveCause cause;
  double most = 0;
  for (const auto& [key, weight] : weights_) {
    if (weight <= most) continue;
    most = weight;
    cause.fault = key.first;
    cause.guilty = key.second;
  }
  const Explanation best{cause.fault, cause.guilty};
  settle(cause);
  if (cause.fault == best.first && cause.guilty == best.second) weigh_rivals(cause, best);
  const auto tell = [&](const auto& matters) {
    for (const RankFinding* finding : wrong_)
      for (const CollectiveSuspicion& suspicion : finding->suspicions)
        if (matters(suspicion) && cause.evidence.size() < 4 &&
            std::find(cause.evidence.begin(), cause.evidence.end(), suspicion.evidence) == cause.evidence.end())
          cause.evidence.push_back(suspicion.evidence);
  };
  if (cause.suspects.empty())
    tell([&](const CollectiveSuspicion& suspicion) {
      return suspicion.fault == best.first && (suspicion.guilty == best.second || cause.guilty != best.second);
    });
  else
    for (const int rank : cause.suspects) {  // one sentence for each, whoever says it
      const std::size_t room = cause.evidence.size();
      tell([&](const CollectiveSuspicion& suspicion) {
        return suspicion.guilty == rank && !suspicion.fault.empty() && cause.evidence.size() == room;
      });
    }
  if (cause.evidence.empty()) tell([](const CollectiveSuspicion&) { return true; });
  return cause;
}

ASSAY_DETAIL_HEADER_INLINE int CauseOfFindings::alone(const CollectiveCause& cause) const {
  using enum CollectiveOperation;
  if (wrong_.size() != 1 || problem_.operation == reduce || problem_.operation == gather ||
      problem_.operation == send_receive)
    return -1;
  const RankFinding& only = *wrong_.front();
  const auto others = static_cast<double>(findings_.size()) - 1;
  if (problem_.operation == all_reduce) return others > 0 ? only.rank : -1;
  if (others < 2) return -1;
  if (problem_.operation == all_gather || problem_.operation == broadcast) return only.rank;
  // what others received is of their own: had they the same fault, some of it would be wrong, too
  const bool tells =
      !reduces(problem_.operation) || is_integer(problem_.type) || problem_.reduction == ReductionOperator::minimum ||
      problem_.reduction == ReductionOperator::maximum ||
      (problem_.data != CollectiveDataKind::canceling && problem_.data != CollectiveDataKind::order_probe);
  const bool of_all = cause.guilty < 0 && !cause.fault.empty();
  return tells && !of_all && static_cast<double>(only.wrong) * others >= 8 ? only.rank : -1;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<int> CauseOfFindings::ends_of_message() const {
  using enum CollectiveOperation;
  const int size = static_cast<int>(findings_.size()), receiver = wrong_.front()->rank;
  if (wrong_.size() != 1 || reduces(problem_.operation)) return {};
  if (problem_.operation == send_receive)
    return {detail::call_of(problem_, receiver, size, wrong_.front()->call).source, receiver};
  if (size == 2 && problem_.operation != gather) return {0, 1};
  return {};
}

ASSAY_DETAIL_HEADER_INLINE bool CauseOfFindings::each_does_as_the_other(const std::string& fault) const {
  if (findings_.size() != 2) return false;
  const bool of_contribution = fault == "rank_dropped" || fault == "chunk_dropped" ||
                               fault == "contribution_duplicated" || fault == "duplicate_and_drop";
  return fault == "ranks_permuted" ||
         (of_contribution && reduces(problem_.operation) && problem_.data == CollectiveDataKind::canceling);
}

ASSAY_DETAIL_HEADER_INLINE double CauseOfFindings::chance_of(const Explanation& explanation) const {
  const bool same_data = problem_.operation == CollectiveOperation::all_reduce ||
                         problem_.operation == CollectiveOperation::broadcast ||
                         problem_.operation == CollectiveOperation::all_gather;
  double all = 1;
  for (const RankFinding* finding : wrong_) {
    const CollectiveSuspicion* said = nullptr;
    for (const CollectiveSuspicion& suspicion : finding->suspicions)
      if (suspicion.fault == explanation.first && suspicion.guilty == explanation.second) said = &suspicion;
    if (said == nullptr) return 1;
    const double one = said->chance;
    all = same_data ? std::min(all, one) : all * one;
  }
  return all;
}

ASSAY_DETAIL_HEADER_INLINE void CauseOfFindings::weigh_rivals(CollectiveCause& cause, const Explanation& best) const {
  constexpr double likely_chance = 0.001;
  // where results are exact, what is true explains all; bounds leave some of it unexplained, and fit others, too
  const double as_good = is_exact() ? 0.92 : 0.7;
  std::vector<int> suspects;
  bool nobody = false;  // an explanation by which no rank is to blame fits as well
  const auto of_best = weights_.find(best);
  const double most = of_best == weights_.end() ? 0 : of_best->second;
  for (const auto& [key, weight] : weights_) {
    if (weight < as_good * most) continue;
    nobody = nobody || key.second < 0;
    if (key.second >= 0) suspects.push_back(key.second);
  }
  const auto in_order = [&] {
    std::sort(suspects.begin(), suspects.end());
    suspects.erase(std::unique(suspects.begin(), suspects.end()), suspects.end());
  };
  if (const int only = alone(cause); only >= 0) {
    if (cause.guilty >= 0 && cause.guilty != only)
      cause.evidence.push_back("rank " + std::to_string(only) + " alone is wrong: what rank " +
                               std::to_string(cause.guilty) + " gives has come to all others");
    if (cause.guilty < 0 || cause.guilty == only || problem_.operation != CollectiveOperation::reduce_scatter) {
      cause.guilty = only;
      return;
    }
    // what that rank receives is its own: one message within the algorithm was lost between them
    suspects.push_back(only);
    in_order();
    cause.suspects = std::move(suspects);
    cause.guilty = -1;
    return;
  }
  const bool of_buffers = cause.fault == "input_overwritten" || cause.fault == "out_of_bounds_write";
  const bool of_other_call = cause.fault == "previous_output" || cause.fault == "stale_input";
  if (const std::vector<int> ends = ends_of_message();
      !ends.empty() && cause.guilty >= 0 && !of_buffers && !(of_other_call && findings_.size() > 2))
    suspects.insert(suspects.end(), ends.begin(), ends.end());
  if (cause.guilty >= 0 && each_does_as_the_other(cause.fault)) suspects = {0, 1};
  in_order();
  if (suspects.empty()) return;
  const bool half_a_swap = cause.fault == "ranks_permuted" && reduces(problem_.operation) && wrong_.size() != 2;
  const bool told = of_buffers || findings_.size() == 1 || chance_of(best) <= likely_chance;
  const bool certain = told && !half_a_swap && suspects.size() == 1 && !nobody && cause.guilty >= 0;
  if (certain) return;
  cause.guilty = -1;
  if (suspects.size() < findings_.size() || findings_.size() == 2) cause.suspects = std::move(suspects);
}

ASSAY_DETAIL_HEADER_INLINE void CauseOfFindings::settle(CollectiveCause& cause) const {
  const std::size_t receivers =
      problem_.operation == CollectiveOperation::reduce || problem_.operation == CollectiveOperation::gather
          ? 1
          : findings_.size();
  const bool several = wrong_.size() > 1;
  // nobody received what the root gave: it was not the root
  const bool lost = cause.fault.empty() || cause.fault == "rank_dropped" || cause.fault == "chunk_dropped" ||
                    cause.fault == "remainder_lost";
  if (one_gives_all() && several && lost && wrong_.size() + 1 >= findings_.size() && all_of_it())
    cause = {"wrong_root", -1, {}, {}};
  // all ranks received what the root gave before
  if (one_gives_all() && several && cause.fault == "previous_output" && wrong_.size() + 1 >= findings_.size())
    cause = {"stale_input", problem_.root, {}, {}};
  // the last elements of one rank alone, or of all
  if (cause.fault == "remainder_lost" && !several && receivers > 1 && saying("torn_tail") > 0)
    cause = {"torn_tail", wrong_.front()->rank, {}, {}};
  if (cause.fault == "torn_tail" && several && saying("remainder_lost") == wrong_.size())
    cause = {"remainder_lost", -1, {}, {}};
  // what is wrong alike on several ranks went wrong before they received it
  if (cause.fault == "bit_flip" && several && problem_.operation != CollectiveOperation::send_receive) {
    cause.guilty = shared_source();
    // where nothing is right, a single wrong bit may be chance
    if (cause.guilty >= 0 && all_of_it()) cause.suspects = {std::exchange(cause.guilty, -1)};
  }
}

ASSAY_DETAIL_HEADER_INLINE int CauseOfFindings::shared_source() const {
  if (reduces(problem_.operation)) return -1;
  if (one_gives_all()) return problem_.root;
  return problem_.operation == CollectiveOperation::all_gather && problem_.count > 0 && !wrong_.front()->runs.empty()
             ? static_cast<int>(wrong_.front()->runs.front().begin / problem_.count)
             : -1;
}

ASSAY_DETAIL_HEADER_INLINE CollectiveCause CauseOfFindings::disagreement() const {
  std::map<std::uint64_t, std::vector<int>> groups;
  for (const RankFinding& finding : findings_) groups[finding.hash].push_back(finding.rank);
  CollectiveCause cause;
  if (groups.size() < 2) return cause;
  cause.fault = "ranks_disagree";
  std::size_t largest = 0;
  for (const auto& [hash, ranks] : groups) largest = std::max(largest, ranks.size());
  if (groups.size() == 2 && largest + 1 == findings_.size() && largest > 1)
    for (const auto& [hash, ranks] : groups)
      if (ranks.size() == 1) cause.guilty = ranks.front();
  cause.evidence.push_back(
      "results are within their bounds on all ranks, yet there are " + std::to_string(groups.size()) +
      " different ones" +
      (cause.guilty >= 0 ? "; all ranks but " + std::to_string(cause.guilty) + " have the same" : ""));
  return cause;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string list_text(const std::vector<int>& ranks, const char* between) {
  std::string text;
  for (const int rank : ranks) text += (text.empty() ? "" : between) + std::to_string(rank);
  return text;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string suspected_text(const CollectiveCause& cause) {
  if (cause.suspects.empty()) return {};
  if (cause.suspects.size() > 1) return ", rank " + list_text(cause.suspects, " or rank ") + ": each fits";
  return ", perhaps of rank " + std::to_string(cause.suspects.front()) + ": too little is wrong to tell";
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::map<std::string, std::string> labels_of(const CollectiveProblem& problem,
                                                                        const std::string& runtime, int size) {
  std::map<std::string, std::string> labels{
      {"operation", std::string(name_of(problem.operation))},
      {"backend", runtime},
      {"formats", std::string(name_of(problem.type))},
      {"shape", "n" + std::to_string(size) + ".count" + std::to_string(problem.count)}};
  if (reduces(problem.operation))
    labels.insert(
        {{"data", std::string(name_of(problem.data))}, {"reduction", std::string(name_of(problem.reduction))}});
  return labels;
}

ASSAY_DETAIL_HEADER_INLINE Outcome outcome_of(const CollectiveProblem& problem, const std::string& runtime, int size,
                                              const std::vector<RankFinding>& findings, std::uint64_t right_calls) {
  Outcome outcome;
  outcome.id = problem.id(runtime, size);
  outcome.seed = problem.seed;
  outcome.labels = labels_of(problem, runtime, size);
  double wrong = 0;
  std::string ranks;
  const RankFinding* failed = nullptr;
  bool all_unsupported = !findings.empty();
  for (const RankFinding& finding : findings) {
    wrong += static_cast<double>(finding.wrong);
    if (finding.error && (failed == nullptr || failed->error->kind == ErrorKind::aborted)) failed = &finding;
    all_unsupported = all_unsupported && finding.error && finding.error->kind == ErrorKind::unsupported;
    if (!finding.is_right()) ranks += (ranks.empty() ? "" : ", ") + std::to_string(finding.rank);
  }
  outcome.measure(measurement::violations, wrong, "elements");
  if (failed != nullptr) {
    outcome.verdict = all_unsupported                               ? Verdict::unsupported
                      : failed->error->kind == ErrorKind::timed_out ? Verdict::fail
                                                                    : Verdict::error;
    if (!all_unsupported) outcome.labels["runtime_failed"] = "yes";
    outcome.reason = "call " + std::to_string(failed->call) + ", rank " + std::to_string(failed->rank) + ": " +
                     failed->error->message;
    for (const RankFinding& finding : findings)  // who left early is why others wait
      for (const CollectiveSuspicion& suspicion : finding.suspicions) {
        outcome.labels.insert({{"fault", suspicion.fault}, {"guilty_rank", std::to_string(suspicion.guilty)}});
        outcome.diagnosis.push_back(suspicion.evidence);
      }
    return outcome;
  }
  if (findings.empty()) {
    outcome.reason = "no call was made";
    return outcome;
  }
  if (are_right(findings)) {
    outcome.verdict = Verdict::pass;
    return outcome;
  }
  outcome.verdict = Verdict::fail;
  CollectiveCause cause = diagnose_collective(problem, findings);
  if (cause.fault == "bit_flip" && right_calls > 0) cause.fault = "intermittent_bit_flip";
  if (!cause.fault.empty()) {
    outcome.labels["fault"] = cause.fault;
    if (const auto fault = collective_fault_named(cause.fault))
      outcome.labels["fault_class"] = std::string(name_of(fault->fault_class));
  }
  if (cause.guilty >= 0) outcome.labels["guilty_rank"] = std::to_string(cause.guilty);
  if (!cause.suspects.empty()) outcome.labels["suspect_ranks"] = detail::list_text(cause.suspects, ", ");
  outcome.reason = "call " + std::to_string(findings.front().call) +
                   (ranks.empty() ? ": ranks disagree" : ": wrong on ranks " + ranks) +
                   (cause.fault.empty() ? "" : "; " + cause.fault) +
                   (cause.guilty >= 0 ? " of rank " + std::to_string(cause.guilty) : "") +
                   detail::suspected_text(cause);
  outcome.diagnosis = std::move(cause.evidence);
  Table table{"wrong elements by rank", {"rank", "wrong", "of", "first", "last", "suspicion"}, {}};
  for (const RankFinding& finding : findings)
    if (!finding.is_right() && table.rows.size() < 64)
      table.rows.push_back(
          {std::to_string(finding.rank), std::to_string(finding.wrong), std::to_string(finding.elements),
           finding.runs.empty() ? "" : std::to_string(finding.runs.front().begin),
           finding.runs.empty() ? "" : std::to_string(finding.runs.back().begin + finding.runs.back().length - 1),
           finding.suspicions.empty() ? "" : finding.suspicions.front().fault});
  if (!table.rows.empty()) outcome.tables.push_back(std::move(table));
  return outcome;
}

}  // namespace assay::inline v0
