#include "assay/report/sarif.hpp"

#include <set>

#include "report/sample_run.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;
using Json = nlohmann::json;

// schema_oracle.py holds the documents against the schema of SARIF 2.1.0.

namespace {

Json run_in(const Run& run, bool require_conclusive = false) {
  const Json document = Json::parse(sarif_text(run, require_conclusive));
  CHECK(document.at("version") == "2.1.0");
  REQUIRE(document.at("runs").size() == 1);
  return document.at("runs").at(0);
}

Run run_of(std::vector<Verdict> verdicts, std::size_t planned = 0) {
  Run run;
  for (const Verdict verdict : verdicts)
    run.outcomes.push_back(sample_outcome("id/" + std::to_string(run.outcomes.size()), verdict));
  run.planned_cases = planned;
  return run;
}

}  // namespace

TEST_CASE("a result is what failed, erred or was not decided, and names its rule, its case and a place") {
  const Json run = run_in(sample_run());
  const Json& rules = run.at("tool").at("driver").at("rules");
  CHECK(run.at("tool").at("driver").at("name") == "Assay");
  CHECK(run.at("tool").at("driver").at("version") == "0.1.0");
  std::vector<std::string> ids;
  for (const Json& rule : rules) ids.push_back(rule.at("id"));
  CHECK(ids == std::vector<std::string>{"gemm/error", "gemm/fail", "gemm/inconclusive"});

  REQUIRE(run.at("results").size() == 5);
  for (const Json& result : run.at("results")) {
    CHECK(rules.at(result.at("ruleIndex").get<std::size_t>()).at("id") == result.at("ruleId"));
    CHECK(result.at("level") == (result.at("ruleId") == "gemm/inconclusive" ? "warning" : "error"));
    CHECK_FALSE(result.at("message").at("text").get<std::string>().empty());
    const Json& place = result.at("locations").at(0);
    CHECK(place.at("physicalLocation").at("region").at("startLine") == 1);
    CHECK(place.at("physicalLocation").at("artifactLocation").at("uri").get<std::string>().rfind("assay/", 0) == 0);
  }
  const Json& failure = run.at("results").at(1);
  CHECK(failure.at("locations").at(0).at("logicalLocations").at(0).at("fullyQualifiedName") == sample_failure().id);
  CHECK(failure.at("locations").at(0).at("physicalLocation").at("artifactLocation").at("uri") ==
        "assay/gemm/onednn/bf16-f32-bf16/512x768x14336/normal");
  CHECK_THAT(failure.at("message").at("text").get<std::string>(),
             contains("129 of 393216") && contains("an N tail") && contains("assay run --only"));
  CHECK(failure.at("properties").at("measurements").at("worst_error_ratio").at("value") == 41.7);
  CHECK(run.at("results").at(0).at("properties").at("measurements").at("worst_error_ratio").at("value") == "nan");
}

TEST_CASE("fingerprints depend on the rule and the id, and on nothing else") {
  Run one = run_of({Verdict::fail, Verdict::fail, Verdict::error}), two = one;
  two.outcomes[0].reason = "another reason";
  two.outcomes[0].measure("m", 3);
  two.seed = 99;
  std::set<std::string> prints;
  for (std::size_t i = 0; i < 3; ++i) {
    const Json first = run_in(one).at("results").at(i), second = run_in(two).at("results").at(i);
    CHECK(first.at("partialFingerprints") == second.at("partialFingerprints"));
    prints.insert(first.at("partialFingerprints").at("primaryLocationLineHash").get<std::string>());
  }
  two.outcomes[0].verdict = Verdict::inconclusive;  // the same case under another rule
  prints.insert(
      run_in(two).at("results").at(2).at("partialFingerprints").at("primaryLocationLineHash").get<std::string>());
  CHECK(prints.size() == 4);
  CHECK(detail::sarif_fingerprint("") == "cbf29ce484222325");  // the values that the authors of FNV-1a give
  CHECK(detail::sarif_fingerprint("foobar") == "85944171f73967e8");
}

