#pragma once

#include "assay/release/gate.hpp"

#include <iterator>
#include <map>
#include <set>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE void conclude(GateReport& report) {
  std::size_t hard = 0, outcomes = 0, cut_short = 0;
  for (const GateResult& result : report.gates) hard += result.gate.hard ? 1 : 0;
  for (const GateSource& source : report.sources) {
    outcomes += source.outcomes;
    cut_short += source.cut_short() ? 1 : 0;
  }
  const std::string of_gates = " of " + counted(hard, "hard gate", "hard gates");
  const std::size_t violated = report.count(GateState::violated, true),
                    unclear = report.count(GateState::cannot_tell, true);
  if (violated > 0) {
    report.verdict = ReleaseVerdict::blocked;
    report.reason = std::to_string(violated) + of_gates + (violated == 1 ? " is violated" : " are violated");
    if (unclear > 0) report.reason += ", " + std::to_string(unclear) + " cannot tell";
  } else if (outcomes == 0) {
    report.reason = "there are no results";
  } else if (unclear > 0) {
    report.reason = std::to_string(unclear) + of_gates + " cannot tell";
  } else if (cut_short == 0 && report.missing_shards.empty() && report.not_run.empty() && report.absent.empty()) {
    report.verdict = ReleaseVerdict::approved;
    const std::size_t waived = report.count(GateState::waived, true);
    report.reason = (hard == 1 ? "the hard gate is kept" : "all " + std::to_string(hard) + " hard gates are kept") +
                    (waived > 0 ? ", " + std::to_string(waived) + " of them with waivers or quarantine" : "");
  }
  if (cut_short > 0)
    report.reason +=
        (report.reason.empty() ? "" : ", ") + counted(cut_short, "run was cut short", "runs were cut short");
  for (std::size_t i = 0; i < report.missing_shards.size(); ++i)
    report.reason += (i > 0 || !report.reason.empty() ? ", " : "") + std::string("shard ") + report.missing_shards[i] +
                     " is missing";
  if (!report.not_run.empty())
    report.reason +=
        (report.reason.empty() ? "" : ", ") +
        counted(report.not_run.size(), "combination was not run: ", "combinations were not run, the first is ") +
        report.not_run.front();
  if (!report.absent.empty())
    report.reason +=
        (report.reason.empty() ? "" : ", ") +
        counted(report.absent.size(),
                "thing that was there before is absent: ", "things that were there before are absent, the first is ") +
        report.absent.front();
}

/// Parts are of one run where title, seed and number of parts agree.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> missing_shards_of(
    const std::vector<GateInput>& inputs) {
  std::map<std::pair<std::string, std::uint64_t>, std::vector<std::string>> shards;
  for (const GateInput& input : inputs) shards[{input.run.title, input.run.seed}].push_back(input.run.shard);
  std::vector<std::string> missing;
  for (const auto& [run, given] : shards)
    for (std::string& shard : missing_shards(given)) missing.push_back(std::move(shard));
  return missing;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<GateReport> judge_release(const GatePolicy& policy,
                                                            const std::vector<GateInput>& inputs, CalendarDate today,
                                                            std::vector<std::string> not_run,
                                                            std::vector<std::string> absent) {
  if (const auto checked = check(policy); !checked) return checked.propagate();
  GateReport report;
  report.title = policy.title;
  report.today = today;
  for (const GateInput& input : inputs)
    report.sources.push_back({input.name, input.run.title, input.run.environment.started_at,
                              input.run.environment.host_name, input.run.outcomes.size(), input.run.planned_cases});
  report.missing_shards = detail::missing_shards_of(inputs);
  report.not_run = std::move(not_run);
  report.absent = std::move(absent);
  for (const Waiver& waiver : policy.waivers)
    report.waivers.push_back({waiver, waiver.expires < today, (waiver.expires - today).count(), 0});
  for (const Quarantine& entry : policy.quarantine) {
    QuarantineUse use{entry, entry.expires < today, 0, 0, {}};
    for (const GateInput& input : inputs)
      for (const Outcome& outcome : input.run.outcomes) use.seen += detail::any_glob(entry.ids, outcome.id) ? 1 : 0;
    report.quarantine.push_back(std::move(use));
  }
  for (const Gate& gate : policy.gates) {
    detail::GateJudge judge(gate, report.waivers, report.quarantine);
    for (const GateInput& input : inputs)
      for (const Outcome& outcome : input.run.outcomes) judge.add(outcome, input.name);
    report.gates.push_back(judge.result());
  }
  detail::conclude(report);
  return report;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> absent_since(const std::vector<GateInput>& earlier,
                                                                 const std::vector<GateInput>& now) {
  const auto things_in = [](const std::vector<GateInput>& inputs) {
    std::set<std::string> things;
    for (const GateInput& input : inputs)
      for (const Outcome& outcome : input.run.outcomes) {
        things.insert("case '" + outcome.id + "'");
        for (const char* label : {"device", "rank", "host", "node"})
          if (const std::string value = outcome.label(label); !value.empty())
            things.insert(std::string(label) + " '" + value + "'");
      }
    return things;
  };
  const std::set<std::string> before = things_in(earlier), there = things_in(now);
  std::vector<std::string> absent;
  std::set_difference(before.begin(), before.end(), there.begin(), there.end(), std::back_inserter(absent));
  return absent;
}

}  // namespace assay::inline v0
