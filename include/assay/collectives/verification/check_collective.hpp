#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/any_collective.hpp"
#include "assay/collectives/coordinator.hpp"
#include "assay/collectives/verification/collective_diagnosis.hpp"
#include "assay/collectives/verification/rank_check.hpp"
#include "assay/core/outcome.hpp"

namespace assay {

/// How much a check does. The same on every rank.
struct CollectiveCheckOptions {
  std::uint64_t calls = 3;       ///< each with data of its own
  std::uint64_t first_call = 0;  ///< the number of the first: tells the data
  std::size_t slots = 2;         ///< pairs of buffers that calls take by turns
  std::chrono::steady_clock::duration timeout = std::chrono::seconds(30);  ///< of each call
};

namespace detail {

/// What every rank found after one call, in the order of ranks. A rank that did not say gives an error of its own.
[[nodiscard]] inline Result<std::vector<RankFinding>> exchange_findings(Coordinator& coordinator, const RankFinding& mine, Deadline deadline) {
  auto texts = coordinator.exchange(to_text(mine), deadline);
  if (!texts) return texts.propagate();
  std::vector<RankFinding> all;
  for (std::size_t rank = 0; rank < texts.value().size(); ++rank) {
    RankFinding finding;
    finding.rank = static_cast<int>(rank);
    finding.call = mine.call;
    if (const auto& text = texts.value()[rank]; !text) {
      finding.error = Error{ErrorKind::timed_out, "rank " + std::to_string(rank) + " did not say in time what it found"};
    } else if (auto read = rank_finding_from_text(*text); !read) {
      finding.error = read.error();
    } else {
      finding = std::move(read).value();
    }
    all.push_back(std::move(finding));
  }
  return all;
}

/// Prepares, launches and inspects one call on this rank.
[[nodiscard]] inline RankFinding checked_call(AnyCollective& collective, RankCheck& check, std::size_t slot, std::uint64_t number, std::chrono::steady_clock::duration timeout) {
  RankFinding finding;
  finding.rank = collective.rank();
  finding.call = number;
  Result<void> done = check.prepare(slot, number);
  if (done) done = collective.run(check.call(slot), deadline_after(timeout));
  if (!done) {
    finding.error = done.error();
    return finding;
  }
  auto inspected = check.inspect(slot);
  if (inspected) return std::move(inspected).value();
  finding.error = inspected.error();
  return finding;
}

}  // namespace detail

/// Whether a collective gives what the problem asks for, call after call, and if not, which rank is guilty of what. Every
/// rank calls it with the same arguments; every rank receives the same outcome. Ends at the first call in which any rank
/// found anything. Misuse: a problem that no rank could have (see `RankCheck::make`).
[[nodiscard]] inline Outcome check_collective(AnyCollective& collective, Coordinator& coordinator, const CollectiveProblem& problem, const CollectiveCheckOptions& options = {}) {
  const auto start = std::chrono::steady_clock::now();
  const auto patience = options.timeout + std::chrono::seconds(10);
  auto check = RankCheck::make(collective, problem, options.slots);
  std::vector<RankFinding> findings;
  std::uint64_t call = 0;
  double elements = 0;
  for (; call < std::max<std::uint64_t>(options.calls, 1); ++call) {
    RankFinding mine;
    mine.rank = collective.rank();
    mine.call = options.first_call + call;
    if (check) mine = detail::checked_call(collective, check.value(), call % options.slots, mine.call, options.timeout);
    else mine.error = check.error();
    auto all = detail::exchange_findings(coordinator, mine, deadline_after(patience));
    if (!all) {
      mine.error = all.error();
      findings = {mine};
      break;
    }
    findings = std::move(all).value();
    for (const RankFinding& finding : findings) elements += static_cast<double>(finding.elements);
    if (!are_right(findings)) break;
  }
  Outcome outcome = outcome_of(problem, collective.name(), collective.size(), findings);
  outcome.measure("calls", static_cast<double>(std::min(call + 1, std::max<std::uint64_t>(options.calls, 1))), "calls");
  outcome.measure(measurement::elements, elements, "elements");
  outcome.duration_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

}  // namespace assay
