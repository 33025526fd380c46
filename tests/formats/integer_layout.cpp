#include "assay/formats/integer_layout.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "formats/rounding_oracle.hpp"
#include "testing/catch.hpp"

using assay::decode;
using assay::encode;
using assay::IntegerLayout;
using assay::Overflow;
using assay::Rounding;
using assay::testing::all_roundings;

namespace {

const std::vector<IntegerLayout> layouts{{8, true}, {8, false}, {4, true}, {4, false}, {2, true},  {2, false},
                                         {1, true}, {1, false}, {5, true}, {16, true}, {32, true}, {32, false}};

/// By the standard library's roundings, and a comparison with the ends of the range.
double expected(IntegerLayout layout, double value, Rounding rounding) {
  if (std::isnan(value)) return 0;
  double rounded = 0;
  switch (rounding) {
    case Rounding::nearest_even: rounded = std::nearbyint(value); break;
    case Rounding::nearest_away: rounded = std::round(value); break;
    case Rounding::toward_zero: rounded = std::trunc(value); break;
    case Rounding::toward_positive: rounded = std::ceil(value); break;
    case Rounding::toward_negative: rounded = std::floor(value); break;
  }
  const double least = layout.is_signed ? -std::ldexp(1.0, layout.bits - 1) : 0.0;
  const double most = std::ldexp(1.0, layout.is_signed ? layout.bits - 1 : layout.bits) - 1;
  return std::fmin(std::fmax(rounded, least), most);
}

int disagreements(IntegerLayout layout, double value) {
  int wrong = 0;
  for (const Rounding rounding : all_roundings)
    for (const Overflow overflow : {Overflow::ieee, Overflow::saturate})
      for (const double operand : {value, -value}) {
        const std::uint64_t code = encode(layout, operand, rounding, overflow);
        wrong +=
            code >> layout.bits != 0 || static_cast<double>(decode(layout, code)) != expected(layout, operand, rounding)
                ? 1
                : 0;
      }
  return wrong;
}

}  // namespace

TEST_CASE("every integer has one code, which decoding extends by its sign", "[formats]") {
  for (const IntegerLayout& layout : layouts) {
    if (layout.bits > 16) continue;
    std::int64_t wrong = 0, least = 1000000, most = -1000000;
    for (std::uint64_t code = 0; code <= layout.mask(); ++code) {
      const std::int64_t integer = decode(layout, code);
      least = integer < least ? integer : least;
      most = integer > most ? integer : most;
      for (const Rounding rounding : all_roundings)
        wrong += encode(layout, static_cast<double>(integer), rounding) != code ? 1 : 0;
      wrong += decode(layout, code | ~layout.mask()) != integer ? 1 : 0;
    }
    INFO(layout.bits << (layout.is_signed ? " signed" : " unsigned"));
    CHECK(wrong == 0);
    CHECK(least == layout.lowest());
    CHECK(most == layout.highest());
    CHECK(most - least == static_cast<std::int64_t>(layout.mask()));
  }
}

TEST_CASE("between any two integers, and beyond the ends, every rounding goes the right way", "[formats]") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const IntegerLayout& layout : layouts) {
    int wrong = 0;
    const int last = layout.bits > 8 ? 300 : 260;
    for (int integer = 0; integer < last; ++integer)
      for (const double low : {static_cast<double>(integer), static_cast<double>(layout.highest()) - integer}) {
        if (low < 0) continue;
        for (const double value : {low, std::nextafter(low, infinity), low + 0.25, std::nextafter(low + 0.5, 0.0),
                                   low + 0.5, std::nextafter(low + 0.5, infinity), std::nextafter(low + 1, 0.0)})
          wrong += disagreements(layout, value);
      }
    for (const double value : {0x1p-1074, 0x1p-1022, 1e-300, 1e9, 0x1p31, 0x1p32, 0x1p52, 0x1p53, 0x1p63, 0x1p64, 1e300,
                               infinity, std::nan("")})
      wrong += disagreements(layout, value);
    assay::testing::TestNumbers numbers(31);
    for (int i = 0; i < 20000; ++i) wrong += disagreements(layout, numbers.value(-4, layout.bits + 2));
    INFO(layout.bits << (layout.is_signed ? " signed" : " unsigned"));
    CHECK(wrong == 0);
  }
}

TEST_CASE("integers saturate, and NaN is 0", "[formats]") {
  constexpr IntegerLayout int8{8, true}, uint4{4, false};
  static_assert(encode(int8, 1e9) == 127 && encode(int8, -1e9) == 0x80 && encode(int8, -1.0) == 0xFF &&
                encode(int8, 2.5) == 2 && encode(int8, 3.5) == 4);
  static_assert(encode(int8, 127.5) == 127 && encode(int8, -128.5) == 0x80 && encode(uint4, -0.4) == 0 &&
                encode(uint4, -7.0) == 0 && encode(uint4, 15.6) == 15);
  static_assert(encode(int8, -0.5, Rounding::nearest_away) == 0xFF &&
                encode(int8, 0x1p-1074, Rounding::toward_positive) == 1);
  static_assert(int8.lowest() == -128 && uint4.highest() == 15 && int8 == IntegerLayout{} && !(int8 == uint4));
  CHECK(encode(int8, std::numeric_limits<double>::quiet_NaN()) == 0);
}
