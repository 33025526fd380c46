#include "assay/report/junit_reader.hpp"

#include <map>

#include "assay/report/junit.hpp"
#include "assay/report/read_file.hpp"
#include "testing/catch.hpp"
#include "testing/source_directory.hpp"

// tests/report/data: pytest.xml was written by pytest 9.2, ctest.xml by CTest 3.25; googletest.xml is in the form that
// GoogleTest 1.12 writes.

using namespace assay;
using namespace assay::testing;

namespace {

Run run_of(const std::string& name) {
  const auto text = read_file(source_directory() / "tests" / "report" / "data" / name);
  REQUIRE(text);
  const auto run = run_from_junit(text.value());
  INFO((run ? std::string() : run.error().message));
  REQUIRE(run);
  return run.value();
}

std::map<std::string, Verdict> verdicts_of(const Run& run) {
  std::map<std::string, Verdict> verdicts;
  for (const Outcome& outcome : run.outcomes) verdicts[outcome.id] = outcome.verdict;
  return verdicts;
}

}  // namespace

TEST_CASE("results of pytest, GoogleTest and CTest are outcomes") {
  using Verdicts = std::map<std::string, Verdict>;
  const Run pytest = run_of("pytest.xml");
  CHECK(verdicts_of(pytest) == Verdicts{{"pytest/test_a/test_right", Verdict::pass},
                                        {"pytest/test_a/test_wrong", Verdict::fail},
                                        {"pytest/test_a/test_skipped", Verdict::skipped},
                                        {"pytest/test_a/test_error", Verdict::error}});
  CHECK(pytest.planned_cases == 4);
  CHECK(pytest.outcomes[1].reason == "assert 1 == 2");
  const Run google = run_of("googletest.xml");
  CHECK(verdicts_of(google) == Verdicts{{"Gemm/Small", Verdict::pass},
                                        {"Gemm/Large", Verdict::fail},
                                        {"Gemm/OnDevice", Verdict::skipped},
                                        {"Gemm/DISABLED_Huge", Verdict::skipped}});
  const Run ctest = run_of("ctest.xml");
  CHECK(verdicts_of(ctest) == Verdicts{{"(empty)/right", Verdict::pass},
                                       {"(empty)/wrong", Verdict::fail},
                                       {"(empty)/off", Verdict::skipped}});
  CHECK(ctest.exit_code() != 0);
}

TEST_CASE("tests that a suite says it has and does not hold are missing") {
  const auto run = run_from_junit("<testsuite name='a' tests='3'><testcase name='x'/></testsuite>");
  REQUIRE(run);
  CHECK(run.value().outcomes.size() == 1);
  CHECK(run.value().planned_cases == 3);
  const auto nested = run_from_junit(
      "<testsuites><testsuite name='a' tests='2'><testsuite name='b' tests='2'><testcase name='x'/><testcase "
      "name='y'/></testsuite></testsuite></testsuites>");
  REQUIRE(nested);
  CHECK(nested.value().planned_cases == 2);
  CHECK(nested.value().outcomes[0].id == "a/b/x");
}

TEST_CASE("a case passes only where nothing says that it did not") {
  const auto verdict_of = [](const std::string& attributes, const std::string& within = "") {
    const auto run =
        run_from_junit("<testsuite><testcase name='x' " + attributes + ">" + within + "</testcase></testsuite>");
    REQUIRE(run);
    REQUIRE(run.value().outcomes.size() == 1);
    const Outcome& outcome = run.value().outcomes.front();
    CHECK(outcome.reason.empty() == (outcome.verdict == Verdict::pass));
    return outcome.verdict;
  };
  for (const char* right : {"", "status='run'", "status='passed'", "status='Passed'", "status='completed'",
                            "status='run' result='completed'", "result='completed'"})
    CHECK(verdict_of(right) == Verdict::pass);
  for (const char* wrong : {"status='fail'", "status='failed'", "status='FAILED'", "result='failed'",
                            "status='run' result='failed'", "status='fail' result='skipped'"})
    CHECK(verdict_of(wrong) == Verdict::fail);
  for (const char* off : {"status='notrun'", "status='disabled'", "status='skipped'", "result='skipped'",
                          "status='notrun' result='suppressed'", "status='run' result='skipped'"})
    CHECK(verdict_of(off) == Verdict::skipped);
  for (const char* unknown : {"status='interrupted'", "status='timeout'", "status='run' result='interrupted'",
                              "result='crashed'", "status='blocked' result='completed'"})
    CHECK(verdict_of(unknown) == Verdict::inconclusive);
  CHECK(verdict_of("status='passed'", "<failure/>") == Verdict::fail);
  const auto run = run_from_junit("<testsuite><testcase name='x' status='interrupted'/></testsuite>");
  REQUIRE(run);
  CHECK_THAT(run.value().outcomes[0].reason, contains("status is 'interrupted'"));
  CHECK(run.value().exit_code() == 2);
}