TEST_CASE("the invocation tells what the exit code tells, and whether the run can be relied on") {
  struct Case {
    Run run;
    bool require_conclusive, successful;
    int exit_code;
    std::size_t shortfalls;
  };
  const std::vector<Case> cases{{run_of({Verdict::pass}), false, true, 0, 0},
                                {run_of({Verdict::pass, Verdict::fail}), false, true, 1, 0},
                                {run_of({Verdict::pass, Verdict::error}), false, true, 1, 0},
                                {run_of({Verdict::pass, Verdict::inconclusive}), false, true, 0, 0},
                                {run_of({Verdict::pass, Verdict::inconclusive}), true, true, 1, 0},
                                {run_of({Verdict::pass}, 3), false, false, 2, 1},
                                {run_of({Verdict::pass, Verdict::fail}, 3), false, false, 1, 1},
                                {run_of({Verdict::unsupported}), false, false, 2, 1},
                                {Run(), false, false, 2, 1}};
  for (const Case& given : cases) {
    const Json run = run_in(given.run, given.require_conclusive);
    const Json& invocation = run.at("invocations").at(0);
    INFO(invocation.dump());
    CHECK(invocation.at("executionSuccessful") == given.successful);
    CHECK(invocation.at("exitCode") == given.exit_code);
    CHECK(invocation.contains("toolExecutionNotifications") == (given.shortfalls > 0));
    std::size_t shortfalls = 0;
    for (const Json& result : run.at("results")) shortfalls += result.at("ruleId") == "run/shortfall" ? 1 : 0;
    CHECK(shortfalls == given.shortfalls);
  }
  const Json invocation = run_in(sample_run()).at("invocations").at(0);
  CHECK(invocation.at("startTimeUtc") == "2025-01-02T03:04:05.000Z");
  CHECK(invocation.at("endTimeUtc") == "2025-01-02T03:04:17.340Z");
  CHECK(invocation.at("properties").at("verdicts").at("unsupported") == 1);
  CHECK_FALSE(run_in(Run()).at("invocations").at(0).contains("startTimeUtc"));
}

TEST_CASE("ids become paths below the repository, whatever they hold") {
  CHECK(detail::sarif_uri("a/b c/ü") == "assay/a/b%20c/%C3%BC");
  CHECK(detail::sarif_uri("../../etc/./x") == "assay/%2E%2E/%2E%2E/etc/%2E/x");
  CHECK(detail::sarif_uri("a:b?c#d%\xFF") == "assay/a%3Ab%3Fc%23d%25%EF%BF%BD");
  CHECK(detail::sarif_uri("..") == "assay/%2E%2E");
  CHECK(detail::sarif_uri("") == "assay/");
  CHECK(detail::sarif_message("{0} of }").at("text") == "{{0}} of }}");
}

TEST_CASE("more results than readers take are left off, the least urgent first, and counted") {
  std::vector<Verdict> verdicts(sarif_most_results - 1, Verdict::inconclusive);
  verdicts.insert(verdicts.end(), {Verdict::fail, Verdict::fail, Verdict::error});
  const Json run = run_in(run_of(verdicts));
  CHECK(run.at("results").size() == sarif_most_results);
  CHECK(run.at("results").at(0).at("ruleId") == "gemm/fail");
  CHECK(run.at("results").at(2).at("ruleId") == "gemm/error");
  const Json& invocation = run.at("invocations").at(0);
  CHECK(invocation.at("executionSuccessful") == true);
  CHECK(invocation.at("toolExecutionNotifications").at(0).at("level") == "warning");
  CHECK_THAT(invocation.at("toolExecutionNotifications").at(0).at("message").at("text").get<std::string>(),
             contains("2 further results are left off"));
}

TEST_CASE("bytes that are not UTF-8, and 10,000 outcomes") {
  Run run = run_of({Verdict::fail});
  Outcome& outcome = run.outcomes[0];
  outcome.id = outcome.reason = outcome.reproduce = run.title = run.command = "\xFF" + nasty_text();
  outcome.labels["operation"] = "\xFE";
  CHECK_THAT(run_in(run).at("results").at(0).at("message").at("text").get<std::string>(), contains("\xEF\xBF\xBD"));
  CHECK(run_in(large_run(10'000)).at("results").size() == 100);
}
