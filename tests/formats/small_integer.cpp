#include "assay/formats/small_integer.hpp"

#include <cstdint>
#include <string>
#include <type_traits>

#include "assay/formats/format_traits.hpp"
#include "testing/catch.hpp"

using assay::FormatTraits;
using assay::int2_t;
using assay::int4_t;
using assay::Rounding;
using assay::uint2_t;
using assay::uint4_t;

static_assert(sizeof(int4_t) == 1 && std::is_trivially_copyable_v<uint2_t> &&
              std::is_trivially_default_constructible_v<int2_t>);
static_assert(!std::is_convertible_v<double, int4_t> && !std::is_convertible_v<int4_t, double> &&
              !std::is_convertible_v<int4_t, int>);
static_assert(assay::IntegerFormat<int4_t> && assay::IntegerFormat<std::int8_t> && assay::IntegerFormat<std::uint8_t> &&
              !assay::IntegerFormat<float>);
static_assert(assay::Format<uint2_t> && !assay::FloatFormat<uint2_t> && !assay::Format<std::int16_t> &&
              !assay::Format<char>);

TEST_CASE("integers are formats, by their names", "[formats]") {
  CHECK(std::string(FormatTraits<std::int8_t>::name()) == "int8");
  CHECK(std::string(FormatTraits<std::uint8_t>::name()) == "uint8");
  CHECK(std::string(FormatTraits<int4_t>::name()) == "int4");
  CHECK(std::string(FormatTraits<uint4_t>::name()) == "uint4");
  CHECK(std::string(FormatTraits<int2_t>::name()) == "int2");
  CHECK(std::string(FormatTraits<uint2_t>::name()) == "uint2");
  CHECK(std::string(FormatTraits<assay::SmallInteger<3, true>>::name()) == "int3");
  static_assert(FormatTraits<int4_t>::bits == 4 && FormatTraits<std::uint8_t>::bits == 8);
}

TEST_CASE("a small integer rounds on the way in and is exact on the way out", "[formats]") {
  static_assert(static_cast<int>(int4_t(-2.5)) == -2 && static_cast<double>(int4_t(100.0)) == 7.0 &&
                static_cast<int>(uint4_t(-3.0)) == 0);
  static_assert(int4_t(-1.0).bits == 0x0F && int2_t(-2.0).bits == 2 && static_cast<int>(int2_t::from_bits(0xFE)) == -2);
  static_assert(assay::decode(assay::encode<std::int8_t>(-127.5)) == -128.0 &&
                assay::encode<std::int8_t>(1.7, Rounding::toward_zero) == 1);
  static_assert(assay::encode<std::uint8_t>(300.0) == 255 && assay::encode<std::uint8_t>(-1.0) == 0);
  int wrong = 0;
  for (int integer = -128; integer < 128; ++integer)
    wrong += assay::decode(static_cast<std::int8_t>(integer)) != integer ? 1 : 0;
  for (int integer = -8; integer < 8; ++integer) wrong += static_cast<int>(int4_t(integer)) != integer ? 1 : 0;
  for (int integer = 0; integer < 256; ++integer)
    wrong += assay::decode(static_cast<std::uint8_t>(integer)) != integer ? 1 : 0;
  CHECK(wrong == 0);
}
