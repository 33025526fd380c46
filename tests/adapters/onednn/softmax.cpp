#include "assay/adapters/onednn/softmax.hpp"

#include <string>

#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("oneDNN's softmax and log-softmax in float32 are right, or refused with the reason") {
  testing::require_right(testing::suite_of(operation_subject<Softmax>(OneDnn(1)), {element_format<float32>()}), 71);
}

TEST_CASE("oneDNN's gradients of softmax and log-softmax in float32 are right but where a logarithm is NaN, or refused with the reason") {
  testing::require_right_but_known(testing::suite_of(operation_subject<SoftmaxBackward>(OneDnn(1)), {element_format<float32>()}), 77,
                                   [](const std::string& id) { return testing::has(id, "-log/special"); });
}

TEST_CASE("oneDNN is asked for no softmax that it has not") {
  OneDnn backend(1);
  auto stream = backend.make_stream();
  SoftmaxProblem problem;
  const auto refusal = [&] {
    const auto run = kernel<OneDnn, Softmax>::run(backend, stream.value(), problem, OperandArray{});
    REQUIRE_FALSE(run);
    CHECK(run.error().kind == ErrorKind::unsupported);
    return run.error().message;
  };
  SECTION("mask") {
    problem.masked = true;
    CHECK(refusal().find("mask") != std::string::npos);
  }
  SECTION("temperature") {
    problem.temperature = 2;
    CHECK(refusal().find("temperature") != std::string::npos);
  }
  SECTION("format") {
    problem.input = element_format<float64>();
    CHECK(refusal().find("f64") != std::string::npos);
  }
  SECTION("nothing") {
    problem.length = 0;
    CHECK(refusal().find("without elements") != std::string::npos);
  }
}
