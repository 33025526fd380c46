#include "assay/release/gate.hpp"

#include <cmath>
#include <limits>
#include <random>

#include "release/sample_gate.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

ReleaseVerdict verdict(const Gate& gate, std::vector<Outcome> outcomes) {
  return judged(policy_of({gate}), {input_of(std::move(outcomes))}).verdict;
}

Outcome measured(double value, Verdict verdict = Verdict::pass, const std::string& unit = "1") {
  return outcome_of("m", verdict, {{"x", value, unit}});
}

const double no_number = std::nan("");

constexpr auto approved = ReleaseVerdict::approved, blocked = ReleaseVerdict::blocked,
               cannot_tell = ReleaseVerdict::cannot_tell;

}  // namespace

TEST_CASE("no fail: what must block, what must not, and what cannot tell") {
  const Gate gate = gate_of("no fail");
  CHECK(verdict(gate, {outcome_of("a", Verdict::pass)}) == approved);
  CHECK(verdict(gate, {outcome_of("a", Verdict::pass), outcome_of("b", Verdict::fail)}) == blocked);
  CHECK(verdict(gate, {outcome_of("a", Verdict::pass), outcome_of("b", Verdict::error)}) == blocked);
  for (const Verdict undecided : {Verdict::skipped, Verdict::inconclusive, Verdict::new_baseline}) {
    INFO(name_of(undecided));
    CHECK(verdict(gate, {outcome_of("a", Verdict::pass), outcome_of("b", undecided)}) == cannot_tell);
    CHECK(verdict(gate, {outcome_of("b", undecided)}) == cannot_tell);
  }
  CHECK(verdict(gate, {outcome_of("a", Verdict::pass), outcome_of("b", Verdict::unsupported)}) == approved);
  CHECK(verdict(gate, {outcome_of("b", Verdict::unsupported)}) == cannot_tell);
  CHECK(verdict(gate, {}) == cannot_tell);
  CHECK(judged(policy_of({gate}), {}).verdict == cannot_tell);
}

TEST_CASE("no treatment approves what did not pass") {
  for (const GateTreatment treatment : {GateTreatment::ignored, GateTreatment::undecided, GateTreatment::bad})
    for (const Verdict verdict_given :
         {Verdict::skipped, Verdict::unsupported, Verdict::inconclusive, Verdict::new_baseline}) {
      INFO(name_of(verdict_given) << " " << static_cast<int>(treatment));
      for (const char* condition :
           {"no fail", "pass_rate >= 1 %", "each(x) == 1", "max(x) <= 1", "mean(x) == 1", "sum(x) <= 1"}) {
        Gate gate = gate_of(condition);
        gate.treatments = {GateTreatment::bad, treatment, treatment, treatment, treatment, treatment};
        CHECK(verdict(gate, {measured(1, verdict_given)}) == (treatment == GateTreatment::bad ? blocked : cannot_tell));
      }
    }
}

TEST_CASE("pass rates") {
  Gate gate = gate_of("pass_rate >= 75 %");
  const Outcome good = outcome_of("a", Verdict::pass), bad = outcome_of("b", Verdict::fail),
                unclear = outcome_of("c", Verdict::inconclusive);
  CHECK(verdict(gate, {good, good, good, bad}) == approved);
  CHECK(verdict(gate, {good, good, bad}) == blocked);
  CHECK(verdict(gate, {good, good, good, unclear}) == approved);  // even were it a failure
  CHECK(verdict(gate, {good, good, good, bad, unclear}) == cannot_tell);
  CHECK(verdict(gate, {unclear}) == cannot_tell);
  gate.minimum = 5;
  CHECK(verdict(gate, {good, good, good, bad}) == cannot_tell);
  CHECK(verdict(gate_of("pass_rate == 1"), {good, unclear}) == cannot_tell);
}

