#include "assay/validators/check_dequantize.hpp"

#include <string>

#include "testing/catch.hpp"
#include "validators/quantize_checks.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("an outcome of a dequantizer tells errors, the derivation and times") {
  const Outcome outcome = dequantize_outcome(emulated_dequantize_subject<bfloat16>(QuantizeVariant::divide),
                                             quantize_problem(nvfp4(), 33, 100), DequantizeFillKind::codes);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.measurement("elements") == 3300);
  CHECK(outcome.measurement("worst_error_ratio").value() <= 1);
  CHECK(outcome.derivation.size() == 3);
}

TEST_CASE("one element beside its exact product is found where the scale is a power of two") {
  QuantizeSubject<Dequantize<float32>> subject = emulated_dequantize_subject<float32>(QuantizeVariant::divide);
  subject.run = [inner = subject.run](const QuantizeProblem& problem,
                                      const DequantizeArguments<float32>& arguments) -> Result<void> {
    auto done = inner(problem, arguments);
    float& element = arguments.matrix(3, 7);
    element = decode(next_up(element)) == 0 ? 1.0F : next_up(element);
    return done;
  };
  const Outcome outcome = dequantize_outcome(subject, quantize_problem(mxfp8_e4m3(), 5, 40), DequantizeFillKind::codes);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.measurement("violations") == 1);
}

TEST_CASE("a dequantizer that writes nothing, spills or is refused is told") {
  QuantizeSubject<Dequantize<float32>> subject = emulated_dequantize_subject<float32>(QuantizeVariant::divide);
  QuantizeSubject<Dequantize<float32>> idle = subject, spilling = subject;
  idle.run = [](const QuantizeProblem&, const DequantizeArguments<float32>&) -> Result<void> { return {}; };
  Outcome outcome = dequantize_outcome(idle, quantize_problem(mxfp4(), 4, 64), DequantizeFillKind::codes);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK_THAT(outcome.reason, contains("256 elements of the output were never written"));
  spilling.run = [inner = subject.run](const QuantizeProblem& problem,
                                       const DequantizeArguments<float32>& arguments) -> Result<void> {
    arguments.matrix.data[4 * 64] = 0;
    return inner(problem, arguments);
  };
  outcome = dequantize_outcome(spilling, quantize_problem(mxfp4(), 4, 64), DequantizeFillKind::codes);
  CHECK_THAT(outcome.reason, contains("canary of the output overwritten: 0 elements before, 1 behind it"));
  CHECK(dequantize_outcome(subject, quantize_problem(mxfp4(), -4, 64), DequantizeFillKind::codes).verdict ==
        Verdict::error);
  CHECK(dequantize_outcome(subject, quantize_problem(mxfp4(), 0, 64), DequantizeFillKind::codes).verdict ==
        Verdict::pass);
}

TEST_CASE("a dequantizer that is wrong in a later run fails") {
  QuantizeSubject<Dequantize<float32>> subject = emulated_dequantize_subject<float32>(QuantizeVariant::divide);
  auto runs = std::make_shared<int>(0);
  subject.run = [runs, inner = subject.run](const QuantizeProblem& problem,
                                            const DequantizeArguments<float32>& arguments) -> Result<void> {
    auto done = inner(problem, arguments);
    if (++*runs == 2) arguments.matrix(1, 1) = 12345;
    return done;
  };
  const Outcome outcome =
      dequantize_outcome(subject, quantize_problem(mxfp4(), 4, 64), DequantizeFillKind::codes, 1, 3);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK_THAT(outcome.reason, contains("run 2 of 3"));
}
