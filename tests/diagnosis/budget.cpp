#include "assay/diagnosis/budget.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "assay/faults/softmax_faults.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "assay/suite/runner.hpp"
#include "assay/validators/operation_suite.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

struct Silent {
  void started(const Run&) {}
  void case_started(const std::string&) {}
  void case_finished(const Outcome&) {}
  void finished(const Run&) {}
};

/// A kernel that is wrong everywhere, in many cases.
Suite failing_suite(const DiagnosisBudget* budget) {
  OperationSubject<Softmax> subject = OperationFaults<Softmax>::faulty("temperature_ignored");
  const auto run = subject.run;
  subject.name = "wrong";
  subject.run = [run](const SoftmaxProblem& problem, const OperandArray& operands) {
    auto done = run(problem, operands);
    if (operands[2].size() > 0) operands[2].store(0, 0.5);
    return done;
  };
  OperationSuiteOptions options;
  options.check.diagnosis = {&diagnose_within_budget, 1, true};
  Suite suite;
  add_operation_cases<Softmax>(suite, Host(1), subject, options);
  if (budget != nullptr) limit_diagnoses(suite, *budget);
  return suite;
}

std::size_t diagnosed(const Run& run) {
  std::size_t number = 0;
  for (const Outcome& outcome : run.outcomes) number += outcome.label("fault_class").empty() ? 0 : 1;
  return number;
}

/// How many outcomes say that they were not diagnosed, and why it was: a part of the line.
std::size_t omitted(const Run& run, const std::string& why = "") {
  std::size_t number = 0;
  for (const Outcome& outcome : run.outcomes) {
    std::size_t lines = 0;
    for (const std::string& line : outcome.diagnosis)
      if (line.rfind("not diagnosed: ", 0) == 0 && line.find(why) != line.npos) ++lines;
    CHECK(lines <= 1);
    if (lines > 0) CHECK(outcome.label("diagnosis") == "omitted");
    if (why.empty() && lines == 0) CHECK(outcome.label("diagnosis").empty());
    number += lines;
  }
  return number;
}

std::string signature_of(const Outcome& outcome) {
  return outcome.label("formats") + "/" + outcome.label("data");
}

/// "wrong_axis" of "certain: addressing, wrong_axis: …"; empty if it has no diagnosis.
std::string kind_of(const Outcome& outcome) {
  if (outcome.label("fault_class").empty()) return {};
  const std::string& line = outcome.diagnosis.at(0);
  const std::size_t comma = line.find(", ");
  REQUIRE(comma != line.npos);
  return line.substr(comma + 2, line.find(": ", comma) - comma - 2);
}

/// A budget that seconds do not limit.
DiagnosisBudget of_any_time() {
  DiagnosisBudget budget;
  budget.seconds_per_kernel = budget.seconds = 1000;
  return budget;
}

Run run_of(const Suite& suite) {
  Silent silent;
  return run_suite(suite, {}, {}, silent);
}

}  // namespace

TEST_CASE("a few failures are diagnosed, the others say that they were not, and all fail") {
  const DiagnosisBudget budget = of_any_time();
  const Run run = run_of(failing_suite(&budget));
  const std::size_t failed = run.count(Verdict::fail);
  REQUIRE(failed > 60);
  CHECK(diagnosed(run) >= 1);
  CHECK(diagnosed(run) < failed / 2);
  CHECK(omitted(run) > 0);
  CHECK(omitted(run) + diagnosed(run) == failed);
}