TEST_CASE("failures that a suite tells and does not hold are an error") {
  const auto errors_of = [](const std::string& text) {
    const auto run = run_from_junit(text);
    INFO(text);
    REQUIRE(run);
    return run.value().count(Verdict::error);
  };
  const std::string failing = "<testcase name='x'><failure/></testcase>", right = "<testcase name='y'/>";
  const auto lost =
      run_from_junit("<testsuite name='a' tests='2' failures='1' errors='2'>" + failing + right + "</testsuite>");
  REQUIRE(lost);
  REQUIRE(lost.value().outcomes.size() == 3);
  CHECK(lost.value().outcomes[2].id == "a/failures");
  CHECK(lost.value().outcomes[2].verdict == Verdict::error);
  CHECK_THAT(lost.value().outcomes[2].reason, contains("tells of 3 failures and errors, and 1 of them"));
  CHECK(lost.value().planned_cases == 3);
  CHECK(errors_of("<testsuite failures='1'>" + failing + right + "</testsuite>") == 0);
  CHECK(errors_of("<testsuite failures='1'>" + right + "</testsuite>") == 1);
  CHECK(errors_of("<testsuite failures='1'><testcase name='z' status='fail'/></testsuite>") == 0);
  // Assertions counted, as Catch2 does.
  CHECK(errors_of("<testsuite failures='2'><testcase name='x'><failure/><failure/></testcase></testsuite>") == 0);
  // Each is told once, however many suites count it.
  const std::string inner = "<testsuite name='b' failures='2'>" + failing + "</testsuite>";
  CHECK(errors_of("<testsuites failures='2'><testsuite failures='2'>" + inner + "</testsuite></testsuites>") == 1);
  CHECK(errors_of("<testsuites failures='3'><testsuite failures='2'>" + inner + "</testsuite></testsuites>") == 2);
  CHECK(errors_of("<testsuites errors='1'><testsuite>" + right + "</testsuite></testsuites>") == 1);
  // A case that is missing besides stays missing.
  const auto short_of =
      run_from_junit("<testsuites><testsuite name='a' tests='3' failures='1'>" + right + "</testsuite></testsuites>");
  REQUIRE(short_of);
  CHECK(short_of.value().outcomes.size() == 2);
  CHECK(short_of.value().planned_cases == 4);
  const auto within = run_from_junit("<testsuite><testsuite tests='3'>" + right + "</testsuite></testsuite>");
  REQUIRE(within);
  CHECK(within.value().planned_cases == 3);
}

TEST_CASE("what Assay writes as JUnit is read again") {
  Run run;
  Outcome right, wrong;
  right.id = "gemm/1";
  right.verdict = Verdict::pass;
  wrong.id = "gemm/2";
  wrong.verdict = Verdict::fail;
  wrong.reason = "a < b & \"c\"";
  run.outcomes = {right, wrong};
  run.planned_cases = 2;
  const auto again = run_from_junit(junit_text(run));
  INFO((again ? std::string() : again.error().message));
  REQUIRE(again);
  REQUIRE(again.value().outcomes.size() == 2);
  CHECK(again.value().count(Verdict::pass) == 1);
  CHECK(again.value().count(Verdict::fail) == 1);
}

TEST_CASE("what holds no results of tests is refused") {
  CHECK_FALSE(run_from_junit("<html/>"));
  CHECK_FALSE(run_from_junit("{}"));
}
