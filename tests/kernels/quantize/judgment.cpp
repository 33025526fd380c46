#include "assay/kernels/quantize/judgment.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "kernels/quantize/quantize_problems.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// What is found after one change of what the reference made.
QuantizeJudgment after(const QuantizeProblem& problem, QuantizeFillKind fill,
                       const std::function<void(QuantizedMatrix&)>& change) {
  const auto values = filled<float32>(problem, fill);
  QuantizedMatrix matrix = by_reference(problem, values);
  change(matrix);
  return judged(problem, values, matrix);
}

}  // namespace

TEST_CASE("the definition is right, and never beside a tie") {
  for (const BlockScaling& scheme : all_block_schemes)
    for (QuantizeFillKind fill : all_quantize_fills) {
      if (scheme.rule == ScaleRule::given || scheme.tensor_scale == TensorScale::given || !fits(fill, scheme)) continue;
      const QuantizeJudgment judgment = after(problem_of(scheme, 35, 140), fill, [](QuantizedMatrix&) {});
      INFO(scheme.name << ' ' << name_of(fill) << ": " << said(judgment));
      CHECK(judgment.violations() == 0);
      CHECK(judgment.neighbors == 0);
      CHECK(judgment.elements == 35 * 140);
    }
}

TEST_CASE("one changed code is found, with its place, wherever it is") {
  for (const BlockScaling& scheme : all_block_schemes) {
    if (scheme.rule == ScaleRule::given || scheme.tensor_scale == TensorScale::given) continue;
    const QuantizeProblem problem = problem_of(scheme, 35, 140);
    for (const auto& [row, column] : {std::pair<Index, Index>{0, 0}, {34, 139}, {17, 64}, {3, 33}}) {
      // two codes away: a neighbor may be as right
      const QuantizeJudgment judgment =
          after(problem, QuantizeFillKind::normal, [&, row = row, column = column](QuantizedMatrix& matrix) {
            std::uint8_t* const codes = matrix.codes.data() + row * matrix.layout.code_row_bytes;
            const std::uint32_t code = read_code(codes, scheme.packing, scheme.element.bits, column);
            write_code(codes, scheme.packing, scheme.element.bits, column, code ^ 2);
          });
      INFO(scheme.name << " (" << row << ", " << column << ")");
      if (decode(filled<float32>(problem, QuantizeFillKind::normal)[static_cast<std::size_t>(row * 140 + column)]) ==
              0 &&
          judgment.violations() == 0)
        continue;  // any scale and code of zeros
      REQUIRE(judgment.wrong_codes == 1);
      CHECK(judgment.violations() == 1);
      CHECK(judgment.first[0].kind == QuantizeMismatchKind::code);
      CHECK(judgment.first[0].row == row);
      CHECK(judgment.first[0].column == column);
    }
  }
}

TEST_CASE("one doubled scale is found and told, and its codes follow from the right one") {
  for (const BlockScaling& scheme : {mxfp8_e4m3(), mxfp4(), nvfp4(), fp8_128x128(), int8_channel(), nf4_blocks()}) {
    const QuantizeProblem problem = problem_of(scheme, 130, 260);
    const QuantizeJudgment judgment = after(problem, QuantizeFillKind::normal, [&](QuantizedMatrix& matrix) {
      const Index place = 1;
      const double scale = scheme.scale.decode(detail::load_scale(matrix.scale_words.data(), scheme.scale.bits, place));
      detail::store_scale(matrix.scale_words.data(), scheme.scale.bits, place, scheme.scale.encode(scale * 2));
    });
    INFO(scheme.name << ": " << said(judgment));
    CHECK(judgment.wrong_scales == 1);
    CHECK(judgment.scales_doubled == 1);
    CHECK(judgment.codes_of_right_scales > 5);
    CHECK(judgment.wrong_codes == 0);
    CHECK(judgment.first[0].kind == QuantizeMismatchKind::scale);
  }
}

TEST_CASE("scale of the tensor, zero points and padding are judged") {
  const QuantizeProblem micro = problem_of(nvfp4().in_order(ScaleOrder::tiles_128x4), 35, 140),
                        affine = problem_of(uint4_group128(), 35, 140);
  QuantizeJudgment judgment =
      after(micro, QuantizeFillKind::normal, [](QuantizedMatrix& matrix) { matrix.tensor_scale *= 1.0001F; });
  CHECK(judgment.wrong_tensor_scales == 1);
  judgment = after(micro, QuantizeFillKind::normal, [](QuantizedMatrix& matrix) { matrix.tensor_scale = NAN; });
  CHECK(judgment.wrong_tensor_scales == 1);
  judgment = after(affine, QuantizeFillKind::normal, [](QuantizedMatrix& matrix) { matrix.zero_points[2] ^= 1; });
  CHECK(judgment.wrong_zero_points == 1);
  judgment = after(micro, QuantizeFillKind::normal, [](QuantizedMatrix& matrix) {
    reinterpret_cast<std::uint8_t*>(matrix.scale_words.data())[500] = 0x38;
  });
  CHECK(judgment.wrong_padding == 1);
  CHECK(judgment.violations() == 1);
  CHECK(judgment.first[0].actual == 1);
}

TEST_CASE("stray bits beside a code in its byte are wrong") {
  const QuantizeProblem problem = problem_of(mxfp6_e2m3(), 3, 40);
  CHECK(after(problem, QuantizeFillKind::normal, [](QuantizedMatrix& matrix) {
          matrix.codes[50] |= 0x40;
        }).wrong_codes == 1);
}

