#include "assay/kernels/softmax/softmax.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "assay/validators/faults/softmax_faults.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("right softmax kernels are not accused") { testing::require_correct_kernels_pass<Softmax>(0.1); }

TEST_CASE("every fault of a softmax is caught by its default suite") { testing::require_faults_are_caught<Softmax>(); }

TEST_CASE("the reference of a softmax is the definition") {
  Host host(1);
  auto stream = host.make_stream();
  SoftmaxProblem problem;
  problem.length = 3;
  float x[] = {1, 2, 4};
  OperandArray operands;
  operands[Softmax::input] = contiguous_operand(x, {1, 3});
  for (const bool logarithm : {false, true}) {
    problem.logarithm = logarithm;
    const auto reference = Softmax::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
    REQUIRE(reference);
    const double sum = std::exp(1.0) + std::exp(2.0) + std::exp(4.0);
    for (Index i = 0; i < 3; ++i) {
      const ExpectedElement element = reference.value().expected(0, i);
      const double y = std::exp(static_cast<double>(x[i])) / sum;
      CHECK(element.value == Approx(logarithm ? std::log(y) : y).epsilon(1e-14));
      CHECK(element.error > 0);
      CHECK(element.error < 1e-5);
    }
  }
}

TEST_CASE("problems of a softmax that cannot be are refused") {
  SoftmaxProblem problem;
  SECTION("negative extent") {
    problem.length = -1;
    testing::require_refused<Softmax>(problem, "length");
  }
  SECTION("extents that overflow") {
    problem.outer = problem.inner = Index{1} << 40;
    testing::require_refused<Softmax>(problem, "inner");
  }
  SECTION("temperature") {
    problem.temperature = 0;
    testing::require_refused<Softmax>(problem, "temperature");
  }
  SECTION("format") {
    problem.output = element_format<std::int8_t>();
    testing::require_refused<Softmax>(problem, "output");
  }
}
