#include "assay/validators/minimize/recorded_operation.hpp"

#include <catch2/catch.hpp>
#include <memory>

#include "assay/faults/softmax_faults.hpp"
#include "assay/kernels/softmax/softmax.hpp"

using namespace assay;

namespace {

RecordedOperation<Softmax, Host> recorded(const OperationSubject<Softmax>& subject, FillKind fill,
                                          const OperationCheckOptions& check = {}) {
  SoftmaxProblem problem;
  problem.outer = 3;
  problem.length = 20;
  problem.input = element_format<bfloat16>();
  problem.masked = true;
  return {std::make_shared<Host>(1), std::make_shared<const OperationSubject<Softmax>>(subject), problem, fill, check};
}

}  // namespace

TEST_CASE("a record with its values is judged as its pattern") {
  for (const FillKind fill : {FillKind::normal, FillKind::special, FillKind::extreme})
    for (const OperationSubject<Softmax>& subject :
         {OperationFaults<Softmax>::correct().front(), OperationFaults<Softmax>::faulty("last_term_missing")}) {
      const auto kernel = recorded(subject, fill);
      const CaseRecord pattern = kernel.record(5);
      const auto values = kernel.with_values(pattern);
      REQUIRE(values);
      REQUIRE(values.value().operands.size() == 3);
      CHECK(values.value().operands[Softmax::output].codes.empty());
      const Outcome by_pattern = kernel.run(pattern), by_values = kernel.run(values.value());
      INFO(subject.name << ": " << by_pattern.reason << " | " << by_values.reason);
      CHECK(by_pattern.verdict == by_values.verdict);
      CHECK(by_pattern.reason == by_values.reason);
      CHECK(by_pattern.measurement(measurement::max_ulp_error).value_or(-1) ==
            by_values.measurement(measurement::max_ulp_error).value_or(-1));
      CHECK(by_values.labels.at("shape") == "3x20x1-masked");
      CHECK(by_values.labels.at("data") == "recorded");
    }
}

TEST_CASE("a record says how its operands are stored") {
  OperationCheckOptions check;
  check.storage = {3, 1};
  const auto kernel =
      recorded(with_common_fault<Softmax>(OperationFaults<Softmax>::correct().front(), "ignored_strides"),
               FillKind::normal, check);
  CaseRecord record = kernel.record(5);
  CHECK(kernel.run(record).verdict == Verdict::fail);
  record.row_padding = 0;
  CHECK(kernel.run(record).verdict == Verdict::pass);
}

TEST_CASE("records that an operation cannot be are errors") {
  const auto kernel = recorded(OperationFaults<Softmax>::correct().front(), FillKind::normal);
  CaseRecord record = kernel.record(1);
  SECTION("a pattern of no name") {
    record.data = "random";
  }
  SECTION("extents") {
    record.problem[0].value = "-1";
  }
  SECTION("too few operands") {
    record.operands.resize(2);
  }
  SECTION("too few values") {
    record = kernel.with_values(record).value(), record.operands[0].codes.pop_back();
  }
  SECTION("another format") {
    record = kernel.with_values(record).value(), record.operands[0].format = "f32";
  }
  const Outcome outcome = kernel.run(record);
  CHECK(outcome.verdict == Verdict::error);
  CHECK_FALSE(outcome.reason.empty());
}
