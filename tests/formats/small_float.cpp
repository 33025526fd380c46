#include "assay/formats/small_float.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "testing/catch.hpp"

using assay::bfloat16;
using assay::float16;
using assay::FloatLayout;
using assay::SmallFloat;
using assay::SpecialValues;

using Float8 = SmallFloat<FloatLayout{4, 3, 7, SpecialValues::finite_nan}>;
using Float4 = SmallFloat<FloatLayout{2, 1, 1, SpecialValues::none}>;
using Float19 = SmallFloat<FloatLayout{8, 10, 127, SpecialValues::ieee}>;

static_assert(sizeof(float16) == 2 && sizeof(bfloat16) == 2 && sizeof(Float8) == 1 && sizeof(Float4) == 1 &&
              sizeof(Float19) == 4);
static_assert(alignof(float16) == 2 && std::is_trivially_copyable_v<float16> &&
              std::is_trivially_default_constructible_v<float16>);
static_assert(std::is_standard_layout_v<bfloat16> && !std::is_same_v<float16, bfloat16>);
static_assert(!std::is_convertible_v<double, float16> && !std::is_convertible_v<float16, double>,
              "roundings are written down");
static_assert(!std::is_convertible_v<float16, bfloat16>);

TEST_CASE("a small float rounds once on the way in and is exact on the way out", "[formats]") {
  static_assert(static_cast<double>(float16(1.0 / 3)) == 0x1.554p-2);
  static_assert(static_cast<double>(bfloat16(1.0 / 3)) == 0x1.56p-2);
  static_assert(static_cast<double>(Float8(0.3)) == 0.3125);
  static_assert(static_cast<double>(Float4(2.6)) == 3.0);
  static_assert(static_cast<double>(Float19(1.0 + 0x1p-11)) == 1.0);
  CHECK(static_cast<double>(float16(-65504.0)) == -65504.0);
}

TEST_CASE("a small float is its code", "[formats]") {
  static_assert(float16::from_bits(0x3C00).bits == 0x3C00);
  static_assert(static_cast<double>(bfloat16::from_bits(0x4049)) == 3.140625);
  const float16 values[2] = {float16(1.0), float16(-2.0)};
  std::uint16_t codes[2] = {};
  std::memcpy(codes, values, sizeof codes);
  CHECK(codes[0] == 0x3C00);
  CHECK(codes[1] == 0xC000);
}
