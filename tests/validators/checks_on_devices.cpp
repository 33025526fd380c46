#include "assay/backends/emulated_device.hpp"
#include "assay/formats/block_schemes.hpp"
#include "assay/validators/check_dequantize.hpp"
#include "assay/validators/check_gemm.hpp"
#include "assay/validators/check_quantize.hpp"
#include "testing/catch.hpp"
#include "testing/failing_calls.hpp"

using namespace assay;

namespace {

constexpr CaseContext thrice{3, 3};

void require_pass(const Outcome& outcome) {
  INFO(outcome.reason);
  CHECK(outcome.verdict == Verdict::pass);
}

}  // namespace

TEST_CASE(
    "matrix products on a device, whose memory the host may not touch and whose work comes late, are checked there") {
  using Op = Gemm<bfloat16, bfloat16, float32, float32>;
  EmulatedDevice device;
  GemmProblem problem;
  problem.m = 9;
  problem.n = 17;
  problem.k = 70;
  for (const double beta : {0.0, 0.5}) {
    problem.beta = beta;
    require_pass(check_gemm<Op>(device, portable_gemm_subject<Op>(device), problem, FillKind::normal, {}, thrice));
  }
  GemmSubject<Op> idle = portable_gemm_subject<Op>(device);
  idle.run = [](const auto&, const auto&) -> Result<void> { return {}; };
  CHECK(check_gemm<Op>(device, idle, problem, FillKind::normal, {}, thrice).verdict == Verdict::fail);
}

TEST_CASE("quantizing and dequantizing on a device, whose work comes late, are checked there") {
  EmulatedDevice device;
  QuantizeProblem problem;
  problem.rows = 5;
  problem.columns = 100;
  for (const BlockScaling& scheme : all_block_schemes) {
    INFO(scheme.name);
    problem.scheme = scheme;
    require_pass(check_quantize<Quantize<float32>>(device, portable_quantize_subject<float32>(device), problem,
                                                   QuantizeFillKind::normal, thrice));
    require_pass(check_dequantize<Dequantize<float32>>(device, portable_dequantize_subject<float32>(device), problem,
                                                       DequantizeFillKind::codes, thrice));
  }
}

TEST_CASE("whichever call of a device fails during a check, the outcome is an error") {
  GemmProblem problem;
  problem.m = 9;
  problem.n = 17;
  problem.k = 70;
  problem.beta = 0.5;
  using Op = Gemm<bfloat16, bfloat16, float32, float32>;
  testing::require_error_whichever_call_fails([&](EmulatedDevice& device) {
    return check_gemm<Op>(device, portable_gemm_subject<Op>(device), problem, FillKind::normal, {}, {3, 2});
  });
  QuantizeProblem quantized;
  quantized.rows = 5;
  quantized.columns = 100;
  for (const BlockScaling& scheme : all_block_schemes) {
    if (std::string(scheme.name) != "nvfp4_given") continue;
    quantized.scheme = scheme;
    testing::require_error_whichever_call_fails([&](EmulatedDevice& device) {
      return check_quantize<Quantize<float32>>(device, portable_quantize_subject<float32>(device), quantized,
                                               QuantizeFillKind::normal, {3, 2});
    });
    testing::require_error_whichever_call_fails([&](EmulatedDevice& device) {
      return check_dequantize<Dequantize<float32>>(device, portable_dequantize_subject<float32>(device), quantized,
                                                   DequantizeFillKind::codes, {3, 2});
    });
  }
}

TEST_CASE("no matrix of a product travels between the host and a device, right or wrong, only what is found of it") {
  using Op = Gemm<bfloat16, bfloat16, float32, float32>;
  const auto bytes_of = [](Index n, bool right) {
    EmulatedDevice device;
    GemmProblem problem;
    problem.m = problem.n = n;
    problem.k = 8;
    auto subject = portable_gemm_subject<Op>(device);
    if (!right) subject.run = [](const auto&, const auto&) -> Result<void> { return {}; };
    const Outcome outcome = check_gemm<Op>(device, subject, problem, FillKind::normal, {}, {3, 1});
    CHECK(outcome.verdict == (right ? Verdict::pass : Verdict::fail));
    CHECK(device.misuses().empty());
    return device.transfers().bytes_to_device + device.transfers().bytes_to_host;
  };
  for (const bool right : {true, false}) {
    CHECK(bytes_of(1024, right) < 1024 * 1024 * sizeof(float) / 8);
    CHECK(bytes_of(1024, right) < bytes_of(512, right) * 3 / 2 + 4096);
  }
}
