#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assay/release/gate.hpp"
#include "testing/catch.hpp"

namespace assay::testing {

inline CalendarDate day(const std::string& text) {
  return parse_calendar_date(text).value();
}

inline const CalendarDate release_day = day("2026-01-31");

inline Outcome outcome_of(std::string id, Verdict verdict, std::vector<Measurement> measurements = {}) {
  Outcome outcome;
  outcome.id = std::move(id);
  outcome.verdict = verdict;
  if (verdict != Verdict::pass) outcome.reason = "because it is " + std::string(name_of(verdict));
  outcome.measurements = std::move(measurements);
  return outcome;
}

inline GateInput input_of(std::vector<Outcome> outcomes, std::string name = "run.json") {
  GateInput input;
  input.name = std::move(name);
  input.run.planned_cases = outcomes.size();
  input.run.outcomes = std::move(outcomes);
  return input;
}

/// A hard gate on all outcomes.
inline Gate gate_of(const std::string& condition, std::string name = "the gate") {
  Gate gate;
  gate.name = std::move(name);
  const auto read = parse_gate_condition(condition);
  INFO((read ? std::string() : read.error().message));
  REQUIRE(read);
  gate.condition = read.value();
  gate.remedy = "mend it";
  return gate;
}

inline GatePolicy policy_of(std::vector<Gate> gates) {
  GatePolicy policy;
  policy.title = "policy";
  policy.gates = std::move(gates);
  return policy;
}

inline Waiver waiver_of(std::vector<std::string> ids, const std::string& expires = "2026-06-30") {
  Waiver waiver;
  waiver.ids = std::move(ids);
  waiver.owner = "ada";
  waiver.reason = "ticket 7";
  waiver.expires = day(expires);
  return waiver;
}

inline Quarantine quarantine_of(std::vector<std::string> ids, double rate = 0.5) {
  Quarantine entry;
  entry.ids = std::move(ids);
  entry.owner = "bob";
  entry.reason = "ticket 8";
  entry.expires = day("2026-06-30");
  entry.maximum_failure_rate = rate;
  return entry;
}

inline GateReport judged(const GatePolicy& policy, const std::vector<GateInput>& inputs) {
  const auto report = judge_release(policy, inputs, release_day);
  INFO((report ? std::string() : report.error().message));
  REQUIRE(report);
  return report.value();
}

/// A release that is blocked, warned of, undecided, waived and flaky, all at once.
inline GateReport mixed_report() {
  Gate correct = gate_of("no fail", "kernels/correctness"),
       models = gate_of("each(perplexity) within 12.3 +- 0.5", "models/perplexity"),
       slow = gate_of("max(regression_percent) <= 3", "release/performance"),
       cluster = gate_of("no fail", "distributed"), fine = gate_of("no fail", "hardware");
  correct.selection.ids = {"gemm/*"};
  correct.group = "kernels";
  correct.remedy = "run it alone";
  slow.hard = false;
  cluster.selection.ids = {"collective/*"};
  fine.selection.ids = {"hardware/*"};
  GatePolicy policy = policy_of({correct, models, slow, cluster, fine});
  policy.title = "driver 550";
  policy.waivers = {waiver_of({"gemm/known/*"}), waiver_of({"gemm/old/*"}, "2026-01-30"), waiver_of({"nothing/*"}),
                    waiver_of({"gemm/soon"}, "2026-02-03")};
  policy.quarantine = {quarantine_of({"gemm/flaky", "gemm/broken"})};
  Outcome refuted = outcome_of("gemm/refuted|<b>", Verdict::fail);
  refuted.reproduce = "assay run --only 'gemm/refuted'";
  return judged(policy,
                {input_of({refuted, outcome_of("gemm/known/1", Verdict::fail), outcome_of("gemm/old/1", Verdict::fail),
                           outcome_of("gemm/soon", Verdict::fail),
                           outcome_of("gemm/flaky", Verdict::fail, {{"attempts", 4, "1"}, {"failure_rate", 0.25, "1"}}),
                           outcome_of("gemm/broken", Verdict::fail, {{"attempts", 4, "1"}, {"failure_rate", 1, "1"}}),
                           outcome_of("gemm/fine", Verdict::pass),
                           outcome_of("model/a", Verdict::pass, {{"perplexity", 12.5, "1"}}),
                           outcome_of("bench/a", Verdict::pass, {{"regression_percent", 4.5, "%"}}),
                           outcome_of("hardware/memory", Verdict::pass)},
                          "a.json"),
                 input_of({outcome_of("gemm/fine", Verdict::unsupported)}, "b.json")});
}

}  // namespace assay::testing