TEST_CASE("measurements: each aggregate with what blocks it and what does not") {
  struct Row {
    const char* condition;
    std::vector<double> right, wrong;
  };
  for (const Row& row :
       {Row{"each(x) <= 3", {1, 3, -9}, {1, 3.1}}, Row{"each(x) within 12.3 +- 0.5", {12.8, 11.8}, {12.9}},
        Row{"each(x) == 0", {0, 0}, {0, 1}}, Row{"max(x) <= 3", {3, 1}, {4, 1}}, Row{"max(x) >= 3", {3, 1}, {2, 1}},
        Row{"min(x) >= 3", {3, 4}, {2, 9}}, Row{"min(x) <= 3", {9, 3}, {9, 4}}, Row{"mean(x) < 3", {1, 4}, {1, 5}},
        Row{"sum(x) == 3", {1, 2}, {1, 1}}, Row{"count(x) >= 2", {7, 7}, {7}}, Row{"each(|x|) <= 3", {-3, 3}, {-4}}}) {
    INFO(row.condition);
    const auto outcomes = [](const std::vector<double>& values) {
      std::vector<Outcome> made;
      for (const double value : values) made.push_back(measured(value));
      return made;
    };
    CHECK(verdict(gate_of(row.condition), outcomes(row.right)) == approved);
    CHECK(verdict(gate_of(row.condition), outcomes(row.wrong)) == blocked);
    std::vector<double> with_nan = row.right;
    with_nan.push_back(no_number);
    CHECK(verdict(gate_of(row.condition), outcomes(with_nan)) == blocked);
    CHECK(verdict(gate_of(row.condition), {outcome_of("m", Verdict::pass)}) == cannot_tell);
    CHECK(verdict(gate_of(row.condition), {}) == cannot_tell);
  }
  CHECK(verdict(gate_of("each(x) != 3"), {measured(no_number)}) == blocked);
  CHECK(verdict(gate_of("max(x) >= 3"), {measured(std::numeric_limits<double>::infinity())}) == approved);
  CHECK(verdict(gate_of("mean(x) >= 0"), {measured(std::numeric_limits<double>::infinity()),
                                          measured(-std::numeric_limits<double>::infinity())}) == blocked);
}

TEST_CASE("a measurement of a case that failed counts, one of a case that erred does not make it right") {
  CHECK(verdict(gate_of("each(x) <= 3"), {measured(1, Verdict::fail)}) == approved);
  CHECK(verdict(gate_of("each(x) <= 3"), {measured(1, Verdict::error)}) == blocked);
}

TEST_CASE("outcomes that should have been measured and were not") {
  Gate gate = gate_of("each(x) <= 3");
  const std::vector<Outcome> outcomes{measured(1), outcome_of("m/2", Verdict::pass)};
  CHECK(verdict(gate, outcomes) == approved);  // only the measurement says which are meant
  gate.selection.ids = {"m*"};
  CHECK(verdict(gate, outcomes) == cannot_tell);
  gate.treatments.unmeasured = GateTreatment::ignored;
  CHECK(verdict(gate, outcomes) == approved);
  gate.treatments.unmeasured = GateTreatment::bad;
  CHECK(verdict(gate, outcomes) == blocked);
}

TEST_CASE("a unit that is not the one demanded decides nothing") {
  Gate gate = gate_of("each(x) <= 3");
  gate.unit = "%";
  CHECK(verdict(gate, {measured(1, Verdict::pass, "%")}) == approved);
  CHECK(verdict(gate, {measured(1, Verdict::pass, "1")}) == cannot_tell);
}

TEST_CASE("coverage: too few results, and values of labels that nobody tested") {
  Gate gate = gate_of("no fail");
  gate.minimum = 2;
  CHECK(verdict(gate, {outcome_of("a", Verdict::pass)}) == cannot_tell);
  CHECK(verdict(gate, {outcome_of("a", Verdict::pass), outcome_of("b", Verdict::pass)}) == approved);
  CHECK(verdict(gate, {outcome_of("a", Verdict::pass), outcome_of("b", Verdict::unsupported)}) == cannot_tell);
  gate.minimum = 1;
  gate.cover = {{"device", {"H100", "H200"}}};
  Outcome one = outcome_of("a", Verdict::pass), two = one;
  one.labels["device"] = "H100";
  two.labels["device"] = "H200";
  CHECK(verdict(gate, {one, two}) == approved);
  const GateReport report = judged(policy_of({gate}), {input_of({one})});
  CHECK(report.verdict == cannot_tell);
  CHECK(report.gates[0].not_covered == std::vector<std::string>{"device=H200"});
  CHECK_THAT(report.gates[0].reason, contains("device=H200"));
  two.verdict = Verdict::unsupported;
  CHECK(verdict(gate, {one, two}) == cannot_tell);  // unsupported is not tested
}

TEST_CASE("soft gates warn and never decide") {
  Gate soft = gate_of("no fail", "soft");
  soft.hard = false;
  soft.selection.ids = {"s"};
  Gate hard = gate_of("no fail", "hard");
  hard.selection.ids = {"h"};
  for (const Verdict given : {Verdict::pass, Verdict::fail, Verdict::inconclusive})
    CHECK(
        judged(policy_of({soft, hard}), {input_of({outcome_of("s", given), outcome_of("h", Verdict::pass)})}).verdict ==
        approved);
  CHECK(judged(policy_of({soft, hard}), {input_of({outcome_of("s", Verdict::fail), outcome_of("h", Verdict::pass)})})
            .count(GateState::violated, false) == 1);
  CHECK(judged(policy_of({soft, hard}), {input_of({outcome_of("s", Verdict::pass), outcome_of("h", Verdict::fail)})})
            .verdict == blocked);
}

