#include "assay/validators/minimize/problem_fields.hpp"

#include <catch2/catch.hpp>

#include <string>

#include "assay/kernels/gemm/problem.hpp"
#include "assay/kernels/softmax/softmax.hpp"

using namespace assay;

TEST_CASE("members have readable texts") {
  GemmProblem problem;
  problem.k = 3000;
  problem.alpha = 0.1;
  problem.order = StorageOrder::column_major;
  std::string text;
  for (const RecordedField& field : recorded_fields(problem)) text += field.name + "=" + field.value + " ";
  CHECK(text.find("k=3000 ") != std::string::npos);
  CHECK(text.find("alpha=0.1 ") != std::string::npos);
  CHECK(text.find("order=column_major ") != std::string::npos);
  CHECK(text.find("transpose_a=false ") != std::string::npos);
  CHECK(recorded_fields(SoftmaxProblem{}, false).size() + 2 == recorded_fields(SoftmaxProblem{}).size());
}

TEST_CASE("members are set from texts, the others stay") {
  SoftmaxProblem start;
  start.inner = 5;
  const auto problem =
      with_fields(start, {{"outer", "7"}, {"temperature", "0.5"}, {"fully_masked", "zeros"}, {"input", "bf16"}});
  REQUIRE(problem);
  CHECK(problem.value().outer == 7);
  CHECK(problem.value().inner == 5);
  CHECK(problem.value().temperature == 0.5);
  CHECK(problem.value().fully_masked == FullyMasked::zeros);
  CHECK(problem.value().input == element_format<bfloat16>());
}

TEST_CASE("texts that no member can be are refused") {
  const auto refused = [](const char* name, const char* value) {
    const auto problem = with_fields(SoftmaxProblem{}, {{name, value}});
    REQUIRE_FALSE(problem);
    return problem.error().message;
  };
  CHECK(refused("outer", "many").find("outer cannot be 'many'") != std::string::npos);
  CHECK(refused("fully_masked", "ones").find("fully_masked") != std::string::npos);
  CHECK(refused("input", "f31").find("input") != std::string::npos);
  CHECK(refused("logarithm", "1").find("logarithm") != std::string::npos);
  CHECK(refused("width", "1").find("1 of 1 fields") != std::string::npos);
}
