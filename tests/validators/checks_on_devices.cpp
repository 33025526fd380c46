#include "assay/backends/emulated_device.hpp"
#include "assay/formats/block_schemes.hpp"
#include "assay/validators/check_dequantise.hpp"
#include "assay/validators/check_gemm.hpp"
#include "assay/validators/check_quantise.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

constexpr CaseContext thrice{3, 3};

void require_pass(const Outcome& outcome) {
  INFO(outcome.reason);
  CHECK(outcome.verdict == Verdict::pass);
}

}  // namespace

TEST_CASE("matrix products on a device, whose work comes late, are checked there") {
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

TEST_CASE("quantising and dequantising on a device, whose work comes late, are checked there") {
  EmulatedDevice device;
  QuantiseProblem problem;
  problem.rows = 5;
  problem.columns = 100;
  for (const BlockScaling& scheme : all_block_schemes) {
    INFO(scheme.name);
    problem.scheme = scheme;
    require_pass(check_quantise<Quantise<float32>>(device, portable_quantise_subject<float32>(device), problem, QuantiseFillKind::normal, thrice));
    require_pass(check_dequantise<Dequantise<float32>>(device, portable_dequantise_subject<float32>(device), problem, DequantiseFillKind::codes, thrice));
  }
}