TEST_CASE("a run that was cut short cannot tell, and blocks where it shows a failure") {
  GateInput input = input_of({outcome_of("a", Verdict::pass)});
  input.run.planned_cases = 2;
  const GateReport report = judged(policy_of({gate_of("no fail")}), {input});
  CHECK(report.verdict == cannot_tell);
  CHECK_THAT(report.reason, contains("1 run was cut short"));
  input.run.outcomes[0].verdict = Verdict::fail;
  CHECK(judged(policy_of({gate_of("no fail")}), {input}).verdict == blocked);
}

TEST_CASE("waivers let known failures through until they expire") {
  GatePolicy policy = policy_of({gate_of("no fail")});
  const std::vector<GateInput> inputs{
      input_of({outcome_of("gemm/1", Verdict::fail), outcome_of("gemm/2", Verdict::pass)})};
  CHECK(judged(policy, inputs).verdict == blocked);
  policy.waivers = {waiver_of({"gemm/1"}, "2026-01-31")};
  GateReport report = judged(policy, inputs);
  CHECK(report.verdict == approved);
  CHECK(report.gates[0].state == GateState::waived);
  CHECK(report.gates[0].waivers == std::vector<std::size_t>{0});
  CHECK(report.waivers[0].matched == 1);
  CHECK_THAT(report.reason, contains("with waivers"));

  report = judge_release(policy, inputs, release_day + std::chrono::days(1)).value();  // expired: void, and told
  CHECK(report.verdict == blocked);
  CHECK(report.waivers[0].expired);
  CHECK(report.waivers[0].matched == 1);

  policy.waivers = {waiver_of({"gemm/2"})};  // matches only what is right anyway
  report = judged(policy, inputs);
  CHECK(report.verdict == blocked);
  CHECK(report.waivers[0].matched == 0);

  policy.waivers = {waiver_of({"gemm/*"})};
  policy.gates.push_back(gate_of("each(x) <= 1", "other"));
  policy.waivers[0].gates = {"other"};  // another gate's waiver
  CHECK(judged(policy, inputs).verdict == blocked);
}

TEST_CASE("waivers of what could not be decided, of measurements, and of whole gates") {
  GatePolicy policy = policy_of({gate_of("no fail")});
  policy.waivers = {waiver_of({"b"})};
  CHECK(judged(policy, {input_of({outcome_of("a", Verdict::pass), outcome_of("b", Verdict::inconclusive)})}).verdict ==
        approved);
  CHECK(judged(policy, {input_of({outcome_of("b", Verdict::inconclusive)})}).verdict ==
        cannot_tell);  // a waiver is no result
  CHECK(judged(policy, {input_of({outcome_of("b", Verdict::fail)})}).verdict == approved);

  GatePolicy slow = policy_of({gate_of("max(x) <= 3")});
  slow.waivers = {waiver_of({"m"})};
  CHECK(judged(slow, {input_of({measured(4)})}).verdict == approved);
  CHECK(judged(slow, {input_of({measured(no_number)})}).verdict == approved);

  GatePolicy mean = policy_of({gate_of("mean(x) <= 3")});
  mean.waivers = {waiver_of({"m"})};
  CHECK(judged(mean, {input_of({measured(4)})}).verdict == blocked);  // no single outcome breaks a mean
  mean.waivers = {waiver_of({})};
  mean.waivers[0].gates = {"the gate"};
  const GateReport report = judged(mean, {input_of({measured(4)})});
  CHECK(report.verdict == approved);
  CHECK_THAT(report.gates[0].reason, contains("waived, though violated") && contains("mean(x) = 4"));
  CHECK(judged(mean, {input_of({outcome_of("other", Verdict::pass)})}).verdict == cannot_tell);
  mean.waivers[0].missing_results = true;
  CHECK(judged(mean, {input_of({outcome_of("other", Verdict::pass)})}).verdict == approved);
  CHECK(judged(mean, {}).verdict == cannot_tell);
  const GateReport unneeded = judged(mean, {input_of({measured(2)})});
  CHECK(unneeded.gates[0].state == GateState::passed);
  CHECK(unneeded.waivers[0].matched == 0);
}

