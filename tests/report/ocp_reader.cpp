#include "assay/report/ocp_reader.hpp"

#include "assay/report/ocp.hpp"
#include "assay/report/read_file.hpp"
#include "testing/catch.hpp"
#include "testing/source_directory.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

const std::string head = R"({"schemaVersion":{"major":2,"minor":0},"sequenceNumber":0})"
                         "\n"
                         R"({"testRunArtifact":{"testRunStart":{"name":"t"}},"sequenceNumber":1})"
                         "\n";
const std::string end = R"({"testRunArtifact":{"testRunEnd":{"status":"COMPLETE","result":"PASS"}}})"
                        "\n";

/// The outcomes of a run with one step of these artifacts.
std::vector<Outcome> outcomes_of(const std::string& artifacts, const std::string& closing = end) {
  const auto run = run_from_ocp(head + artifacts + closing);
  INFO((run ? std::string() : run.error().message));
  REQUIRE(run);
  return run.value().outcomes;
}

std::string step(const std::string& artifact) {
  return R"({"testStepArtifact":{"testStepId":"0",)" + artifact + "}}\n";
}

}  // namespace

TEST_CASE("steps of a diagnostic are outcomes") {
  const auto text = read_file(source_directory() / "tests" / "report" / "data" / "ocp.jsonl");
  REQUIRE(text);
  const auto run = run_from_ocp(text.value());
  REQUIRE(run);
  REQUIRE(run.value().outcomes.size() == 3);
  CHECK(run.value().environment.host_name == "lab1");
  CHECK(run.value().outcomes[0].id == "hbm_test/bandwidth");
  CHECK(run.value().outcomes[0].verdict == Verdict::pass);
  CHECK(run.value().outcomes[0].measurement("read").value() == 4100);
  CHECK(run.value().outcomes[1].verdict == Verdict::fail);
  CHECK_THAT(run.value().outcomes[1].reason, contains("3 bits flipped"));
  CHECK(run.value().outcomes[2].verdict == Verdict::skipped);
}

TEST_CASE("nothing passes that no diagnosis or validator says is right") {
  const std::string start = step(R"("testStepStart":{"name":"s"})"),
                    complete = step(R"("testStepEnd":{"status":"COMPLETE"})"),
                    passed = step(R"("diagnosis":{"verdict":"v","type":"PASS"})");
  CHECK(outcomes_of(start + passed + complete)[0].verdict == Verdict::pass);
  CHECK(outcomes_of(start + complete)[0].verdict == Verdict::inconclusive);
  CHECK(outcomes_of(start + passed)[0].verdict == Verdict::inconclusive);  // it never ended
  CHECK(outcomes_of(start + passed + step(R"("diagnosis":{"verdict":"v","type":"UNKNOWN"})") + complete)[0].verdict ==
        Verdict::inconclusive);
  CHECK(outcomes_of(start + passed + step(R"("error":{"symptom":"x"})") + complete)[0].verdict == Verdict::error);
  const auto measured = [&](const std::string& validator) {
    return outcomes_of(start + step(R"("measurement":{"name":"m","value":3,"validators":[)" + validator + "]}") +
                       complete)[0]
        .verdict;
  };
  CHECK(measured(R"({"type":"LESS_THAN","value":4})") == Verdict::pass);
  CHECK(measured(R"({"type":"LESS_THAN","value":3})") == Verdict::fail);
  CHECK(measured(R"({"type":"IN_SET","value":[1,3]})") == Verdict::pass);
  CHECK(measured(R"({"type":"NOT_IN_SET","value":[1,3]})") == Verdict::fail);
  CHECK(measured(R"({"type":"REGEX_MATCH","value":"3"})") == Verdict::inconclusive);
}

