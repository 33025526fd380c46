#include "assay/kernels/quantize/quantized_matrix.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "kernels/quantize/quantize_problems.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

void malformed(const QuantizeProblem& problem, const QuantizedMatrix& matrix, const std::string& says) {
  const auto values = dequantize(problem, matrix);
  REQUIRE_FALSE(values.has_value());
  CHECK(values.error().kind == ErrorKind::malformed);
  CHECK_THAT(values.error().message, contains(says));
}

QuantizedMatrix with_scale(const QuantizeProblem& problem, double scale) {
  QuantizedMatrix matrix =
      quantize(problem, std::vector<float>(static_cast<std::size_t>(problem.rows * problem.columns), 1.0F)).value();
  const std::uint32_t code = std::isnan(scale) ? problem.scheme.scale.nan_code() : problem.scheme.scale.encode(scale);
  detail::store_scale(matrix.scale_words.data(), problem.scheme.scale.bits, 1, code);
  return matrix;
}

}  // namespace

TEST_CASE("memory of the wrong extent is refused, never read beyond") {
  const QuantizeProblem problem = problem_of(mxfp4().in_order(ScaleOrder::tiles_128x4), 4, 64);
  const QuantizedMatrix whole = quantize(problem, std::vector<float>(256, 1.0F)).value();
  QuantizedMatrix matrix = whole;
  matrix.scale_words.resize(2);  // a table of 4×2 scales without padding
  malformed(problem, matrix,
            "scales have 8 bytes; mxfp4 of 4×64 elements, a table of 4×2 scales in tiles of 128×4, needs 512");
  matrix = whole;
  matrix.codes.resize(127);
  malformed(problem, matrix, "codes have 127 bytes");
  const QuantizeProblem affine = problem_of(uint8_tensor(), 4, 64);
  QuantizedMatrix without = quantize(affine, std::vector<float>(256, 1.0F)).value();
  without.zero_points.clear();
  malformed(affine, without, "zero points have 0 bytes");
}

TEST_CASE("scales that are zero, negative or NaN are refused with their place") {
  const QuantizeProblem blocks = problem_of(fp8_1x128(), 2, 128), micro = problem_of(nvfp4(), 2, 16),
                        exponents = problem_of(mxfp8_e4m3(), 2, 32);
  malformed(blocks, with_scale(blocks, 0), "the scale of block (1, 0) is 0; scales are finite numbers above 0");
  malformed(blocks, with_scale(blocks, -2), "is -2");
  malformed(blocks, with_scale(blocks, NAN), "is nan");
  malformed(micro, with_scale(micro, -1), "is -1");
  CHECK(dequantize(micro, with_scale(micro, 0)).has_value());                        // what e4m3 makes of a small scale
  CHECK(std::isnan(dequantize(exponents, with_scale(exponents, NAN)).value()[40]));  // by the specification
  QuantizedMatrix matrix = with_scale(micro, 1);
  for (float scale : {0.0F, -1.0F, NAN, std::numeric_limits<float>::infinity()}) {
    matrix.tensor_scale = scale;
    malformed(micro, matrix, "the scale of the tensor is");
  }
}

TEST_CASE("given scales are used, and refused where they cannot be") {
  QuantizeProblem problem = problem_of(int8_channel(), 2, 8);
  problem.scheme.rule = ScaleRule::given;
  QuantizedMatrix given = QuantizedMatrix::create(problem).value();
  detail::store_scale(given.scale_words.data(), 32, 0, code_format<float32>().encode(0.5));
  detail::store_scale(given.scale_words.data(), 32, 1, code_format<float32>().encode(2));
  const QuantizedMatrix matrix = quantize(problem, std::vector<float>(16, 7.0F), &given).value();
  CHECK(matrix.codes[0] == 14);
  CHECK(matrix.codes[8] == 4);  // 3.5, to even
  detail::store_scale(given.scale_words.data(), 32, 1, 0);
  const auto refused = quantize(problem, std::vector<float>(16, 7.0F), &given);
  REQUIRE_FALSE(refused.has_value());
  CHECK_THAT(refused.error().message, contains("block (1, 0) is 0"));
  CHECK_THROWS_WITH(quantize(problem, std::vector<float>(16, 7.0F)), contains("give them"));
  CHECK_THROWS_WITH(quantize(problem, std::vector<float>(15, 7.0F), &given), contains("15 values"));
  QuantizeProblem micro = problem_of(nvfp4(), 1, 16);
  micro.scheme.tensor_scale = TensorScale::given;
  QuantizedMatrix calibrated = QuantizedMatrix::create(micro).value();
  calibrated.tensor_scale = 0.5F;
  CHECK(micro.scheme.scale.decode(
            quantize(micro, std::vector<float>(16, 6.0F), &calibrated).value().view().scale(micro.scheme, 0, 0)) == 2);
  calibrated.tensor_scale = -1;
  CHECK_FALSE(quantize(micro, std::vector<float>(16, 6.0F), &calibrated).has_value());
}

TEST_CASE("a problem that makes no sense makes no matrix") {
  CHECK_FALSE(QuantizedMatrix::create(problem_of(mxfp4(), -1, 3)).has_value());
  CHECK_FALSE(quantize(problem_of(mxfp4(), -1, 3), {}).has_value());
  CHECK(quantize(problem_of(mxfp4(), 0, 0), {}).value().codes.empty());
}
