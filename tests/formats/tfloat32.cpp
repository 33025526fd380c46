#include "assay/formats/tfloat32.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "assay/formats/limits.hpp"
#include "formats/rounding_oracle.hpp"
#include "testing/catch.hpp"

using assay::decode;
using assay::encode;
using assay::FormatTraits;
using assay::Rounding;
using assay::tfloat32;

static_assert(assay::FloatFormat<tfloat32> && sizeof(tfloat32) == 4 && FormatTraits<tfloat32>::bits == 19);
static_assert(std::is_trivially_default_constructible_v<tfloat32> && !std::is_convertible_v<double, tfloat32> &&
              !std::is_convertible_v<tfloat32, double>);

TEST_CASE("all codes of tf32 are the float32 of their upper bits", "[formats]") {
  int wrong = 0;
  for (std::uint32_t code = 0; code < 1u << 19; ++code) {
    const float single = __builtin_bit_cast(float, code << 13);
    const tfloat32 value = FormatTraits<tfloat32>::from_bits(code);
    wrong += value.container != code << 13 || FormatTraits<tfloat32>::to_bits(value) != code ? 1 : 0;
    if (std::isnan(single)) {
      wrong += std::isnan(decode(value)) && assay::is_nan(value) ? 0 : 1;
      continue;
    }
    wrong +=
        decode(value) != static_cast<double>(single) || std::signbit(decode(value)) != std::signbit(single) ? 1 : 0;
    wrong += encode<tfloat32>(static_cast<double>(single)).container != value.container ? 1 : 0;
  }
  CHECK(wrong == 0);
}

TEST_CASE("tf32 reads the upper 19 bits of a float32 and writes zeros below them", "[formats]") {
  static_assert(decode(tfloat32::from_container(0x3F801FFF)) == 1.0 &&
                decode(tfloat32::from_container(0x3F802000)) == 1.0 + 0x1p-10);
  static_assert(assay::is_infinite(tfloat32::from_container(0x7F800001)) &&
                assay::is_nan(tfloat32::from_container(0x7F802000)));
  assay::testing::TestNumbers numbers(19);
  int wrong = 0;
  for (int i = 0; i < 200000; ++i) {
    const auto container = static_cast<std::uint32_t>(numbers.bits() >> 32);
    const float truncated = __builtin_bit_cast(float, container & 0xFFFFE000u);
    if (!std::isnan(truncated))
      wrong += decode(tfloat32::from_container(container)) != static_cast<double>(truncated) ? 1 : 0;
  }
  CHECK(wrong == 0);
}

TEST_CASE("tf32 is rounded once, in the mode that is asked for", "[formats]") {
  constexpr assay::FloatLayout layout{8, 10, 127, assay::SpecialValues::ieee};
  const assay::testing::RoundingOracle oracle(layout);
  assay::testing::TestNumbers numbers(91);
  int wrong = 0;
  for (int i = 0; i < 20000; ++i) {
    const double value = numbers.value(-140, 130);
    for (const Rounding rounding : assay::testing::all_roundings) {
      const tfloat32 rounded = encode<tfloat32>(value, rounding);
      wrong += FormatTraits<tfloat32>::to_bits(rounded) != oracle.round(value, rounding) ||
                       (rounded.container & 0x1FFFu) != 0
                   ? 1
                   : 0;
    }
  }
  CHECK(wrong == 0);
  static_assert(static_cast<double>(tfloat32(1.0 + 0x1p-11)) == 1.0 &&
                decode(encode<tfloat32>(1.0 + 0x1p-11, Rounding::nearest_away)) == 1.0 + 0x1p-10);
  static_assert(assay::max_finite<tfloat32>() == 0x1.FFCp127 && assay::next_up(tfloat32(1.0)).container == 0x3F802000);
  CHECK(std::string(FormatTraits<tfloat32>::name()) == "tf32");
}
