#include "assay/kernels/quantize/fill.hpp"

#include <cmath>
#include <set>
#include <string>

#include "kernels/quantize/quantize_problems.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("ties lie in the middle between two codes, of scales that are powers of two") {
  for (const BlockScaling& scheme : all_block_schemes) {
    if (!fits(QuantizeFillKind::ties, scheme) || scheme.rule == ScaleRule::given ||
        scheme.tensor_scale == TensorScale::given)
      continue;
    const QuantizeProblem problem = problem_of(scheme, 16, 256);
    const auto values = filled<bfloat16>(problem, QuantizeFillKind::ties);
    const QuantizedMatrix matrix = by_reference(problem, values);
    const BlockGrid grid = BlockGrid::over(scheme, 16, 256);
    int ties = 0, elements = 0;
    bool powers = true;
    for (Index row = 0; row < 16; ++row)
      for (Index column = 0; column < 256; ++column) {
        const Index block_row = row / grid.block_rows, block_column = column / grid.block_columns;
        const double scale = scheme.scale.decode(matrix.view().scale(scheme, block_row, block_column)) *
                             matrix.view().whole_scale(scheme);
        const double value = decode(values[static_cast<std::size_t>(row * 256 + column)]);
        if (value == 0) continue;
        if (block_row + block_column > 0) powers = powers && detail::is_power_of_two_or_zero(scale);
        const int zero = matrix.view().zero_point(scheme, block_row, block_column);
        const double scaled = value / scale;
        const double below = scheme.element.decode(scheme.element.encode(scaled * 0.99999, zero), zero),
                     above = scheme.element.decode(scheme.element.encode(scaled * 1.00001, zero), zero);
        ties += below != above && below + above == 2 * scaled ? 1 : 0;
        ++elements;
      }
    INFO(scheme.name);
    CHECK(powers);
    CHECK(ties > elements * 8 / 10);
  }
}

TEST_CASE("every pattern but the special one has blocks of zeros, and magnitudes of blocks differ") {
  const QuantizeProblem problem = problem_of(mxfp8_e4m3(), 64, 320);
  for (QuantizeFillKind kind : all_quantize_fills) {
    const auto values = filled<float32>(problem, kind);
    const QuantizedMatrix matrix = by_reference(problem, values);
    std::set<std::uint32_t> scales;
    for (Index row = 0; row < 64; ++row)
      for (Index column = 0; column < 10; ++column) scales.insert(matrix.view().scale(problem.scheme, row, column));
    int zeros = 0, specials = 0;
    for (std::size_t block = 0; block < 640; ++block) {
      bool all = true;
      for (std::size_t i = 0; i < 32; ++i) all = all && values[block * 32 + i] == 0;
      zeros += all ? 1 : 0;
    }
    for (float value : values) specials += is_finite(value) ? 0 : 1;
    INFO(name_of(kind));
    CHECK((zeros > 20) == (kind != QuantizeFillKind::special));
    CHECK((specials > 50) == (kind == QuantizeFillKind::special));
    CHECK(scales.size() > (kind == QuantizeFillKind::subnormal ? 0 : 5));
  }
}

TEST_CASE("small values lie below one, outliers above the others, amax about powers of two") {
  const QuantizeProblem problem = problem_of(mxfp4(), 32, 320);
  for (float value : filled<float32>(problem, QuantizeFillKind::small)) CHECK(std::fabs(value) < 0.25F);
  const auto outliers = filled<float32>(problem, QuantizeFillKind::outlier);
  const auto powers = filled<float32>(problem, QuantizeFillKind::power_of_two);
  int single = 0, exact = 0, below = 0, above = 0;
  for (std::size_t block = 0; block < 320; ++block) {
    float amax = 0, second = 0, power = 0;
    for (std::size_t i = 0; i < 32; ++i) {
      const float magnitude = std::fabs(outliers[block * 32 + i]);
      if (magnitude > amax)
        second = amax, amax = magnitude;
      else if (magnitude > second)
        second = magnitude;
      power = std::fmax(power, std::fabs(powers[block * 32 + i]));
    }
    single += amax > 20 * second && amax > 0 ? 1 : 0;
    if (power == 0) continue;
    const double nearest = power_of_two(exponent_of(static_cast<double>(power) * 1.2));
    exact += power == nearest ? 1 : 0;
    below += power == std::nextafter(static_cast<float>(nearest), 0.0F) ? 1 : 0;
    above += power == std::nextafter(static_cast<float>(nearest), INFINITY) ? 1 : 0;
  }
  CHECK(single > 200);
  CHECK(exact > 30);
  CHECK(below > 20);
  CHECK(above > 20);
}

TEST_CASE("patterns have names of their own, and fit the schemes that they make sense for") {
  std::set<std::string> names;
  for (QuantizeFillKind kind : all_quantize_fills) CHECK(names.insert(std::string(name_of(kind))).second);
  CHECK_FALSE(fits(QuantizeFillKind::special, int8_tensor()));
  CHECK_FALSE(fits(QuantizeFillKind::special, nvfp4()));
  CHECK(fits(QuantizeFillKind::special, nvfp4_given()));
  CHECK_FALSE(fits(QuantizeFillKind::subnormal, fp8_1x128()));
  CHECK_FALSE(fits(QuantizeFillKind::ties, nf4_blocks()));
}