TEST_CASE("the limit that refused a diagnosis is the one that is named") {
  DiagnosisBudget budget = of_any_time();
  budget.of_one_cause = 2;
  const Run run = run_of(failing_suite(&budget));
  // Each signature is diagnosed until the last two named one cause, and six times at most.
  struct Row {
    std::size_t diagnosed = 0, in_a_row = 0, of_one_cause = 0, of_many = 0;
    std::string last;
  };
  std::map<std::string, Row> rows;
  for (const Outcome& outcome : run.outcomes) {
    if (outcome.verdict != Verdict::fail) continue;
    Row& row = rows[signature_of(outcome)];
    if (outcome.label("diagnosis") == "omitted") {
      const std::string& line = outcome.diagnosis.back();
      if (row.in_a_row >= 2) CHECK_THAT(line, contains("2 failures of this operation, backend, formats and data, one"));
      if (row.in_a_row < 2) CHECK_THAT(line, contains("6 failures of this operation, backend, formats and data were"));
      CHECK((row.in_a_row >= 2 || row.diagnosed == 6));
      CHECK_THAT(line, contains("run alone"));
      continue;
    }
    CHECK((row.in_a_row < 2 && row.diagnosed < 6));
    const std::string cause = kind_of(outcome);
    row.in_a_row = cause.empty() ? 0 : cause == row.last ? row.in_a_row + 1 : 1;
    row.last = cause;
    ++row.diagnosed;
  }
  std::size_t most = 0;
  for (const auto& [signature, row] : rows) {
    INFO(signature);
    CHECK(row.diagnosed >= 1);
    most = std::max(most, row.diagnosed);
  }
  CHECK(rows.size() > 3);
  CHECK(most >= 2);
  CHECK(omitted(run) + diagnosed(run) == run.count(Verdict::fail));
}

TEST_CASE("a kernel without seconds has no diagnosis, and one whose seconds are over has no further") {
  DiagnosisBudget budget = of_any_time();
  budget.seconds_per_kernel = 0;
  const Run none = run_of(failing_suite(&budget));
  CHECK(diagnosed(none) == 0);
  CHECK(omitted(none, "the budget has no diagnoses") == none.count(Verdict::fail));
  budget.seconds_per_kernel = 1e-9;
  const Run one = run_of(failing_suite(&budget));
  CHECK(omitted(one, "s that this operation of this backend has; run alone") == one.count(Verdict::fail) - 1);
  budget.seconds_per_kernel = 1000;
  budget.seconds = 1e-9;
  const Run first = run_of(failing_suite(&budget));
  CHECK(omitted(first, "s that this process has for all; run alone") == first.count(Verdict::fail) - 1);
}

TEST_CASE("a cause that one signature names again and again leaves the others their diagnoses") {
  DiagnosisBudget budget = of_any_time();
  budget.of_one_cause = 1;
  std::map<std::string, int> failures, diagnoses;
  for (const Outcome& outcome : run_of(failing_suite(&budget)).outcomes) {
    if (outcome.verdict != Verdict::fail) continue;
    ++failures[signature_of(outcome)];
    diagnoses[signature_of(outcome)] += outcome.label("diagnosis") == "omitted" ? 0 : 1;
  }
  CHECK(failures.size() > 3);
  for (const auto& [signature, number] : failures) {
    INFO(signature);
    CHECK(diagnoses[signature] == 1);
  }
}

TEST_CASE("a budget without seconds diagnoses nothing; a case outside of budgets is diagnosed as always") {
  DiagnosisBudget nothing;
  nothing.seconds = 0;
  CHECK(diagnosed(run_of(failing_suite(&nothing))) == 0);
  const Suite free = failing_suite(nullptr);
  bool found = false;
  for (const Case& entry : free) {
    const Outcome outcome = entry.run({3, 1});
    if (outcome.verdict != Verdict::fail) continue;
    CHECK_FALSE(outcome.label("fault_class").empty());
    CHECK(outcome.label("diagnosis").empty());
    found = true;
    break;
  }
  REQUIRE(found);
}

TEST_CASE("each signature has its share where causes differ") {
  DiagnosisBudget budget;
  budget.per_signature = 1;
  budget.of_one_cause = 1000000;
  budget.seconds_per_kernel = budget.seconds = 1000;
  std::map<std::string, int> by_signature;
  for (const Outcome& outcome : run_of(failing_suite(&budget)).outcomes)
    if (!outcome.label("fault_class").empty()) ++by_signature[outcome.label("formats") + outcome.label("data")];
  CHECK(by_signature.size() > 3);
  for (const auto& [signature, number] : by_signature) CHECK(number == 1);
}