TEST_CASE("every element of a series is held against the validators of its start") {
  const auto series_start = [](const std::string& id, const std::string& validators) {
    return step(R"("measurementSeriesStart":{"measurementSeriesId":")" + id + R"(","name":"fan )" + id +
                R"(","validators":[)" + validators + "]}");
  };
  const auto element = [](const std::string& id, const std::string& value) {
    return step(R"("measurementSeriesElement":{"measurementSeriesId":")" + id + R"(","index":0,"value":)" + value +
                "}");
  };
  const auto over = [](const std::string& id, const std::string& count) {
    return step(R"("measurementSeriesEnd":{"measurementSeriesId":")" + id + R"(","totalCount":)" + count + "}");
  };
  const auto outcome_of = [](const std::string& artifacts) {
    return outcomes_of(step(R"("testStepStart":{"name":"s"})") + artifacts +
                       step(R"("testStepEnd":{"status":"COMPLETE"})"))[0];
  };
  const std::string below_5 = R"({"type":"LESS_THAN","value":5})", start = series_start("1", below_5);
  const std::string passed = step(R"("diagnosis":{"verdict":"v","type":"PASS"})");
  CHECK(outcome_of(start + element("1", "3") + element("1", "4") + over("1", "2")).verdict == Verdict::pass);
  const Outcome outside = outcome_of(start + element("1", "3") + element("1", "7") + element("1", "4"));
  CHECK(outside.verdict == Verdict::fail);
  CHECK(outside.reason == "fan 1 is 7, and has to be LESS_THAN 5");
  CHECK(outcome_of(passed + start + element("1", "7")).verdict == Verdict::fail);
  // Two series at once keep their own validators.
  const std::string other = series_start("2", R"({"type":"GREATER_THAN","value":5})");
  CHECK(outcome_of(start + other + element("2", "7") + element("1", "3")).verdict == Verdict::pass);
  CHECK(outcome_of(start + other + element("2", "3") + element("1", "3")).reason ==
        "fan 2 is 3, and has to be GREATER_THAN 5");
  // What was not computed is no pass, whatever else says so.
  CHECK(outcome_of(passed + start).verdict == Verdict::inconclusive);
  CHECK(outcome_of(passed + start + element("1", "3") + over("1", "2")).verdict == Verdict::inconclusive);
  CHECK(outcome_of(passed + start + element("9", "3") + element("1", "3")).verdict == Verdict::inconclusive);
  CHECK(outcome_of(passed + start + element("1", R"("three")")).verdict == Verdict::inconclusive);
  CHECK(outcome_of(passed + step(R"("measurement":{"name":"m","validators":[)" + below_5 + "]}")).verdict ==
        Verdict::inconclusive);
  CHECK(outcome_of(passed + series_start("1", "") + element("1", "3") + over("1", "1")).verdict == Verdict::pass);
  CHECK(outcome_of(passed + series_start("1", "") + over("1", "0")).verdict == Verdict::pass);
}

TEST_CASE("a run that erred, failed, or lost lines is no pass") {
  const auto last = [](const std::string& closing) { return outcomes_of("", closing).back(); };
  CHECK(last("").verdict == Verdict::error);
  CHECK_THAT(last("").reason, contains("never ended"));
  CHECK(last(R"({"testRunArtifact":{"testRunEnd":{"status":"COMPLETE","result":"FAIL"}}})").verdict == Verdict::fail);
  CHECK(last(R"({"testRunArtifact":{"error":{"symptom":"x"}}})"
             "\n" +
             end)
            .verdict == Verdict::error);
  CHECK_THAT(last(R"({"sequenceNumber":7})"
                  "\n" +
                  end)
                 .reason,
             contains("lines were lost"));
  CHECK(outcomes_of("").empty());
  CHECK_FALSE(run_from_ocp(""));
  CHECK_FALSE(run_from_ocp(R"({"schemaVersion":{"major":3}})"));
  CHECK_FALSE(run_from_ocp("{"));
}

TEST_CASE("what Assay writes for OCP is read again") {
  Run run;
  for (const Verdict verdict :
       {Verdict::pass, Verdict::fail, Verdict::error, Verdict::skipped, Verdict::inconclusive}) {
    Outcome outcome;
    outcome.id = std::string(name_of(verdict));
    outcome.verdict = verdict;
    outcome.reason = verdict == Verdict::pass ? "" : "so";
    run.outcomes.push_back(outcome);
  }
  run.planned_cases = run.outcomes.size();
  const auto again = run_from_ocp(ocp_text(run));
  REQUIRE(again);
  REQUIRE(again.value().outcomes.size() >= run.outcomes.size());
  for (std::size_t i = 0; i < run.outcomes.size(); ++i)
    CHECK(again.value().outcomes[i].verdict == run.outcomes[i].verdict);
}
