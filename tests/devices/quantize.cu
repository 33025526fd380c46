// Quantizing and dequantizing, checked on a device.
#include "assay/formats/block_schemes.hpp"
#include "assay/validators/check_dequantize.hpp"
#include "assay/validators/check_quantize.hpp"
#include "devices/device_under_test.hpp"

using namespace assay;
using testing::device_under_test;

namespace {

void require_pass(const Outcome& outcome) {
  INFO(outcome.reason);
  CHECK(outcome.verdict == Verdict::pass);
}

QuantizeProblem problem_of(const BlockScaling& scheme) {
  QuantizeProblem problem;
  problem.rows = 5;
  problem.columns = 1000;
  problem.scheme = scheme;
  return problem;
}

}  // namespace

TEST_CASE("quantize is checked on a device", "[quantize]") {
  auto& device = device_under_test();
  const auto right = portable_quantize_subject<float32>(device);
  auto idle = right;
  idle.run = [](const auto&, const auto&) -> Result<void> { return {}; };
  for (const BlockScaling& scheme : all_block_schemes) {
    INFO(scheme.name);
    require_pass(check_quantize<Quantize<float32>>(device, right, problem_of(scheme), QuantizeFillKind::normal, {1}));
    CHECK(check_quantize<Quantize<float32>>(device, idle, problem_of(scheme), QuantizeFillKind::normal, {1}).verdict ==
          Verdict::fail);
  }
}

TEST_CASE("dequantize is checked on a device", "[quantize]") {
  auto& device = device_under_test();
  const auto right = portable_dequantize_subject<float32>(device);
  auto idle = right;
  idle.run = [](const auto&, const auto&) -> Result<void> { return {}; };
  for (const BlockScaling& scheme : all_block_schemes) {
    INFO(scheme.name);
    require_pass(
        check_dequantize<Dequantize<float32>>(device, right, problem_of(scheme), DequantizeFillKind::codes, {1}));
    CHECK(check_dequantize<Dequantize<float32>>(device, idle, problem_of(scheme), DequantizeFillKind::codes, {1})
              .verdict == Verdict::fail);
  }
}
