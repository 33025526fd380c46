#include "assay/report/findings.hpp"

#include "assay/report/text.hpp"
#include "report/sample_run.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

Outcome failed(const std::string& operation, const std::string& backend, const std::string& data,
               const std::string& diagnosis) {
  Outcome outcome = sample_outcome(operation + "/" + backend + "/" + data, Verdict::fail, backend);
  outcome.labels["operation"] = operation;
  outcome.labels["data"] = data;
  if (!diagnosis.empty()) outcome.diagnosis = {diagnosis, "a further line: of, any kind"};
  return outcome;
}

Run run_of(std::vector<Outcome> outcomes) {
  Run run;
  run.outcomes = std::move(outcomes);
  run.planned_cases = run.outcomes.size();
  return run;
}

}  // namespace

TEST_CASE("failures of one cause on one backend are one finding, whatever the operand is called") {
  Run run = run_of({failed("cast", "a", "special", "likely: special_value, x_subnormals_flushed: all 3 elements"),
                    failed("cast", "a", "normal", "certain: special_value, subnormals_flushed: output has 0; truly"),
                    failed("cast", "b", "special", "likely: special_value, x_subnormals_flushed: all 3 elements"),
                    failed("exp", "a", "special", "likely: special_value, input2_subnormals_flushed"),
                    failed("exp", "a", "normal", "possible: precision, few_bits: 12 bits")});
  CHECK(findings_of(run).size() == 4);
  for (Outcome& outcome : run.outcomes) outcome.labels["family"] = "elementwise";
  const std::vector<Finding> findings = findings_of(run);
  REQUIRE(findings.size() == 3);
  const Finding& first = findings.front();
  CHECK(first.members == std::vector<std::size_t>{1, 0, 3});  // the surest is the example
  CHECK(first.cause == "special_value, subnormals_flushed");
  CHECK(first.confidence == "certain");
  CHECK(first.account == "output has 0; truly");
  CHECK(operations_text(first) == "cast 2, exp 1");
  CHECK(operations_text(first, 1) == "cast 2 and 1 others");
  CHECK(heading_of(first) == "3 × elementwise on a: special_value, subnormals_flushed (certain)");
  CHECK(heading_of(findings[2]) == "1 × cast on b: special_value, subnormals_flushed (likely)");
}

TEST_CASE("what was left undiagnosed is counted where its like was, and told apart") {
  const auto omitted = [](Outcome outcome) {
    outcome.labels["diagnosis"] = "omitted";
    return outcome;
  };
  const Run run = run_of({failed("exp", "a", "special", "likely: special_value, nan_lost: 1 of 1"),
                          omitted(failed("exp", "a", "special", "")), omitted(failed("exp", "a", "normal", ""))});
  const std::vector<Finding> findings = findings_of(run);
  REQUIRE(findings.size() == 2);
  const Finding& lost = findings[0].cause == "special_value, nan_lost" ? findings[0] : findings[1];
  const Finding& unknown = findings[0].cause == "special_value, nan_lost" ? findings[1] : findings[0];
  CHECK(lost.members.size() == 2);
  CHECK(lost.counted == 1);
  CHECK(unknown.cause == "because of fail");
  CHECK(unknown.confidence.empty());
  CHECK(unknown.counted == 0);
  std::size_t told = 0;
  for (const std::string& line : findings_lines(run)) {
    if (line.find("of them not diagnosed") == line.npos) continue;
    ++told;
    CHECK_THAT(line, contains("2 × exp on a: special_value, nan_lost (likely); 1 of them not diagnosed; 1 of 1"));
  }
  CHECK(told == 1);
}

TEST_CASE("what was diagnosed and nothing found has no cause but what was seen") {
  Outcome other = failed("exp", "a", "special", "");
  other.diagnosis = {"element 3 is 7 and should be 5"};
  const Run run = run_of({failed("exp", "a", "special", "likely: special_value, nan_lost: 1 of 1"), other,
                          failed("exp", "a", "special", "")});
  const std::vector<Finding> findings = findings_of(run);
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].cause == "because of fail");
  CHECK(findings[0].members == std::vector<std::size_t>{1, 2});
  CHECK(findings[0].counted == 0);
  CHECK(findings[1].cause == "special_value, nan_lost");
  CHECK(findings[1].members == std::vector<std::size_t>{0});
  CHECK(findings[1].counted == 0);
  for (const std::string& line : findings_lines(run)) CHECK(line.find("not diagnosed") == line.npos);
}

