#include "assay/kernels/quantize/reference.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/quantize/quantize_problems.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("MXFP4 by hand: two blocks, the second one partly filled") {
  std::vector<float> values(34, 0.0F);
  values[0] = 6, values[1] = -0.75F, values[2] = 2.5F, values[3] = -100;  // amax 100: 2^(6 - 2)
  values[32] = 0.3F, values[33] = -0.2F;                                  // amax 0.3: 2^(-2 - 2)
  const QuantizeProblem problem = problem_of(mxfp4(), 1, 34);
  const QuantizedMatrix matrix = quantize(problem, values).value();
  const ConstQuantizedView view = matrix.view();
  CHECK(view.scale(problem.scheme, 0, 0) == 127 + 4);
  CHECK(view.scale(problem.scheme, 0, 1) == 127 - 4);
  // 6/16 = 0.375 to 0.5; -0.75/16 to -0; 2.5/16 to 0; -100/16 = -6.25 to -6; 0.3·16 = 4.8 to 4; -0.2·16 = -3.2 to -3
  CHECK(view.code(problem.scheme, 0, 0) == 1);
  CHECK(view.code(problem.scheme, 0, 1) == 8);
  CHECK(view.code(problem.scheme, 0, 2) == 0);
  CHECK(view.code(problem.scheme, 0, 3) == 15);
  CHECK(view.code(problem.scheme, 0, 32) == 6);
  CHECK(view.code(problem.scheme, 0, 33) == 13);
  CHECK(matrix.codes[0] == 0x81);
  CHECK(matrix.codes[16] == 0xD6);
  const std::vector<double> back = dequantize(problem, matrix).value();
  CHECK(back[0] == 8);
  CHECK(back[3] == -96);
  CHECK(back[33] == -3.0 / 16);
}

TEST_CASE("extremes of blocks and of the whole matrix, blocks across rows among them") {
  const QuantizeProblem problem = problem_of(fp8_128x128(), 130, 129);
  std::vector<float> values(130 * 129, 0.5F);
  values[129 * 129 + 128] = -3;  // in the last block
  values[5] = NAN;
  auto stream = quantize_host().make_stream();
  auto extremes = matrix_extremes<float32>(quantize_host(), stream.value(), view_of(problem, values),
                                           BlockGrid::over(problem.scheme, 130, 129))
                      .value();
  CHECK(extremes.blocks.data()[0].special);
  CHECK(extremes.blocks.data()[0].amax == 0.5);
  CHECK_FALSE(extremes.blocks.data()[3].special);
  CHECK(extremes.blocks.data()[3].amax == 3);
  CHECK(extremes.all.amax == 3);
  CHECK(extremes.all.smallest == -3);
  CHECK(extremes.all.special);
}

TEST_CASE("tables in tiles are padded with zeros, whatever stood there") {
  const QuantizeProblem problem = problem_of(mxfp8_e4m3().in_order(ScaleOrder::tiles_128x4), 33, 40);
  QuantizedMatrix matrix = QuantizedMatrix::create(problem).value();
  for (std::uint32_t& word : matrix.scale_words) word = 0xFFFFFFFFu;
  const std::vector<float> values(33 * 40, 1.0F);
  auto stream = quantize_host().make_stream();
  REQUIRE(
      quantize_reference<float32>(quantize_host(), stream.value(), problem, {view_of(problem, values), matrix.view()})
          .has_value());
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(matrix.scale_words.data());
  int ones = 0, zeros = 0;
  for (int i = 0; i < 512; ++i) {
    ones += bytes[i] == 127 - 8 ? 1 : 0;
    zeros += bytes[i] == 0 ? 1 : 0;
  }
  CHECK(ones == 33 * 2);
  CHECK(ones + zeros == 512);
}

TEST_CASE("quantizing what was dequantized changes nothing") {
  for (const BlockScaling& scheme : all_block_schemes) {
    if (scheme.zero_points || scheme.tensor_scale != TensorScale::none || scheme.rule == ScaleRule::given ||
        scheme.element.kind == CodeKind::table)
      continue;  // the ends of the range need not be values
    const QuantizeProblem problem = problem_of(scheme, 9, 131);
    const QuantizedMatrix matrix = by_reference(problem, filled<float32>(problem, QuantizeFillKind::ties));
    const std::vector<double> values = dequantize(problem, matrix).value();
    std::vector<float> back;
    for (double value : values) back.push_back(static_cast<float>(value));
    const QuantizedMatrix again = quantize(problem, back).value();
    INFO(scheme.name);
    CHECK(again.codes == matrix.codes);
    CHECK(again.scale_words == matrix.scale_words);
  }
}

TEST_CASE("what a dequantizer should give: the product, exact where the scale is a power of two") {
  const QuantizeProblem problem = problem_of(nvfp4(), 1, 16);
  QuantizedMatrix matrix = QuantizedMatrix::create(problem).value();
  matrix.tensor_scale = 0.1F;
  matrix.codes[0] = 0xF7;  // 6, -6
  detail::store_scale(matrix.scale_words.data(), 8, 0, problem.scheme.scale.encode(1.25));
  DequantizeExpected expected =
      DequantizeExpected::of(problem, read_only(matrix.view()), QuantizeArithmetic::usual(problem.scheme));
  CHECK(expected(0, 1).value == -6 * 1.25 * static_cast<double>(0.1F));
  CHECK(expected(0, 1).error > 0);
  CHECK(expected(0, 1).error < 1e-6);
  matrix.tensor_scale = 0.25F;
  detail::store_scale(matrix.scale_words.data(), 8, 0, problem.scheme.scale.encode(2));
  CHECK(expected(0, 0).value == 3);
  CHECK(expected(0, 0).error == 0);
}

TEST_CASE(
    "a dequantizer may multiply the scale of the tensor with the block's or with the code first, out of range too") {
  const QuantizeProblem problem = problem_of(nvfp4(), 1, 16);
  QuantizedMatrix matrix = QuantizedMatrix::create(problem).value();
  const DequantizeExpected expected =
      DequantizeExpected::of(problem, read_only(matrix.view()), QuantizeArithmetic::usual(problem.scheme));
  matrix.codes[0] = 0x07;  // 6, 0
  for (const float whole : {0x1.8p-148F, 0x1p-147F, 0x1.4p-130F}) {
    matrix.tensor_scale = whole;
    for (const float own : {0x1p-9F, 0.1015625F, 0.203125F, 22.0F, 448.0F}) {
      detail::store_scale(matrix.scale_words.data(), 8, 0, problem.scheme.scale.encode(static_cast<double>(own)));
      const ExpectedElement element = expected(0, 0);
      for (const float result : {6 * (own * whole), 6 * own * whole, 6 * whole * own}) {
        INFO(own << " times " << whole << ": " << result << " for " << element.value);
        CHECK(std::fabs(static_cast<double>(result) - element.value) <= element.error + min_subnormal<float32>() / 2);
      }
    }
  }
  matrix.tensor_scale = 0x1p120F;
  CHECK(std::isinf(expected(0, 1).error));  // 0·(448·2^120)
}
