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
