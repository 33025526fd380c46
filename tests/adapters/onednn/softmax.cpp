#include "assay/adapters/onednn/softmax.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("oneDNN's softmax and log-softmax in float32 are right, or refused with the reason") {
  testing::require_right(testing::suite_of(operation_subject<Softmax>(OneDnn(1)), {element_format<float32>()}), 71);
}

TEST_CASE(
    "oneDNN's gradients of softmax and log-softmax in float32 are right but where a logarithm is NaN, or refused with "
    "the reason") {
  Suite suite = testing::suite_of(operation_subject<SoftmaxBackward>(OneDnn(1)), {element_format<float32>()});
  Suite with_nan;  // of several rows, and so with one
  std::erase_if(suite, [&](const Case& entry) {
    const bool known = testing::has(entry.id, "-log/special") && !testing::has(entry.id, "/1x");
    if (known) with_nan.push_back(entry);
    return known;
  });
  testing::require_right(suite, 77);
  CHECK(with_nan.size() >= 4);
  for (const Case& entry : with_nan) {
    const Outcome outcome = entry.run({case_seed(1, entry.id)});
    INFO(entry.id << ": " << outcome.reason);
    CHECK((outcome.verdict == Verdict::pass || outcome.verdict == Verdict::unsupported ||
           (outcome.verdict == Verdict::fail && outcome.measurement(measurement::violations) == 1)));
  }
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
