#include "assay/formats/encode_stochastic.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "assay/formats/limits.hpp"
#include "assay/formats/small_formats.hpp"
#include "formats/rounding_oracle.hpp"
#include "testing/catch.hpp"

using assay::decode;
using assay::encode;
using assay::encode_stochastic;
using assay::FloatLayout;
using assay::IntegerLayout;
using assay::Overflow;
using assay::Rounding;
using assay::SpecialValues;

namespace {

const std::vector<FloatLayout> layouts{
    {5, 10, 15, SpecialValues::ieee},     {8, 7, 127, SpecialValues::ieee},
    {4, 3, 7, SpecialValues::finite_nan}, {5, 2, 16, SpecialValues::fnuz},
    {2, 1, 1, SpecialValues::none},       {8, 0, 127, SpecialValues::finite_nan, assay::Domain::positive}};

/// The definition in doubles: exact for values whose quotient by the spacing of the format fits 53 bits.
bool rounds_away(double low, double spacing, double magnitude, std::uint32_t random, int count) {
  const double cut = std::floor(std::ldexp((magnitude - low) / spacing, count));
  return cut + std::fmod(random, std::ldexp(1.0, count)) >= std::ldexp(1.0, count);
}

}  // namespace

TEST_CASE("between two neighbors the cut fraction and the random bits decide", "[formats]") {
  for (const FloatLayout& layout : layouts) {
    const assay::testing::RoundingOracle oracle(layout);
    const std::vector<double>& values = oracle.values();
    assay::testing::TestNumbers numbers(5);
    int wrong = 0, up = 0;
    for (int i = 0; i < 100000; ++i) {
      const std::size_t below = numbers.bits() % (values.size() - 1);
      const double spacing = values[below + 1] - values[below];
      const double fraction = static_cast<double>(numbers.bits() >> 44) * 0x1p-20;
      const double magnitude = values[below] + fraction * spacing;
      const int count = 1 + static_cast<int>(numbers.bits() % 32);
      const auto random = static_cast<std::uint32_t>(numbers.bits() >> 32);
      const bool negative = layout.has_sign() && numbers.bits() % 2 == 0;
      const std::uint64_t code = encode_stochastic(layout, negative ? -magnitude : magnitude, random, count);
      const std::size_t expected = below + (rounds_away(values[below], spacing, magnitude, random, count) ? 1 : 0);
      const bool zero = expected == 0 && layout.specials == SpecialValues::fnuz;
      wrong += code != (expected | (negative && !zero ? oracle.sign() : 0)) ? 1 : 0;
      up += expected != below ? 1 : 0;
    }
    INFO("exponent bits " << layout.exponent_bits << ", fraction bits " << layout.fraction_bits);
    CHECK(wrong == 0);
    CHECK(up > 20000);
    CHECK(up < 80000);
  }
}

TEST_CASE("the random numbers that round away are as many as the fraction says", "[formats]") {
  constexpr FloatLayout e4m3fn{4, 3, 7, SpecialValues::finite_nan};
  for (const int sixteenths : {0, 1, 5, 8, 15}) {
    const double value = 1.0 + 0.125 * sixteenths / 16;
    int up = 0;
    for (std::uint32_t random = 0; random < 16; ++random)
      up += encode_stochastic(e4m3fn, value, random, 4) == 0x39 ? 1 : 0;
    CHECK(up == sixteenths);
  }
  // below the last random bit nothing counts: just less than 1/16 never rounds away
  for (std::uint32_t random = 0; random < 16; ++random)
    CHECK(encode_stochastic(e4m3fn, std::nextafter(1.0 + 0.125 / 16, 0.0), random, 4) == 0x38);
  // random bits above the lowest four are not read
  CHECK(encode_stochastic(e4m3fn, 1.0 + 0.125 / 16, 0xFFFFFFF0u, 4) == 0x38);
  CHECK(encode_stochastic(e4m3fn, 1.0 + 0.125 / 16, 0xFu, 4) == 0x39);
}

TEST_CASE("values of the format, zeros, infinities and NaN do not depend on the random bits", "[formats]") {
  for (const FloatLayout& layout : layouts) {
    int wrong = 0;
    for (std::uint64_t code = 0; code < std::uint64_t{1} << layout.bits(); ++code)
      for (const std::uint32_t random : {0u, 1u, 0x80000000u, 0xFFFFFFFFu})
        wrong +=
            encode_stochastic(layout, decode(layout, code), random, 32) != encode(layout, decode(layout, code)) ? 1 : 0;
    CHECK(wrong == 0);
  }
}

TEST_CASE("tiny values become the smallest number or zero, and large ones overflow or not", "[formats]") {
  constexpr FloatLayout f16{5, 10, 15, SpecialValues::ieee};
  static_assert(encode_stochastic(f16, 0x1p-56, 0xFFFFFFFFu, 32) == 1 &&
                encode_stochastic(f16, 0x1p-56, 0xFFFFFFFEu, 32) == 0);
  static_assert(encode_stochastic(f16, 0x1.8p-57, 0xFFFFFFFFu, 32) == 0 &&
                encode_stochastic(f16, -0x1p-1074, 0xFFFFFFFFu, 32) == 0x8000);
  static_assert(encode_stochastic(f16, 65520.0, 0x80000000u, 32) == 0x7C00 &&
                encode_stochastic(f16, 65520.0, 0x7FFFFFFFu, 32) == 0x7BFF);
  static_assert(encode_stochastic(f16, 65520.0, 0x80000000u, 32, Overflow::saturate) == 0x7BFF &&
                encode_stochastic(f16, 1e9, 0, 32) == 0x7C00);
  CHECK(decode(encode_stochastic<assay::float16>(1.0 + 0x1p-11, 1, 1)) == 1.0 + 0x1p-10);
  CHECK(decode(encode_stochastic<assay::float16>(1.0 + 0x1p-11, 0, 1)) == 1.0);
}

TEST_CASE("integers are rounded stochastically, too", "[formats]") {
  constexpr IntegerLayout int4{4, true};
  for (int integer = -9; integer < 9; ++integer)
    for (std::uint32_t random = 0; random < 8; ++random) {
      const double value = integer + 0.375;  // three eighths above, five eighths below zero away from zero
      const bool away = value > 0 ? 3 + random >= 8 : 5 + random >= 8;
      const int rounded = value > 0 ? integer + (away ? 1 : 0) : integer + (away ? 0 : 1);
      const int expected = rounded < -8 ? -8 : rounded > 7 ? 7 : rounded;
      CHECK(decode(int4, encode_stochastic(int4, value, random, 3)) == expected);
    }
  CHECK(encode_stochastic<std::int8_t>(2.5, 1, 1) == 3);
  CHECK(encode_stochastic<std::int8_t>(2.5, 0, 1) == 2);
}
