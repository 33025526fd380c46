#include "assay/adapters/onednn/softmax.hpp"

#include "testing/operation_conformance.hpp"

using namespace assay;

namespace {

template <Operation Op>
void require_right(std::size_t passes) {
  const testing::SuiteResult result = testing::run_suite(testing::suite_of(operation_subject<Op>(OneDnn(1)), {element_format<float32>()}), 1);
  INFO(result.first_failure);
  CHECK(result.count(Verdict::fail) == 0);
  CHECK(result.count(Verdict::error) == 0);
  CHECK(result.count(Verdict::inconclusive) == 0);
  CHECK(result.count(Verdict::pass) > passes);
  CHECK(result.worst_ratio > 0.05);
}

}  // namespace

TEST_CASE("oneDNN's softmax and log-softmax in float32 are right, or refused with the reason") { require_right<Softmax>(70); }

TEST_CASE("oneDNN's gradients of softmax and log-softmax in float32 are right, or refused with the reason") { require_right<SoftmaxBackward>(80); }

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