TEST_CASE("the quarantine takes what was measured to be flaky, and nothing else") {
  GatePolicy policy = policy_of({gate_of("no fail")});
  policy.quarantine = {quarantine_of({"t"})};
  const auto judge_test = [&](double attempts, double rate, Verdict given = Verdict::fail) {
    return judged(policy, {input_of({outcome_of("t", given, {{"attempts", attempts, "1"}, {"failure_rate", rate, "1"}}),
                                     outcome_of("a", Verdict::pass)})});
  };
  CHECK(judge_test(4, 0.25).verdict == approved);
  CHECK(judge_test(4, 0.25).gates[0].quarantined.count == 1);
  CHECK(judge_test(4, 0.25, Verdict::error).verdict == approved);
  CHECK(judge_test(4, 0.25, Verdict::inconclusive).verdict == cannot_tell);
  CHECK(judge_test(4, 1).verdict == blocked);
  CHECK_THAT(judge_test(4, 1).quarantine[0].refused.at(0), contains("all of 4 attempts"));
  CHECK(judge_test(4, 0.75).verdict == blocked);
  CHECK_THAT(judge_test(4, 0.75).quarantine[0].refused.at(0), contains("75 %"));
  CHECK(judge_test(1, 0.25).verdict == blocked);
  CHECK(judge_test(4, no_number).verdict == blocked);
  CHECK(judge_test(no_number, 0.25).verdict == blocked);
  const GateReport once = judged(policy, {input_of({outcome_of("t", Verdict::fail), outcome_of("a", Verdict::pass)})});
  CHECK(once.verdict == blocked);
  CHECK_THAT(once.quarantine[0].refused.at(0), contains("--retries"));
  policy.quarantine[0].expires = day("2026-01-30");
  CHECK(judge_test(4, 0.25).verdict == blocked);
  CHECK(judge_test(4, 0.25).quarantine[0].expired);
}

TEST_CASE("an id in two runs counts twice") {
  const GatePolicy policy = policy_of({gate_of("no fail")});
  CHECK(judged(policy,
               {input_of({outcome_of("a", Verdict::pass)}), input_of({outcome_of("a", Verdict::fail)}, "two.json")})
            .verdict == blocked);
  CHECK(judged(policy,
               {input_of({outcome_of("a", Verdict::pass)}), input_of({outcome_of("a", Verdict::pass)}, "two.json")})
            .gates[0]
            .right == 2);
}

namespace {

/// Policies and runs of every kind, from one number.
struct Random {
  std::mt19937 engine;
  std::size_t operator()(std::size_t count) { return engine() % count; }

  Outcome outcome() {
    Outcome made =
        outcome_of("t/" + std::to_string((*this)(6)), all_verdicts[(*this)(3) == 0 ? (*this)(all_verdicts.size()) : 0]);
    if ((*this)(3) != 0) made.measure("x", (*this)(12) == 0 ? no_number : static_cast<double>((*this)(8)));
    if ((*this)(3) == 0) {
      made.measure("attempts", 4);
      made.measure("failure_rate", static_cast<double>((*this)(5)) / 4);
    }
    return made;
  }
  Gate gate(std::size_t number) {
    const char* conditions[] = {"no fail",       "pass_rate >= 60 %", "each(x) <= 6", "max(x) >= 5",
                                "mean(x) >= 3",  "mean(x) <= 4",      "sum(x) <= 30", "min(x) >= 1",
                                "count(x) >= 3", "pass_rate > 50 %"};
    Gate made = gate_of(conditions[(*this)(std::size(conditions))], "gate" + std::to_string(number));
    made.hard = number == 0 || (*this)(3) != 0;
    made.minimum = 1 + (*this)(3);
    if ((*this)(2) == 0) made.selection.ids = {"t/[" + std::to_string((*this)(3)), "t/?"};
    const GateTreatment treatments[] = {GateTreatment::ignored, GateTreatment::undecided, GateTreatment::bad};
    made.treatments.skipped = treatments[(*this)(3)];
    made.treatments.inconclusive = treatments[(*this)(3)];
    if ((*this)(2) == 0) made.treatments.unmeasured = treatments[(*this)(3)];
    return made;
  }
  Waiver waiver(std::size_t gates) {
    Waiver made = waiver_of({"t/" + std::to_string((*this)(6))}, (*this)(4) == 0 ? "2026-01-01" : "2026-06-30");
    if ((*this)(3) == 0) made.gates = {"gate" + std::to_string((*this)(gates))};
    if ((*this)(4) == 0) {
      made.gates = {"gate" + std::to_string((*this)(gates))};
      made.ids.clear();
      made.missing_results = (*this)(2) == 0;
    }
    return made;
  }
};

/// 0: approved, 1: cannot tell, 2: blocked.
int severity(ReleaseVerdict given) {
  return given == approved ? 0 : given == cannot_tell ? 1 : 2;
}

}  // namespace

