#include "assay/frameworks/cases/operator_coverage.hpp"

#include <string>
#include <vector>

#include "testing/catch.hpp"

using namespace assay;

namespace {

Outcome case_of(const char* operation, Verdict verdict, const char* type = "float32") {
  Outcome outcome;
  outcome.id = std::string("onnx/ort.cpu.level99/") + operation + "/test";
  outcome.verdict = verdict;
  outcome.labels = {{"operation", operation}, {"type", type}, {"opset", "21"}};
  return outcome;
}

}  // namespace

TEST_CASE("coverage counts operators that pass in every case that decides") {
  const std::vector<Outcome> right{case_of("Add", Verdict::pass), case_of("Add", Verdict::unsupported, "int64"),
                                   case_of("Relu", Verdict::pass)};
  const Outcome whole = operator_coverage(right, "ort.cpu.level99", {"Add", "Relu"});
  CHECK(whole.id == "onnx/ort.cpu.level99/operators/coverage");
  CHECK(whole.verdict == Verdict::pass);
  CHECK(whole.measurement("critical_operators_percent") == 100);
  CHECK(whole.measurement("critical_cases_percent") == 100);
  REQUIRE(whole.tables.size() == 1);
  CHECK(whole.tables[0].rows.size() == 3);
  CHECK(whole.tables[0].rows[1] == std::vector<std::string>{"Add", "int64", "21", "", "", "1", ""});
}

TEST_CASE("what fails, is refused throughout, decides nothing or has no case is not covered") {
  std::vector<Outcome> outcomes{case_of("Add", Verdict::pass), case_of("Relu", Verdict::pass),
                                case_of("Relu", Verdict::fail)};
  const Outcome failing = operator_coverage(outcomes, "b", {"Add", "Relu"});
  CHECK(failing.verdict == Verdict::fail);
  CHECK(failing.measurement("critical_operators_percent") == 50);
  CHECK(failing.reason.find("not Relu") != std::string::npos);
  CHECK(operator_coverage(outcomes, "b", {"Add"}).verdict == Verdict::pass);
  CHECK(operator_coverage(outcomes, "b", {}).verdict == Verdict::fail);
  for (const Verdict verdict : {Verdict::unsupported, Verdict::inconclusive, Verdict::error, Verdict::skipped}) {
    outcomes = {case_of("Add", Verdict::pass), case_of("Conv", verdict)};
    CHECK(operator_coverage(outcomes, "b", {"Add", "Conv"}).verdict == Verdict::fail);
  }
  const Outcome absent = operator_coverage(outcomes, "b", {"Add", "Gemm"});
  CHECK(absent.verdict == Verdict::fail);
  CHECK(absent.reason.find("Gemm (no case)") != std::string::npos);
  CHECK(operator_coverage({}, "b", {}).verdict == Verdict::fail);
  CHECK(operator_coverage(outcomes, "b", {"A*"}).measurement("critical_operators_percent") == 100);
}

TEST_CASE("lists of operators are read, and what is none is told by its line") {
  const auto own = read_critical_operators(default_critical_operators());
  REQUIRE(own);
  CHECK(own.value().size() > 40);
  CHECK(read_critical_operators("# mine\n\n  Conv \nReduce*\r\n").value() ==
        std::vector<std::string>{"Conv", "Reduce*"});
  const auto wrong = read_critical_operators("Conv\nMat Mul\n");
  REQUIRE(!wrong);
  CHECK(wrong.error().kind == ErrorKind::malformed);
  CHECK(wrong.error().message.find("line 2") != std::string::npos);
  CHECK(read_critical_operators("# nothing\n").error().kind == ErrorKind::invalid);
}
