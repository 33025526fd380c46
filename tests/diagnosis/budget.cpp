#include "assay/diagnosis/budget.hpp"

#include "assay/faults/softmax_faults.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "assay/suite/runner.hpp"
#include "assay/validators/operation_suite.hpp"
#include "testing/catch.hpp"

using namespace assay;

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

Run run_of(const Suite& suite) {
  Silent silent;
  return run_suite(suite, {}, {}, silent);
}

}  // namespace

TEST_CASE("a few failures are diagnosed, the others say that they were not, and all fail") {
  DiagnosisBudget budget;
  budget.seconds_per_kernel = budget.seconds = 1000;
  const Run run = run_of(failing_suite(&budget));
  const std::size_t failed = run.count(Verdict::fail);
  REQUIRE(failed > 60);
  CHECK(diagnosed(run) >= 1);
  CHECK(diagnosed(run) < failed / 2);
  std::size_t told = 0;
  for (const Outcome& outcome : run.outcomes)
    for (const std::string& line : outcome.diagnosis) told += line.rfind("not diagnosed: ", 0) == 0 ? 1 : 0;
  CHECK(told > 0);
  CHECK(told + diagnosed(run) <= failed);
}

TEST_CASE("a budget without seconds diagnoses nothing; a case outside of budgets is diagnosed as always") {
  DiagnosisBudget nothing;
  nothing.seconds = 0;
  CHECK(diagnosed(run_of(failing_suite(&nothing))) == 0);
  const Suite free = failing_suite(nullptr);
  for (const Case& entry : free) {
    const Outcome outcome = entry.run({3, 1});
    if (outcome.verdict != Verdict::fail) continue;
    CHECK_FALSE(outcome.label("fault_class").empty());
    break;
  }
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
