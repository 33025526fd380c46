#pragma once

#include "assay/collectives/verification/hunt.hpp"

#include <algorithm>
#include <map>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Outcome hunt(AnyCollective& collective, Coordinator& coordinator,
                                        const CollectiveProblem& problem, const HuntOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const auto patience = options.timeout + std::chrono::seconds(10);
  if (problem.operation == CollectiveOperation::barrier) {
    Outcome none = outcome_of(problem, collective.name(), collective.size(), {});
    none.id += "/hunt";
    none.verdict = Verdict::unsupported;
    none.reason = "a barrier has no data to compare; check_collective() looks at who leaves it too early";
    return none;
  }
  auto check = RankCheck::make(collective, problem, options.slots);
  const std::uint64_t batch = std::max<std::uint64_t>(options.calls_between_exchanges, 1);
  const std::uint64_t most_failures = std::max<std::uint64_t>(options.most_failures, 1);
  std::uint64_t calls = 0, corrupted = 0;
  double elements = 0;
  Table table{"corrupted calls", {"call", "fault", "guilty rank", "reason"}, {}};
  Outcome outcome;
  bool stopped = false, out_of_time = false;
  while (!stopped && calls < options.calls) {
    std::vector<RankFinding> mine;  // of this batch: what is wrong
    const std::uint64_t end = std::min(options.calls, calls + batch);
    std::uint64_t done = calls;
    RankFinding last;
    for (; done < end; ++done) {
      last = {};
      last.rank = collective.rank();
      if (check)
        last = detail::checked_call(collective, check.value(), done % options.slots, options.first_call + done,
                                    options.timeout);
      else
        last.error = check.error();
      last.call = options.first_call + done;
      elements += static_cast<double>(last.elements);
      if (!last.is_right() && (last.error || mine.size() < most_failures)) mine.push_back(last);
      if (last.error) break;
    }
    // one text a rank: what it found, and whether its time is up
    std::string text;
    detail::put(text, std::chrono::steady_clock::now() - start > options.budget ? 1 : 0);
    detail::put(text, static_cast<long long>(mine.size()));
    for (const RankFinding& finding : mine) detail::put(text, to_text(finding));
    auto all = coordinator.exchange(text, deadline_after(patience));
    std::map<std::uint64_t, std::vector<RankFinding>> by_call;
    if (!all) {
      last.error = all.error();
      by_call[last.call].push_back(last);
    } else {
      for (std::size_t rank = 0; rank < all.value().size(); ++rank) {
        const auto& said = all.value()[rank];
        if (!said) {
          RankFinding absent;
          absent.rank = static_cast<int>(rank);
          absent.call = options.first_call + done;
          absent.error =
              Error{ErrorKind::timed_out, "rank " + std::to_string(rank) + " did not say in time what it found"};
          by_call[absent.call].push_back(absent);
          continue;
        }
        detail::FindingReader reader{*said};
        if (reader.number() != 0 && rank == 0) out_of_time = true;
        for (long long left = reader.number(); reader.ok && left > 0; --left)
          if (auto finding = rank_finding_from_text(reader.words()))
            by_call[finding.value().call].push_back(std::move(finding).value());
      }
    }
    for (auto& [number, findings] : by_call) {
      std::vector<RankFinding> ranks(static_cast<std::size_t>(collective.size()));  // the others found nothing
      for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        ranks[rank].rank = static_cast<int>(rank), ranks[rank].call = number;
      for (RankFinding& finding : findings) ranks[static_cast<std::size_t>(finding.rank)] = std::move(finding);
      Outcome found = outcome_of(problem, collective.name(), collective.size(), ranks, number - options.first_call);
      const bool failed =
          std::any_of(ranks.begin(), ranks.end(), [](const RankFinding& finding) { return finding.error.has_value(); });
      stopped = stopped || failed || corrupted + 1 >= most_failures;
      corrupted += failed ? 0 : 1;
      if (table.rows.size() < 64)
        table.rows.push_back({std::to_string(number), found.label("fault"), found.label("guilty_rank"), found.reason});
      if (outcome.id.empty()) {
        outcome = std::move(found);
        outcome.labels["first_call"] = std::to_string(number);
      } else if (failed) {
        outcome.reason += "; " + found.reason;
      }
    }
    calls = end;
    if (out_of_time) break;
  }
  if (outcome.id.empty()) {
    std::vector<RankFinding> right(calls > 0 ? 1 : 0);
    outcome = outcome_of(problem, collective.name(), collective.size(), right);
  }
  outcome.id += "/hunt";
  const double z = options.confidence >= 0.985 ? 2.576 : options.confidence >= 0.925 ? 1.96 : 1.645;
  const RateInterval interval = rate_interval(corrupted, calls, z);
  std::erase_if(outcome.measurements, [](const Measurement& entry) { return entry.name == measurement::violations; });
  outcome.measure("calls", static_cast<double>(calls), "calls");
  outcome.measure("corrupted_calls", static_cast<double>(corrupted), "calls");
  outcome.measure("corruption_rate", calls > 0 ? static_cast<double>(corrupted) / static_cast<double>(calls) : 0);
  outcome.measure("corruption_rate_lower", interval.lower);
  outcome.measure("corruption_rate_upper", interval.upper);
  outcome.measure(measurement::elements, elements, "elements");
  if (!table.rows.empty()) outcome.tables.push_back(std::move(table));
  if (corrupted > 0)
    outcome.diagnosis.push_back("in " + std::to_string(corrupted) + " of " + std::to_string(calls) +
                                " calls; repeat the first with first_call " + outcome.label("first_call") +
                                " and seed " + std::to_string(problem.seed));
  outcome.duration_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

}  // namespace assay::inline v0
