#include "assay/kernels/quantize/quantize.hpp"

#include <cstdint>
#include <string>

#include "kernels/quantize/quantize_problems.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("operations have names, and formats that tell the direction") {
  CHECK(std::string(Quantize<bfloat16>::name()) == "quantize");
  CHECK(Quantize<bfloat16>::formats(mxfp4()) == "bf16.mxfp4");
  CHECK(std::string(Dequantize<float32>::name()) == "dequantize");
  CHECK(Dequantize<float32>::formats(nvfp4()) == "nvfp4.f32");
}

TEST_CASE("scales of 8, 16 and 32 bits are read and written") {
  std::uint32_t words[2] = {0, 0};
  detail::store_scale(words, 8, 5, 0xAB);
  CHECK(detail::load_scale(words, 8, 5) == 0xAB);
  CHECK(detail::load_scale(words, 8, 4) == 0);
  std::uint16_t halves[2] = {0, 0};
  detail::store_scale(halves, 16, 1, 0xBEEF);
  CHECK(detail::load_scale(halves, 16, 1) == 0xBEEF);
  CHECK(halves[0] == 0);
  float singles[2] = {0, 0};
  detail::store_scale(singles, 32, 1, __builtin_bit_cast(std::uint32_t, 1.5F));
  CHECK(singles[1] == 1.5F);
  CHECK(detail::load_scale(singles, 32, 1) == __builtin_bit_cast(std::uint32_t, 1.5F));
}

TEST_CASE("a view finds codes, scales and zero points where the layout says") {
  QuantizeProblem problem = problem_of(uint4_group128(), 2, 256);
  problem.code_row_bytes = 200;
  QuantizedMatrix matrix = QuantizedMatrix::create(problem).value();
  matrix.codes[200 + 3] = 0x5A;
  matrix.zero_points[3] = 9;
  detail::store_scale(matrix.scale_words.data(), 32, 3, __builtin_bit_cast(std::uint32_t, 0.5F));
  const ConstQuantizedView view = read_only(matrix.view());
  CHECK(view.code(problem.scheme, 1, 6) == 0xA);
  CHECK(view.code(problem.scheme, 1, 7) == 0x5);
  CHECK(view.zero_point(problem.scheme, 1, 1) == 9);
  CHECK(problem.scheme.scale.decode(view.scale(problem.scheme, 1, 1)) == 0.5);
  CHECK(view.whole_scale(problem.scheme) == 1);
  CHECK(view.zero_point(mxfp4(), 1, 1) == 0);
}
