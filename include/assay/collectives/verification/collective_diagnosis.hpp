#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "assay/collectives/verification/rank_finding.hpp"
#include "assay/core/outcome.hpp"

namespace assay {

/// Whether no rank found anything, and all that must agree do.
[[nodiscard]] inline bool are_right(const std::vector<RankFinding>& findings) {
  return std::all_of(findings.begin(), findings.end(), [&](const RankFinding& finding) { return finding.is_right() && finding.hash == findings.front().hash; });
}

/// What is wrong, of which rank: the fault's name is one of `collective_faults()`.
struct CollectiveCause {
  std::string fault;   ///< empty: not told
  int guilty = -1;     ///< -1: not told
  std::vector<std::string> evidence;
};

/// The cause that what all ranks found after one call points to. `findings` are in the order of ranks.
[[nodiscard]] inline CollectiveCause diagnose_collective(const CollectiveProblem&, const std::vector<RankFinding>& findings) {
  CollectiveCause cause;
  std::map<std::pair<std::string, int>, double> weights;
  for (const RankFinding& finding : findings)
    for (const CollectiveSuspicion& suspicion : finding.suspicions) weights[{suspicion.fault, suspicion.guilty}] += suspicion.share;
  double most = 0;
  for (const auto& [key, weight] : weights) {
    if (weight <= most) continue;
    most = weight;
    cause.fault = key.first;
    cause.guilty = key.second;
  }
  for (const RankFinding& finding : findings)
    for (const CollectiveSuspicion& suspicion : finding.suspicions)
      if (suspicion.fault == cause.fault && suspicion.guilty == cause.guilty && cause.evidence.size() < 4) cause.evidence.push_back(suspicion.evidence);
  return cause;
}

/// The outcome of a problem from what all ranks found after its last call. "fault" and "guilty_rank" are labels where told.
[[nodiscard]] inline Outcome outcome_of(const CollectiveProblem& problem, const std::string& runtime, int size, const std::vector<RankFinding>& findings) {
  Outcome outcome;
  outcome.id = problem.id(runtime, size);
  outcome.seed = problem.seed;
  outcome.labels = {{"operation", std::string(name_of(problem.operation))}, {"backend", runtime}, {"formats", std::string(name_of(problem.type))},
                    {"shape", "n" + std::to_string(size) + ".count" + std::to_string(problem.count)}, {"data", std::string(name_of(problem.data))}};
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
    outcome.verdict = all_unsupported ? Verdict::unsupported : failed->error->kind == ErrorKind::timed_out ? Verdict::fail : Verdict::error;
    outcome.reason = "call " + std::to_string(failed->call) + ", rank " + std::to_string(failed->rank) + ": " + failed->error->message;
    return outcome;
  }
  if (are_right(findings)) {
    outcome.verdict = findings.empty() ? Verdict::inconclusive : Verdict::pass;
    if (findings.empty()) outcome.reason = "no call was made";
    return outcome;
  }
  outcome.verdict = Verdict::fail;
  const CollectiveCause cause = diagnose_collective(problem, findings);
  if (!cause.fault.empty()) outcome.labels["fault"] = cause.fault;
  if (cause.guilty >= 0) outcome.labels["guilty_rank"] = std::to_string(cause.guilty);
  outcome.reason = "call " + std::to_string(findings.front().call) + (ranks.empty() ? ": ranks disagree" : ": wrong on ranks " + ranks) + (cause.fault.empty() ? "" : "; " + cause.fault) +
                   (cause.guilty >= 0 ? " of rank " + std::to_string(cause.guilty) : "");
  outcome.diagnosis = cause.evidence;
  return outcome;
}

}  // namespace assay
