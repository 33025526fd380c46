#include "assay/release/gate_sarif.hpp"

#include <map>
#include <string>

#include "release/sample_gate.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

nlohmann::json sarif_of(const GateReport& report) {
  return nlohmann::json::parse(gate_sarif(report, gate_run(report)));
}

}  // namespace

TEST_CASE("gates that are not green are results, what is let through is suppressed with who and until when") {
  const nlohmann::json sarif = sarif_of(mixed_report());
  CHECK(sarif["version"] == "2.1.0");
  const nlohmann::json& run = sarif["runs"][0];
  CHECK(run["invocations"][0]["exitCode"] == 1);
  CHECK_THAT(run["invocations"][0]["exitCodeDescription"].get<std::string>(), contains("blocked: 1 of 4"));
  std::map<std::string, nlohmann::json> open, suppressed;
  for (const nlohmann::json& result : run["results"]) {
    const std::string id = result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"];
    (result.contains("suppressions") ? suppressed : open)[id] = result;
  }
  CHECK(open.count("gate") == 1);
  CHECK(open.count("gate/kernels/correctness") == 1);
  CHECK(open["gate/distributed"]["level"] == "error");
  CHECK(open["gate/release/performance"]["level"] == "warning");
  CHECK(open.size() == 4);
  REQUIRE(suppressed.size() == 3);
  const nlohmann::json waiver = suppressed["gemm/known/1@kernels/correctness"]["suppressions"][0];
  CHECK(waiver["kind"] == "external");
  CHECK(waiver["status"] == "accepted");
  CHECK(waiver["justification"] == "ticket 7");
  CHECK(waiver["properties"]["owner"] == "ada");
  CHECK(waiver["properties"]["expires"] == "2026-06-30");
  CHECK(suppressed["gemm/soon@kernels/correctness"]["suppressions"][0]["properties"]["expires"] == "2026-02-03");
  const nlohmann::json flaky = suppressed["gemm/flaky@kernels/correctness"]["suppressions"][0];
  CHECK(flaky["properties"]["exemption"] == "quarantine");
  CHECK(flaky["properties"]["owner"] == "bob");
}

TEST_CASE("an approved release, and one that a waiver of a whole gate approves") {
  CHECK(sarif_of(
            judged(policy_of({gate_of("no fail")}), {input_of({outcome_of("a", Verdict::pass)})}))["runs"][0]["results"]
            .empty());
  GatePolicy policy = policy_of({gate_of("mean(x) <= 3")});
  policy.waivers = {waiver_of({})};
  policy.waivers[0].gates = {"the gate"};
  const nlohmann::json run =
      sarif_of(judged(policy, {input_of({outcome_of("a", Verdict::pass, {{"x", 4, "1"}})})}))["runs"][0];
  REQUIRE(run["results"].size() == 1);
  CHECK(run["results"][0]["suppressions"][0]["properties"]["owner"] == "ada");
  CHECK(run["invocations"][0]["exitCode"] == 0);
  CHECK(run["invocations"][0]["executionSuccessful"] == true);
}

TEST_CASE("as many results as readers take") {
  GatePolicy policy = policy_of({gate_of("no fail")});
  policy.waivers = {waiver_of({"t/*"})};
  std::vector<Outcome> outcomes;
  for (int i = 0; i < 3000; ++i) outcomes.push_back(outcome_of("t/" + std::to_string(i), Verdict::fail));
  const nlohmann::json run = sarif_of(judged(policy, {input_of(outcomes)}))["runs"][0];
  CHECK(run["results"].size() == GateFindings::most_kept);
  for (const nlohmann::json& result : run["results"]) REQUIRE(result.contains("suppressions"));
}
