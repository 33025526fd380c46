#include "assay/release/gate_run.hpp"

#include "assay/report/html.hpp"
#include "assay/report/junit.hpp"
#include "release/sample_gate.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

const Outcome& named(const Run& run, const std::string& id) {
  for (const Outcome& outcome : run.outcomes)
    if (outcome.id == id) return outcome;
  FAIL("no outcome " << id);
  return run.outcomes.front();
}

}  // namespace

TEST_CASE("gates as outcomes") {
  const Run run = gate_run(mixed_report());
  CHECK(named(run, "gate").verdict == Verdict::fail);
  CHECK_THAT(named(run, "gate").reason, contains("blocked: 1 of 4"));
  const Outcome& kernels = named(run, "gate/kernels/correctness");
  CHECK(kernels.verdict == Verdict::fail);
  CHECK(kernels.label("operation") == "kernels");
  CHECK(kernels.measurement("bad") == 3.0);
  CHECK(kernels.measurement("waived") == 2.0);
  CHECK(kernels.measurement("quarantined") == 1.0);
  REQUIRE(kernels.tables.size() == 3);
  CHECK(kernels.tables[0].rows.at(0) == std::vector<std::string>{"gemm/refuted|<b>", "fail", "because it is fail",
                                                                 "a.json", "assay run --only 'gemm/refuted'"});
  CHECK(named(run, "gate/models/perplexity").verdict == Verdict::pass);
  CHECK(named(run, "gate/distributed").verdict == Verdict::error);
  CHECK(named(run, "gate/release/performance").verdict == Verdict::inconclusive);
  CHECK_THAT(named(run, "gate/release/performance").reason, contains("warns only"));
}

TEST_CASE("the run's exit code is 0 exactly if the release is approved") {
  for (const Verdict given : all_verdicts)
    for (const bool waived : {false, true}) {
      GatePolicy policy = policy_of({gate_of("no fail")});
      if (waived) policy.waivers = {waiver_of({"a"})};
      const GateReport report = judged(policy, {input_of({outcome_of("a", given)})});
      INFO(name_of(given) << " " << waived);
      CHECK((gate_run(report).exit_code() == 0) == (report.verdict == ReleaseVerdict::approved));
      CHECK((junit_text(gate_run(report)).find("failures=\"0\" errors=\"0\"") != std::string::npos) ==
            (report.verdict == ReleaseVerdict::approved));
    }
  GateInput cut = input_of({outcome_of("a", Verdict::pass)});
  cut.run.planned_cases = 2;
  CHECK(gate_run(judged(policy_of({gate_of("no fail")}), {cut})).exit_code() != 0);
}

TEST_CASE("what a waiver lets through is never shown as passed") {
  GatePolicy policy = policy_of({gate_of("no fail")});
  policy.waivers = {waiver_of({"a"})};
  const Run run =
      gate_run(judged(policy, {input_of({outcome_of("a", Verdict::fail), outcome_of("b", Verdict::pass)})}));
  CHECK(run.outcomes[1].verdict == Verdict::skipped);
  CHECK_THAT(run.outcomes[1].reason, contains("waived by ada until 2026-06-30: ticket 7"));
  CHECK_THAT(junit_text(run), contains("<skipped") && contains("waived by ada"));
  CHECK(html_text(run).find("ticket 7") != std::string::npos);
}

TEST_CASE("tables stay short, and say so") {
  std::vector<Outcome> outcomes;
  for (int i = 0; i < 5000; ++i) outcomes.push_back(outcome_of("t/" + std::to_string(i), Verdict::fail));
  const Run run = gate_run(judged(policy_of({gate_of("no fail")}), {input_of(outcomes)}));
  CHECK(run.outcomes[1].tables[0].rows.size() == 100);
  CHECK(run.outcomes[1].tables[0].title == "bad (the first 100 of 5000)");
  CHECK(run.outcomes[1].measurement("bad") == 5000.0);
}
