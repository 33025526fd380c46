#include "assay/validators/minimize/recorded_gemm.hpp"

#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "assay/faults/emulated_gemm.hpp"
#include "assay/validators/minimize/minimize.hpp"

using namespace assay;

namespace {

using Single = Gemm<float32, float32, float32, float32>;

GemmProblem problem_of(Index m, Index n, Index k, Index batch, double beta) {
  GemmProblem problem;
  problem.m = m;
  problem.n = n;
  problem.k = k;
  problem.batch = batch;
  problem.beta = beta;
  return problem;
}

RecordedGemm<Single, Host> recorded(GemmSubject<Single> subject, const GemmProblem& problem, FillKind fill) {
  return {std::make_shared<Host>(1), std::make_shared<GemmSubject<Single>>(std::move(subject)), problem, fill, {}};
}

std::string field(const CaseRecord& record, const std::string& name) {
  for (const RecordedField& entry : record.problem)
    if (entry.name == name) return entry.value;
  return "absent";
}

}  // namespace

TEST_CASE("a record of a GEMM with its values is judged as its pattern") {
  for (const FillKind fill : {FillKind::normal, FillKind::exact_integer, FillKind::special})
    for (const char* fault : {"", "dropped_term"}) {
      const auto subject = *fault == 0 ? emulated_gemm_subject<Single>(SummationOrder::sequential)
                                       : emulated_gemm_subject<Single>(SummationOrder::sequential, fault);
      const auto kernel = recorded(subject, problem_of(5, 7, 40, 3, 0.5), fill);
      const CaseRecord pattern = kernel.record(9);
      const auto values = kernel.with_values(pattern);
      REQUIRE(values);
      const Outcome by_pattern = kernel.run(pattern), by_values = kernel.run(values.value());
      INFO(name_of(fill) << " " << fault << ": " << by_pattern.reason << " | " << by_values.reason);
      CHECK(by_pattern.verdict == by_values.verdict);
      CHECK(by_pattern.measurement(measurement::max_absolute_error).value_or(-1) ==
            by_values.measurement(measurement::max_absolute_error).value_or(-1));
      CHECK(by_values.labels.at("data") == "recorded");
    }
}

TEST_CASE("a GEMM that loses its tail of terms shrinks to the smallest with a tail") {
  GemmSubject<Single> subject = emulated_gemm_subject<Single>(SummationOrder::sequential);
  subject.run = [right = subject.run](const GemmProblem& problem, const Single::Arguments& arguments) -> Result<void> {
    Single::Arguments cut = arguments;
    if (problem.k > 8) cut.a.extents[2] = problem.k / 8 * 8;
    return right(problem, cut);
  };
  const auto kernel = recorded(subject, problem_of(33, 17, 99, 2, 0.5), FillKind::normal);
  const auto smallest = minimize(kernel, kernel.record(1));
  REQUIRE(smallest);
  const CaseRecord& record = smallest.value().record;
  CHECK(field(record, "m") == "1");
  CHECK(field(record, "n") == "1");
  CHECK(field(record, "k") == "9");
  CHECK(field(record, "batch") == "1");
  CHECK(field(record, "beta") == "0");
  REQUIRE(record.operands.size() == 3);
  std::size_t others = 0;
  for (const RecordedOperand& operand : record.operands)
    for (const std::uint64_t code : operand.codes) others += code != 0 ? 1 : 0;
  CHECK(others == 2);  // the product that is lost
  CHECK(smallest.value().failed_confirmations == 3);
}

TEST_CASE("records that a GEMM cannot be are errors") {
  const auto kernel =
      recorded(emulated_gemm_subject<Single>(SummationOrder::sequential), problem_of(2, 2, 2, 1, 0), FillKind::normal);
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
    record = kernel.with_values(record).value(), record.operands[1].codes.pop_back();
  }
  SECTION("another format") {
    record = kernel.with_values(record).value(), record.operands[0].format = "bf16";
  }
  const Outcome outcome = kernel.run(record);
  CHECK(outcome.verdict == Verdict::error);
  CHECK_FALSE(outcome.reason.empty());
}
