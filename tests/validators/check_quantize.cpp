#include "assay/validators/check_quantize.hpp"

#include <string>

#include "testing/catch.hpp"
#include "validators/quantize_checks.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

QuantizeSubject<Quantize<float32>> right() {
  return emulated_quantize_subject<float32>(QuantizeVariant::divide);
}

}  // namespace

TEST_CASE("an outcome tells counts, the derivation and times") {
  const Outcome outcome = quantize_outcome(right(), quantize_problem(nvfp4(), 33, 100), QuantizeFillKind::normal);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.measurement("elements") == 3300);
  CHECK(outcome.measurement("scales") == 33 * 7);
  CHECK(outcome.measurement("violations") == 0);
  CHECK(outcome.measurement("kernel_seconds").has_value());
  CHECK(outcome.derivation.size() >= 4);
}

TEST_CASE("a problem that makes no sense is an error with its reason") {
  QuantizeProblem problem = quantize_problem(mxfp4(), 4, 64);
  problem.scheme.block_columns = 31;
  const Outcome outcome = quantize_outcome(right(), problem, QuantizeFillKind::normal);
  CHECK(outcome.verdict == Verdict::error);
  CHECK_THAT(outcome.reason, contains("ends within a byte"));
}

TEST_CASE("empty problems pass without a subject's help, and gaps of an empty table stay empty") {
  for (const BlockScaling& scheme : all_block_schemes) {
    INFO(scheme.name);
    CHECK(quantize_outcome(right(), quantize_problem(scheme, 0, 8), QuantizeFillKind::normal).verdict == Verdict::pass);
    CHECK(quantize_outcome(right(), quantize_problem(scheme, 8, 0), QuantizeFillKind::normal).verdict == Verdict::pass);
  }
}

TEST_CASE("a kernel that writes nothing is told so, in every array") {
  QuantizeSubject<Quantize<float32>> idle = right();
  idle.run = [](const QuantizeProblem&, const QuantizeArguments<float32>&) -> Result<void> { return {}; };
  const Outcome outcome = quantize_outcome(idle, quantize_problem(nvfp4(), 4, 64), QuantizeFillKind::normal);
  CHECK(outcome.verdict == Verdict::fail);
  for (const char* part :
       {"128 bytes of the codes were never written", "16 bytes of the table of scales were never written",
        "4 bytes of the scale of the tensor were never written"})
    CHECK_THAT(all_said(outcome), contains(part));
}

TEST_CASE("a kernel that is wrong in its second run fails, and the run is told") {
  QuantizeSubject<Quantize<float32>> once = right();
  auto runs = std::make_shared<int>(0);
  once.run = [runs, inner = right().run](const QuantizeProblem& problem,
                                         const QuantizeArguments<float32>& arguments) -> Result<void> {
    if (auto done = inner(problem, arguments); !done) return done;
    if (++*runs == 3) arguments.quantized.codes[3] ^= 0x22;
    return {};
  };
  const Outcome outcome = quantize_outcome(once, quantize_problem(mxfp4(), 4, 64), QuantizeFillKind::normal, 1, 5);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK_THAT(outcome.reason, contains("run 3 of 5, after a right one: 2 of 256 codes"));
}

TEST_CASE("scales beside their table's columns, and behind its end, are found") {
  QuantizeProblem problem = quantize_problem(mxfp8_e4m3(), 5, 96);
  problem.scale_row_stride = 1;
  problem.scale_column_stride = 8;
  CHECK(quantize_outcome(right(), problem, QuantizeFillKind::normal).verdict == Verdict::pass);
  QuantizeSubject<Quantize<float32>> spilling = right();
  spilling.run = [inner = right().run](const QuantizeProblem& given,
                                       const QuantizeArguments<float32>& arguments) -> Result<void> {
    static_cast<std::uint8_t*>(arguments.quantized.scales)[6] = 0;
    static_cast<std::uint8_t*>(arguments.quantized.scales)[21] = 0;
    return inner(given, arguments);
  };
  const Outcome outcome = quantize_outcome(spilling, problem, QuantizeFillKind::normal);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK_THAT(all_said(outcome),
             contains("1 bytes in gaps of the table of scales were overwritten: strides of the scales are ignored"));
  CHECK_THAT(all_said(outcome), contains("canary of the table of scales overwritten: 0 bytes before, 1 behind it"));
}

TEST_CASE("given scales are inputs: codes are judged by them, and they stay as they were") {
  for (const BlockScaling& scheme : {fp8_tensor_given(), nvfp4_given()}) {
    const QuantizeProblem problem = quantize_problem(scheme, 9, 100);
    CHECK(quantize_outcome(right(), problem, QuantizeFillKind::normal).verdict == Verdict::pass);
    QuantizeSubject<Quantize<float32>> changing = right();
    changing.run = [inner = right().run](const QuantizeProblem& given,
                                         const QuantizeArguments<float32>& arguments) -> Result<void> {
      auto done = inner(given, arguments);
      if (given.scheme.rule == ScaleRule::given)
        static_cast<float*>(arguments.quantized.scales)[0] = 1;
      else
        *arguments.quantized.tensor_scale = 1;
      return done;
    };
    const Outcome outcome = quantize_outcome(changing, problem, QuantizeFillKind::normal);
    INFO(all_said(outcome));
    CHECK(outcome.verdict == Verdict::fail);
    CHECK_THAT(all_said(outcome), contains("an input was modified"));
  }
}