TEST_CASE("without a diagnosis reasons that differ in numbers alone are one cause; crashes and errors have their own") {
  std::vector<Outcome> outcomes;
  for (int i = 1; i <= 3; ++i) {
    outcomes.push_back(failed("exp", "a", "d" + std::to_string(i), ""));
    outcomes.back().reason = std::to_string(i) + " of 64 elements lie outside their acceptance interval; the worst …";
  }
  outcomes.push_back(failed("exp", "a", "d", ""));
  outcomes.back().verdict = Verdict::error;
  outcomes.back().labels["ended"] = "signal 11";
  const std::vector<Finding> findings = findings_of(run_of(outcomes));
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].cause == "elements lie outside their acceptance interval");
  CHECK(findings[0].members.size() == 3);
  CHECK(findings[1].cause == "its process ended: signal 11");
  CHECK(findings[1].verdict == Verdict::error);
}

TEST_CASE("grave causes and frequent ones come first") {
  std::vector<Outcome> outcomes;
  const auto add = [&](int times, const std::string& diagnosis) {
    for (int i = 0; i < times; ++i) outcomes.push_back(failed("exp", "a", "normal", diagnosis));
  };
  add(5, "likely: special_value, nan_lost");
  add(1, "likely: memory, overrun");
  add(4, "likely: precision, few_bits");
  add(3, "possible: missing_work, wrong_values");
  add(3, "certain: addressing, strides_ignored");
  std::vector<std::string> causes;
  for (const Finding& finding : findings_of(run_of(outcomes))) causes.push_back(finding.cause);
  CHECK(causes == std::vector<std::string>{"addressing, strides_ignored", "memory, overrun", "precision, few_bits",
                                           "missing_work, wrong_values", "special_value, nan_lost"});
}

TEST_CASE("every failure and error is a member of one finding") {
  for (const Run& run : {sample_run(), large_run(1000), Run()}) {
    std::size_t members = 0;
    for (const Finding& finding : findings_of(run)) {
      members += finding.members.size();
      CHECK(finding.counted < finding.members.size());
      for (const std::size_t member : finding.members)
        CHECK((run.outcomes.at(member).verdict == Verdict::fail || run.outcomes.at(member).verdict == Verdict::error));
    }
    CHECK(members == run.count(Verdict::fail) + run.count(Verdict::error));
  }
}

TEST_CASE("a report begins with whose kernels passed and whose failed") {
  const Run run =
      run_of({sample_outcome("a", Verdict::pass, "host"), sample_outcome("b", Verdict::inconclusive, "host"),
              sample_outcome("c", Verdict::pass, "eigen"), sample_outcome("d", Verdict::fail, "eigen"),
              sample_outcome("e", Verdict::unsupported, "kokkos")});
  CHECK(standing_of_backends(run) == std::vector<std::string>{"passed: host (2 cases, 1 undecided)",
                                                              "failed: eigen (1 of 2 cases)",
                                                              "nothing decided: kokkos"});
}

TEST_CASE("what belongs to no backend is told by its operation") {
  Outcome load = sample_outcome("serving/bench/users-16", Verdict::fail, "");
  load.labels["operation"] = "serving";
  const Run run = run_of({load});
  const auto findings = findings_of(run);
  REQUIRE(findings.size() == 1);
  CHECK(subject_of(findings[0]) == "serving");
  CHECK(standing_of_backends(run) == std::vector<std::string>{"failed: serving (1 of 1 case)"});
}

TEST_CASE("the lines for a console are bounded, and say what has no room") {
  std::vector<Outcome> outcomes;
  for (int i = 0; i < 30; ++i) {
    outcomes.push_back(failed("exp" + std::to_string(i), "a", "normal", "likely: precision, few_bits: evidence"));
    outcomes.push_back(outcomes.back());
  }
  const Run run = run_of(outcomes);
  for (const std::size_t most : {6, 9, 25, 200}) {
    const std::vector<std::string> lines = findings_lines(run, most, 60);
    CHECK(lines.size() <= most);
    CHECK(lines.front() == "failed: a (60 of 60 cases)");
    std::size_t findings = 0;
    for (const std::string& line : lines) {
      if (line.rfind("2 × ", 0) != 0) continue;
      ++findings;
      CHECK(display_width(line) <= 60);
    }
    CHECK(findings > 0);
    if (findings < 30)
      CHECK(lines.back() == "and " + std::to_string(30 - findings) + " more findings, of " +
                                std::to_string(60 - 2 * findings) + " failures");
  }
  CHECK(findings_lines(run_of({sample_outcome("a", Verdict::pass)})).empty());
}