TEST_CASE("properties: no result left out brings approval, and no waiver makes a verdict worse") {
  Random random{std::mt19937(2026)};
  std::size_t seen[3] = {}, bettered = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    GatePolicy policy;
    for (std::size_t gates = 1 + random(3), i = 0; i < gates; ++i) policy.gates.push_back(random.gate(i));
    for (std::size_t waivers = random(3); waivers > 0; --waivers)
      policy.waivers.push_back(random.waiver(policy.gates.size()));
    if (random(2) == 0) policy.quarantine = {quarantine_of({"t/1", "t/2"}, 0.5)};
    std::vector<Outcome> outcomes;
    for (std::size_t count = random(8); count > 0; --count) outcomes.push_back(random.outcome());
    const GateInput input = input_of(outcomes);
    const ReleaseVerdict whole = judged(policy, {input}).verdict;
    ++seen[severity(whole)];

    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      GateInput less = input;
      less.run.outcomes.erase(less.run.outcomes.begin() + static_cast<std::ptrdiff_t>(i));
      REQUIRE(judged(policy, {less}).verdict != approved);
    }
    GatePolicy more = policy;
    more.waivers.push_back(random.waiver(policy.gates.size()));
    const ReleaseVerdict waived = judged(more, {input}).verdict;
    REQUIRE(severity(waived) <= severity(whole));
    bettered += severity(waived) < severity(whole) ? 1 : 0;
  }
  CHECK(seen[0] > 100);
  CHECK(seen[1] > 100);
  CHECK(seen[2] > 100);
  CHECK(bettered > 50);
}

TEST_CASE(
    "property: a run that says less than its gates demand is never approved, also where nobody knows how many were "
    "planned") {
  Random random{std::mt19937(7)};
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<Outcome> outcomes;
    for (std::size_t count = 1 + random(6); count > 0; --count) outcomes.push_back(random.outcome());
    Gate gate = gate_of("no fail");
    gate.minimum = outcomes.size();
    GateInput input = input_of(outcomes);
    input.run.outcomes.erase(input.run.outcomes.begin() + static_cast<std::ptrdiff_t>(random(outcomes.size())));
    input.run.planned_cases = 0;
    REQUIRE(judged(policy_of({gate}), {input}).verdict != approved);
  }
}

TEST_CASE("a difference with a part that is not finite keeps no limit") {
  const double infinite = std::numeric_limits<double>::infinity();
  for (const char* condition :
       {"each(|x - y|) <= 0.5", "each(x - y) <= 0.5", "each(x - y) within 0 +- 1", "mean(|x - y|) <= 0.5"})
    for (const auto& [x, y] : {std::pair(infinite, 12.3), std::pair(12.3, infinite), std::pair(infinite, infinite)}) {
      INFO(condition << " " << x << " " << y);
      CHECK(verdict(gate_of(condition), {outcome_of("m", Verdict::pass, {{"x", x, "1"}, {"y", y, "1"}})}) == blocked);
    }
}

TEST_CASE("a part of a run is no whole") {
  GateInput first = input_of({outcome_of("a", Verdict::pass)}), second = input_of({outcome_of("b", Verdict::pass)});
  first.run.shard = "1/2";
  second.run.shard = "2/2";
  CHECK(judged(policy_of({gate_of("no fail")}), {first}).verdict == cannot_tell);
  CHECK(judged(policy_of({gate_of("no fail")}), {first, second}).verdict == approved);
}

TEST_CASE("a combination that was not run is nothing that passed, and hides no failure") {
  const GateInput good = input_of({outcome_of("a", Verdict::pass)}), bad = input_of({outcome_of("a", Verdict::fail)});
  const GatePolicy policy = policy_of({gate_of("no fail")});
  const auto report =
      judge_release(policy, {good}, release_day, {"driver=590 ('results/c-1')", "driver=600 ('results/c-2')"}).value();
  CHECK(report.verdict == cannot_tell);
  CHECK(report.reason == "2 combinations were not run, the first is driver=590 ('results/c-1')");
  CHECK(judge_release(policy, {bad}, release_day, {"driver=590"}).value().verdict == blocked);
  CHECK(judge_release(policy, {good}, release_day, {"driver=590"}).value().reason ==
        "1 combination was not run: driver=590");
  CHECK(judge_release(policy, {good}, release_day, {}).value().verdict == approved);
}
