#include "assay/kernels/quantize/portable.hpp"

#include <string>
#include <type_traits>
#include <vector>

#include "kernels/quantize/quantize_problems.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

template <Format Input>
void check_all(const BlockScaling& named) {
  for (QuantizeFillKind fill : all_quantize_fills) {
    BlockScaling scheme = named;
    if (scheme.rule == ScaleRule::given || scheme.tensor_scale == TensorScale::given || !fits(fill, scheme)) continue;
    for (const auto& [rows, columns] : {std::pair<Index, Index>{1, 1}, {5, 97}, {35, 24}, {130, 260}}) {
      if (rows == 130 && (fill != QuantizeFillKind::normal || !std::is_same_v<Input, float32>)) continue;
      const QuantizeProblem problem = problem_of(scheme, rows, columns);
      const std::vector<Input> values = filled<Input>(problem, fill);
      const QuantizeJudgment judgment = judged(problem, values, by_portable_kernel(problem, values));
      INFO(FormatTraits<Input>::name() << ' ' << scheme.name << ' ' << name_of(fill) << ' ' << rows << 'x' << columns
                                       << ": " << said(judgment));
      CHECK(judgment.violations() == 0);
      CHECK(judgment.elements == static_cast<std::uint64_t>(rows * columns));
      CHECK(judgment.undefined == 0);
      CHECK(judgment.neighbors * 50 <= judgment.elements + 50);  // beside a tie is where few are
    }
  }
}

}  // namespace

TEST_CASE("the portable quantizer is right for every scheme, pattern and input") {
  for (const BlockScaling& scheme : all_block_schemes) {
    check_all<float32>(scheme);
    check_all<bfloat16>(scheme);
    check_all<float16>(scheme);
  }
}

TEST_CASE("the portable quantizer keeps strides and tiles") {
  for (const BlockScaling& scheme :
       {mxfp4().in_order(ScaleOrder::tiles_128x4), nvfp4().in_order(ScaleOrder::tiles_128x4)}) {
    const QuantizeProblem problem = problem_of(scheme, 130, 200);
    const auto values = filled<float32>(problem, QuantizeFillKind::normal);
    const QuantizeJudgment judgment = judged(problem, values, by_portable_kernel(problem, values));
    INFO(said(judgment));
    CHECK(judgment.violations() == 0);
  }
  QuantizeProblem problem = problem_of(uint4_group128(), 13, 300);
  problem.leading_dimension = 310;
  problem.code_row_bytes = 160;
  problem.scale_row_stride = 1;
  problem.scale_column_stride = 16;
  const auto values = filled<float32>(problem, QuantizeFillKind::normal);
  CHECK(judged(problem, values, by_portable_kernel(problem, values)).violations() == 0);
}

TEST_CASE("the portable dequantizer gives products of codes and scales") {
  for (const BlockScaling& scheme : all_block_schemes) {
    if (scheme.rule == ScaleRule::given || scheme.tensor_scale == TensorScale::given) continue;
    const QuantizeProblem problem = problem_of(scheme, 9, 150);
    const QuantizedMatrix matrix = by_reference(problem, filled<float32>(problem, QuantizeFillKind::normal));
    std::vector<float> values(9 * 150, -1.0F);
    auto stream = quantize_host().make_stream();
    REQUIRE(portable_dequantize<float32>(quantize_host(), stream.value(), problem,
                                         {matrix.view(), {values.data(), {9, 150}, {150, 1}}})
                .has_value());
    const std::vector<double> expected = dequantize(problem, matrix).value();
    double worst = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double error = detail::absolute(static_cast<double>(values[i]) - expected[i]);
      if (expected[i] != 0)
        worst = error / detail::absolute(expected[i]) > worst ? error / detail::absolute(expected[i]) : worst;
      else
        CHECK(error == 0);
    }
    INFO(scheme.name);
    CHECK(worst <= (scheme.scale.holds_only_powers_of_two() ? 0 : 3 * 0x1p-24));
  }
}
