#include "assay/validators/minimize/minimize.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <memory>

#include "assay/faults/softmax_faults.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "assay/validators/minimize/recorded_operation.hpp"

using namespace assay;

namespace {

using RecordedSoftmax = RecordedOperation<Softmax, Host>;

/// A right softmax whose result is spoilt by `spoil(problem, operands)`.
template <class Spoil>
RecordedSoftmax spoilt(SoftmaxProblem problem, FillKind fill, Spoil spoil, OperationCheckOptions check = {}) {
  const OperationSubject<Softmax> right = OperationFaults<Softmax>::correct().front();
  auto subject = std::make_shared<OperationSubject<Softmax>>(right);
  subject->run = [right, spoil](const SoftmaxProblem& own, const OperandArray& operands) -> Result<void> {
    if (auto done = right.run(own, operands); !done) return done;
    spoil(own, operands);
    return {};
  };
  return {std::make_shared<Host>(1), subject, problem, fill, check};
}

std::string field(const CaseRecord& record, const std::string& name) {
  for (const RecordedField& entry : record.problem)
    if (entry.name == name) return entry.value;
  return "absent";
}

std::vector<double> values_of(const CaseRecord& record, std::size_t operand) {
  std::vector<double> values;
  for (const std::uint64_t code : record.operands.at(operand).codes)
    values.push_back(element_format_named(record.operands[operand].format)->decode(code));
  return values;
}

SoftmaxProblem problem_of(Index outer, Index length, Index inner) {
  SoftmaxProblem problem;
  problem.outer = outer;
  problem.length = length;
  problem.inner = inner;
  return problem;
}

}  // namespace

TEST_CASE("a fault in the last elements of long rows shrinks to the shortest row that has it") {
  SoftmaxProblem problem = problem_of(5, 1003, 3);
  problem.temperature = 1.5;
  problem.logarithm = true;
  const auto kernel = spoilt(problem, FillKind::normal, [](const SoftmaxProblem& own, const OperandArray& operands) {
    if (own.length > 8 && own.length % 8 != 0) operands[Softmax::output].store(own.length * own.inner - 1, 3);
  });
  const auto smallest = minimize(kernel, kernel.record(1));
  REQUIRE(smallest);
  const CaseRecord& record = smallest.value().record;
  CHECK(field(record, "outer") == "1");
  CHECK(field(record, "length") == "9");
  CHECK(field(record, "inner") == "1");
  CHECK(field(record, "temperature") == "1");
  CHECK(field(record, "logarithm") == "false");
  CHECK(record.verdict == Verdict::fail);
  CHECK(smallest.value().failed_confirmations == 3);
  CHECK_FALSE(smallest.value().exhausted);
  for (const double value : values_of(record, Softmax::input)) CHECK(value == 0);
}

TEST_CASE("values that do not matter become zero, the others simple") {
  const auto kernel =
      spoilt(problem_of(4, 64, 1), FillKind::special, [](const SoftmaxProblem&, const OperandArray& operands) {
        const Operand& output = operands[Softmax::output];
        for (Index e = 0; e < output.size(); ++e)
          if (is_nan(output.load(e))) output.store(e, 0);
      });
  const auto smallest = minimize(kernel, kernel.record(1));
  REQUIRE(smallest);
  const std::vector<double> values = values_of(smallest.value().record, Softmax::input);
  REQUIRE(values.size() == 1);
  CHECK((is_nan(values[0]) || is_infinite(values[0])));
}

TEST_CASE("the storage that a fault needs stays, other storage goes") {
  OperationCheckOptions check;
  check.storage = {3, 1};
  const auto by_strides = spoilt(
      problem_of(6, 20, 1), FillKind::normal,
      [](const SoftmaxProblem&, const OperandArray& operands) {
        const Operand& output = operands[Softmax::output];
        if (output.strides[output.rank - 2] != output.extents[output.rank - 1]) output.store(0, 7);
      },
      check);
  const auto kept = minimize(by_strides, by_strides.record(1));
  REQUIRE(kept);
  CHECK(kept.value().record.row_padding == 1);
  CHECK(kept.value().record.misalignment == 0);
  const auto by_nothing = spoilt(
      problem_of(6, 20, 1), FillKind::normal,
      [](const SoftmaxProblem&, const OperandArray& operands) { operands[Softmax::output].store(0, 7); }, check);
  const auto gone = minimize(by_nothing, by_nothing.record(1));
  REQUIRE(gone);
  CHECK(gone.value().record.row_padding == 0);
}

TEST_CASE("a failure is not exchanged for another") {
  const auto kernel =
      spoilt(problem_of(4, 40, 1), FillKind::normal, [](const SoftmaxProblem& own, const OperandArray& operands) {
        if (own.length >= 7) operands[Softmax::input].store(0, 3);   // an input is modified
        if (own.length < 20) operands[Softmax::output].store(0, 7);  // another fault of small problems
      });
  const CaseRecord start = kernel.record(1);
  REQUIRE(kernel.run(start).reason == "input was modified");
  const auto smallest = minimize(kernel, start);
  REQUIRE(smallest);
  CHECK(field(smallest.value().record, "length") == "7");
  CHECK(smallest.value().record.reason == "input was modified");
}

TEST_CASE("a failure is not exchanged for one of another cause, where the check names causes") {
  OperationCheckOptions check;
  check.diagnosis.by = [](const DiagnosedCase& given, const DiagnosisOptions&) {  // by the size of the output
    Diagnosis told;
    told.fault_class = FaultClass::missing_work;
    told.kind = given.outputs.front().size() >= 12 ? "most_terms_missing" : "alpha_ignored";
    told.evidence = {"as it seems"};
    return std::vector<Diagnosis>{told};
  };
  const auto kernel = spoilt(
      problem_of(4, 40, 1), FillKind::normal,
      [](const SoftmaxProblem&, const OperandArray& operands) { operands[Softmax::output].store(0, 7); }, check);
  const auto smallest = minimize(kernel, kernel.record(1));
  REQUIRE(smallest);
  CHECK(std::stol(field(smallest.value().record, "outer")) * std::stol(field(smallest.value().record, "length")) == 12);
  REQUIRE_FALSE(smallest.value().outcome.diagnosis.empty());
  CHECK(smallest.value().outcome.diagnosis.front().find("terms_missing") != std::string::npos);
}

TEST_CASE("a case that does not fail is refused, and the budget is kept") {
  const auto right = spoilt(problem_of(2, 10, 1), FillKind::normal, [](const SoftmaxProblem&, const OperandArray&) {});
  const auto refused = minimize(right, right.record(1));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("does not fail") != std::string::npos);
  const auto faulty =
      spoilt(problem_of(2, 1000, 1), FillKind::normal, [](const SoftmaxProblem& own, const OperandArray& operands) {
        if (own.length > 8) operands[Softmax::output].store(0, 7);
      });
  MinimizeOptions options;
  options.most_runs = 5;
  const auto smallest = minimize(faulty, faulty.record(1), options);
  REQUIRE(smallest);
  CHECK(smallest.value().exhausted);
  CHECK(smallest.value().runs <= 5 + 1 + options.confirmations);
  CHECK(smallest.value().outcome.verdict == Verdict::fail);
}
