#include "assay/kernels/quantize/dequantize_fill.hpp"

#include <set>

#include "kernels/quantize/quantize_problems.hpp"

using namespace assay;

TEST_CASE("every code occurs that the pattern allows, and no other") {
  for (const BlockScaling& scheme : all_block_schemes) {
    const CodeFormat& element = scheme.element;
    std::set<std::uint32_t> plain, special, possible;
    for (Index row = 0; row < 64; ++row)
      for (Index column = 0; column < 64; ++column) {
        plain.insert(DequantizeFill{DequantizeFillKind::codes, 3, scheme}.code(row, column));
        special.insert(DequantizeFill{DequantizeFillKind::special, 3, scheme}.code(row, column));
      }
    std::set<std::uint32_t> finite;
    for (std::uint32_t code = 0; code <= element.code_mask(); ++code) {
      if (element.kind == CodeKind::integer &&
          (element.integer_of(code) < element.lowest || element.integer_of(code) > element.highest))
        continue;
      possible.insert(code);
      if (is_finite(element.decode(code))) finite.insert(code);
    }
    INFO(scheme.name);
    CHECK(plain == finite);
    CHECK(special == possible);
  }
}

TEST_CASE("scales reach from end to end, are positive, and are NaN only where they may be") {
  for (const BlockScaling& scheme : all_block_schemes) {
    INFO(scheme.name);
    std::set<std::uint32_t> scales;
    bool positive = true, marked = false;
    for (Index row = 0; row < 40; ++row)
      for (Index column = 0; column < 40; ++column) {
        const std::uint32_t code = DequantizeFill{DequantizeFillKind::ranges, 5, scheme}.scale(row, column);
        scales.insert(code);
        positive = positive && scheme.scale.decode(code) >= 0;
        marked = marked ||
                 is_nan(scheme.scale.decode(DequantizeFill{DequantizeFillKind::special, 5, scheme}.scale(row, column)));
      }
    CHECK(positive);
    CHECK(marked == (scheme.specials == SpecialValueRule::poison_block));
    if (scheme.scale.holds_only_powers_of_two()) CHECK(scales.size() == 255);
  }
}

TEST_CASE("zero points of affine schemes are codes, and not what a forgotten one would be") {
  for (const BlockScaling& scheme : {uint8_tensor(), uint4_group128(), int8_channel_asymmetric()})
    for (Index row = 0; row < 50; ++row) {
      const int zero =
          scheme.element.integer_of(DequantizeFill{DequantizeFillKind::codes, 5, scheme}.zero_point(row, 0));
      CHECK(zero > scheme.element.lowest);
      CHECK(zero <= scheme.element.highest);
    }
  CHECK_FALSE(fits(DequantizeFillKind::special, int8_tensor()));
  CHECK(fits(DequantizeFillKind::special, mxfp8_e4m3()));
}
