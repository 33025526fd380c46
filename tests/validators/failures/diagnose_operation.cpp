#include "assay/validators/failures/diagnose_operation.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "assay/diagnosis/diagnose.hpp"
#include "assay/faults/dropout_faults.hpp"
#include "assay/faults/softmax_faults.hpp"
#include "assay/validators/check_operation.hpp"

using namespace assay;

namespace {

SoftmaxProblem warm() {
  SoftmaxProblem problem;
  problem.outer = 5;
  problem.length = 257;
  problem.temperature = 3;
  return problem;
}

Outcome checked(const OperationSubject<Softmax>& subject, const DiagnosisOptions& diagnosis) {
  Host host(1);
  OperationCheckOptions options;
  options.diagnosis = diagnosis;
  return check_operation<Softmax>(host, subject, warm(), FillKind::normal, options, CaseContext{7, 1});
}

}  // namespace

TEST_CASE("a failing check of an operation tells its cause first, and draws it") {
  const Outcome outcome = checked(OperationFaults<Softmax>::faulty("temperature_ignored"), {&diagnose, 2, true});
  REQUIRE(outcome.verdict == Verdict::fail);
  REQUIRE_FALSE(outcome.diagnosis.empty());
  INFO(outcome.diagnosis.front());
  CHECK(outcome.diagnosis.front().rfind("certain: missing_work, temperature_ignored: all 1285 elements are right", 0) ==
        0);
  CHECK(outcome.label("fault_class") == "missing_work");
  bool drawn = false;
  for (const HeatMap& map : outcome.heat_maps) drawn = drawn || map.title == "violations of output";
  CHECK(drawn);
}

TEST_CASE("re-runs tell results that depend on what ran before") {
  const Outcome outcome = checked(with_common_fault<Softmax>(OperationFaults<Softmax>::correct().front(), "lost_race"),
                                  {&diagnose, 2, true});
  REQUIRE(outcome.verdict == Verdict::fail);
  INFO(outcome.diagnosis.front());
  CHECK(outcome.label("fault_class") == "state");
}

TEST_CASE("an operation that judges itself tells what is due by the kernel's own choices") {
  DropoutProblem problem;
  problem.rows = 31;
  problem.columns = 257;
  problem.rate = 0.3;
  problem.input = problem.output = element_format<bfloat16>();
  Host host(1);
  OperationCheckOptions options;
  options.diagnosis = {&diagnose, 2, true};
  for (const auto& [fault, fault_class] :
       {std::pair("truncated_output", "rounding"), std::pair("flipped_bits_of_warps", "state")}) {
    const bool own = std::string(fault) == "truncated_output";
    const auto subject = own ? OperationFaults<Dropout>::faulty(fault)
                             : with_common_fault<Dropout>(OperationFaults<Dropout>::correct().front(), fault);
    const Outcome outcome =
        check_operation<Dropout>(host, subject, problem, FillKind::normal, options, CaseContext{7, 1});
    REQUIRE(outcome.verdict == Verdict::fail);
    INFO(outcome.diagnosis.front());
    CHECK(outcome.label("fault_class") == fault_class);
  }
}

TEST_CASE("memory is told before numbers") {
  const Outcome outcome =
      checked(with_common_fault<Softmax>(OperationFaults<Softmax>::correct().front(), "overrun"), {&diagnose, 2, true});
  REQUIRE(outcome.verdict == Verdict::fail);
  CHECK(outcome.diagnosis.front().rfind("certain: memory, overrun", 0) == 0);
}

TEST_CASE("what passes is not diagnosed, nor what nobody asks to be") {
  const Outcome right = checked(OperationFaults<Softmax>::correct().front(), {&diagnose, 2, true});
  CHECK(right.verdict == Verdict::pass);
  CHECK(right.diagnosis.empty());
  const Outcome silent = checked(OperationFaults<Softmax>::faulty("temperature_ignored"), {});
  CHECK(silent.verdict == Verdict::fail);
  CHECK(silent.label("fault_class").empty());
}