TEST_CASE("blocks of zeros may have any scale, if the scheme does not fix it, and decode to zeros") {
  QuantizeProblem problem = problem_of(mxfp8_e4m3(), 1, 32);
  const std::vector<float> zeros(32, 0.0F);
  QuantizedMatrix matrix = by_reference(problem, zeros);
  for (std::uint32_t code : {0u, 127u, 254u}) {
    detail::store_scale(matrix.scale_words.data(), 8, 0, code);
    CHECK(judged(problem, zeros, matrix).violations() == 0);
  }
  detail::store_scale(matrix.scale_words.data(), 8, 0, 255);
  CHECK(judged(problem, zeros, matrix).wrong_scales == 1);
  detail::store_scale(matrix.scale_words.data(), 8, 0, 127);
  problem.scheme.zero_block = ZeroBlockScale::smallest;
  CHECK(judged(problem, zeros, matrix).wrong_scales == 1);
  matrix = by_reference(problem, zeros);
  matrix.codes[7] = 1;
  CHECK(judged(problem, zeros, matrix).wrong_codes == 1);
  const QuantizeProblem affine = problem_of(uint8_tensor(), 1, 32);
  QuantizedMatrix ranged = by_reference(affine, zeros);
  for (std::uint8_t& code : ranged.codes) code = 77;
  ranged.zero_points[0] = 77;
  CHECK(judged(affine, zeros, ranged).violations() == 0);
  ranged.zero_points[0] = 78;
  CHECK(judged(affine, zeros, ranged).wrong_codes == 32);
}

TEST_CASE("of a scale that underflows to zero any finite code is right") {
  const QuantizeProblem problem = problem_of(nvfp4_given(), 1, 16);
  const std::vector<float32> values(16, encode<float32>(1e-20));
  QuantizedMatrix matrix = by_reference(problem, values);
  for (const unsigned codes : {0x00U, 0x77U, 0xf7U, 0x08U}) {  // 0, what 1e-20/0 saturates to, with the other sign, −0
    for (std::uint8_t& byte : matrix.codes) byte = static_cast<std::uint8_t>(codes);
    CHECK(judged(problem, values, matrix).violations() == 0);
  }
  QuantizeProblem given = problem_of(fp8_tensor_given(), 1, 16);
  given.scheme.specials = SpecialValueRule::per_element;
  std::vector<float32> numbers(16, encode<float32>(1));
  numbers[3] = encode<float32>(std::numeric_limits<double>::quiet_NaN());
  QuantizedMatrix zero = by_reference(given, numbers);
  detail::store_scale(zero.scale_words.data(), 32, 0, 0);
  for (std::uint8_t& byte : zero.codes) byte = 0x7e;
  CHECK(judged(given, numbers, zero).wrong_codes == 1);
  zero.codes[3] = 0x7f;  // NaN stays NaN
  CHECK(judged(given, numbers, zero).violations() == 0);
}

TEST_CASE("specials: a marked block, a scheme by element, and one that says nothing") {
  QuantizeProblem problem = problem_of(mxfp8_e4m3(), 1, 64);
  std::vector<float> values(64, 2.0F);
  values[3] = NAN;
  values[4] = -INFINITY;
  QuantizedMatrix matrix = by_reference(problem, values);
  for (std::size_t i = 0; i < 32; ++i) matrix.codes[i] = static_cast<std::uint8_t>(i);  // mean nothing
  CHECK(judged(problem, values, matrix).violations() == 0);
  detail::store_scale(matrix.scale_words.data(), 8, 0, 127);
  CHECK(judged(problem, values, matrix).wrong_scales == 1);
  problem.scheme.specials = SpecialValueRule::per_element;
  matrix = by_reference(problem, values);
  CHECK(judged(problem, values, matrix).violations() == 0);
  CHECK(matrix.codes[3] == 0x7F);
  CHECK(matrix.codes[4] == 0xFE);
  matrix.codes[3] = 0;
  matrix.codes[4] = 0x7E;
  CHECK(judged(problem, values, matrix).wrong_codes == 2);
  problem.scheme.specials = SpecialValueRule::undefined;
  CHECK(judged(problem, values, matrix).undefined == 32);
  CHECK(judged(problem, values, matrix).violations() == 0);
}

TEST_CASE("the sign of zero matters where the scheme says so") {
  QuantizeProblem problem = problem_of(mxfp4(), 1, 32);
  std::vector<float> values(32, 4.0F);
  values[1] = -0.01F;
  QuantizedMatrix matrix = by_reference(problem, values);
  CHECK(matrix.codes[0] == 0x86);
  matrix.codes[0] = 0x06;
  const QuantizeJudgment strict = judged(problem, values, matrix);
  CHECK(strict.wrong_codes == 1);
  CHECK(strict.codes_sign_of_zero == 1);
  problem.scheme.keeps_negative_zero = false;
  CHECK(judged(problem, values, matrix).violations() == 0);
}

TEST_CASE("of a given scale that is no number nothing is known") {
  const QuantizeProblem problem = problem_of(fp8_tensor_given(), 1, 2);
  const std::vector<float32> values{1, 2};
  for (const float scale : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    QuantizedMatrix matrix = QuantizedMatrix::create(problem).value();
    detail::store_scale(matrix.scale_words.data(), 32, 0, __builtin_bit_cast(std::uint32_t, scale));
    const QuantizeJudgment judgment = judged(problem, values, matrix);
    CHECK(judgment.violations() == 0);
    CHECK(judgment.undefined == 2);
  }
  QuantizedMatrix matrix = QuantizedMatrix::create(problem).value();
  detail::store_scale(matrix.scale_words.data(), 32, 0, __builtin_bit_cast(std::uint32_t, 1.0F));
  CHECK(judged(problem, values, matrix).wrong_codes == 2);
}
