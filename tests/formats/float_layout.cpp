#include "assay/formats/float_layout.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "formats/rounding_oracle.hpp"
#include "testing/catch.hpp"

using assay::decode;
using assay::Domain;
using assay::encode;
using assay::FloatLayout;
using assay::Overflow;
using assay::Rounding;
using assay::SpecialValues;
using assay::testing::all_roundings;
using assay::testing::RoundingOracle;

namespace {

struct Row {
  const char* name;
  FloatLayout layout;
  double largest;
  double smallest;
};

// One row a format: everything below runs over all of them.
const std::vector<Row> rows{
    {"f16", {5, 10, 15, SpecialValues::ieee}, 65504.0, 0x1p-24},
    {"bf16", {8, 7, 127, SpecialValues::ieee}, 0x1.FEp127, 0x1p-133},
    {"e5m2", {5, 2, 15, SpecialValues::ieee}, 57344.0, 0x1p-16},
    {"e4m3fn", {4, 3, 7, SpecialValues::finite_nan}, 448.0, 0x1p-9},
    {"e4m3fnuz", {4, 3, 8, SpecialValues::fnuz}, 240.0, 0x1p-10},
    {"e5m2fnuz", {5, 2, 16, SpecialValues::fnuz}, 57344.0, 0x1p-17},
    {"e4m3b11fnuz", {4, 3, 11, SpecialValues::fnuz}, 30.0, 0x1p-13},
    {"e4m3", {4, 3, 7, SpecialValues::ieee}, 240.0, 0x1p-9},
    {"e3m4", {3, 4, 3, SpecialValues::ieee}, 15.5, 0x1p-6},
    {"e3m2", {3, 2, 3, SpecialValues::none}, 28.0, 0.0625},
    {"e2m3", {2, 3, 1, SpecialValues::none}, 7.5, 0.125},
    {"e2m1", {2, 1, 1, SpecialValues::none}, 6.0, 0.5},
    {"e8m0fnu", {8, 0, 127, SpecialValues::finite_nan, Domain::positive}, 0x1p127, 0x1p-127},
    {"e4m2fnu", {4, 2, 9, SpecialValues::finite_nan, Domain::positive}, 96.0, 0x1p-9},
    {"ue4m3fn", {4, 3, 7, SpecialValues::finite_nan, Domain::non_negative}, 448.0, 0x1p-9},
    {"ue5m3", {5, 3, 15, SpecialValues::ieee, Domain::non_negative}, 61440.0, 0x1p-17},
    {"ue2m2", {2, 2, 1, SpecialValues::none, Domain::non_negative}, 7.0, 0.25},
    {"e6m0", {6, 0, 31, SpecialValues::none}, 0x1p32, 0x1p-30},
};

bool same_bits(double a, double b) {
  return __builtin_bit_cast(std::uint64_t, a) == __builtin_bit_cast(std::uint64_t, b);
}

/// How often encoding `value` differs from the oracle, over rounding modes, overflow rules and both signs.
int disagreements(const FloatLayout& layout, const RoundingOracle& oracle, double value) {
  int wrong = 0;
  for (const Rounding rounding : all_roundings)
    for (const Overflow overflow : {Overflow::ieee, Overflow::saturate})
      for (const double operand : {value, -value})
        wrong += encode(layout, operand, rounding, overflow) != oracle.round(operand, rounding, overflow) ? 1 : 0;
  return wrong;
}

}  // namespace

TEST_CASE("every code decodes to the value of its definition", "[formats]") {
  for (const Row& row : rows) {
    const FloatLayout layout = row.layout;
    const RoundingOracle oracle(layout);
    const std::vector<double>& values = oracle.values();
    INFO(row.name);
    CHECK(layout.sign_mask() == oracle.sign());
    CHECK(values.back() == row.largest);
    CHECK(values[layout.domain == Domain::positive ? 0 : 1] == row.smallest);
    CHECK(layout.max_finite_bits() == values.size() - 1);
    std::size_t wrong = 0, nans = 0, infinities = 0;
    for (std::uint32_t code = 0; code < oracle.codes(); ++code) {
      const std::uint32_t magnitude = oracle.sign() == 0 ? code : code & (oracle.sign() - 1);
      const bool negative = magnitude != code;
      const double decoded = decode(layout, code);
      if (layout.specials == SpecialValues::fnuz && negative && magnitude == 0) {
        wrong += layout.is_nan(code) && std::isnan(decoded) ? 0 : 1;
      } else if (magnitude < values.size()) {
        wrong += same_bits(decoded, negative ? -values[magnitude] : values[magnitude]) && !layout.is_nan(code) &&
                         !layout.is_infinite(code)
                     ? 0
                     : 1;
      } else if (layout.specials == SpecialValues::ieee && magnitude == values.size()) {
        wrong +=
            std::isinf(decoded) && std::signbit(decoded) == negative && layout.is_infinite(code) && !layout.is_nan(code)
                ? 0
                : 1;
      } else {
        wrong += std::isnan(decoded) && layout.is_nan(code) && !layout.is_infinite(code) ? 0 : 1;
      }
      nans += layout.is_nan(code) ? 1 : 0;
      infinities += layout.is_infinite(code) ? 1 : 0;
    }
    CHECK(wrong == 0);
    CHECK(infinities == (layout.specials == SpecialValues::ieee ? (layout.has_sign() ? 2u : 1u) : 0u));
    CHECK((nans > 0) == layout.has_nan());
    if (layout.specials == SpecialValues::fnuz) CHECK(nans == 1);
    if (layout.specials == SpecialValues::finite_nan) CHECK(nans == (layout.has_sign() ? 2u : 1u));
  }
}

TEST_CASE("every value encodes to its code, whatever the rounding", "[formats]") {
  for (const Row& row : rows) {
    int wrong = 0;
    for (std::uint64_t code = 0; code < std::uint64_t{1} << row.layout.bits(); ++code) {
      if (row.layout.is_nan(code)) continue;
      for (const Rounding rounding : all_roundings)
        wrong += encode(row.layout, decode(row.layout, code), rounding) != code ? 1 : 0;
    }
    INFO(row.name);
    CHECK(wrong == 0);
  }
}

TEST_CASE("between any two neighbors every rounding goes the right way", "[formats]") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const Row& row : rows) {
    const RoundingOracle oracle(row.layout);
    std::vector<double> values = oracle.values();
    values.push_back(oracle.beyond());
    int wrong = 0;
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
      const double low = values[i], high = values[i + 1], middle = low + (high - low) / 2;
      for (const double value :
           {low, std::nextafter(low, infinity), low + (middle - low) / 2, std::nextafter(middle, 0.0), middle,
            std::nextafter(middle, infinity), middle + (high - middle) / 2, std::nextafter(high, 0.0), high})
        wrong += disagreements(row.layout, oracle, value);
    }
    INFO(row.name);
    CHECK(wrong == 0);
  }
}

TEST_CASE("random values are rounded as a search of the table says", "[formats]") {
  for (const Row& row : rows) {
    const RoundingOracle oracle(row.layout);
    assay::testing::TestNumbers numbers(2024);
    const int least = std::ilogb(row.smallest) - 4, most = std::ilogb(row.largest) + 4;
    int wrong = 0;
    for (int i = 0; i < 20000; ++i) wrong += disagreements(row.layout, oracle, numbers.value(least, most));
    INFO(row.name);
    CHECK(wrong == 0);
  }
}

TEST_CASE("values far from the format's range are rounded all the same", "[formats]") {
  for (const Row& row : rows) {
    const RoundingOracle oracle(row.layout);
    INFO(row.name);
    for (const double value : {0.0, 0x1p-1074, 0x1.8p-1073, 0x1p-1022, 0x1.FFFFFFFFFFFFFp-1023, 0x1p-700, 0x1p500,
                               std::numeric_limits<double>::max(), std::numeric_limits<double>::infinity()})
      CHECK(disagreements(row.layout, oracle, value) == 0);
  }
}

TEST_CASE("NaN becomes the format's NaN, or its largest value where there is none", "[formats]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double with_payload = __builtin_bit_cast(double, std::uint64_t{0xFFF0000000000001u});
  for (const Row& row : rows) {
    INFO(row.name);
    for (const double value : {nan, -nan, with_payload}) {
      const std::uint64_t code = encode(row.layout, value);
      if (row.layout.has_nan())
        CHECK(row.layout.is_nan(code));
      else
        CHECK(code == row.layout.max_finite_bits());
    }
  }
  CHECK(encode({5, 10, 15, SpecialValues::ieee}, nan) == 0x7E00u);
  CHECK(encode({8, 7, 127, SpecialValues::ieee}, nan) == 0x7FC0u);
  CHECK(encode({4, 3, 8, SpecialValues::fnuz}, nan) == 0x80u);
}

TEST_CASE("a format without a sign turns what is below its range to NaN, or saturates", "[formats]") {
  constexpr FloatLayout scale{8, 0, 127, SpecialValues::finite_nan, Domain::positive};
  constexpr FloatLayout unsigned_e4m3{4, 3, 7, SpecialValues::finite_nan, Domain::non_negative};
  static_assert(encode(scale, 1.0) == 127 && encode(scale, 1.5) == 128 && encode(scale, 1.4999) == 127 &&
                encode(scale, 3.0) == 129);
  static_assert(encode(scale, 0x1p-149) == 0 && encode(scale, 1e-300) == 0 && encode(scale, 0x1.8p127) == 0xFF &&
                encode(scale, 0x1.7p127) == 0xFE);
  for (const double value : {0.0, -0.0, -1.0, -0x1p-1074, -1e300, -std::numeric_limits<double>::infinity()})
    for (const Rounding rounding : all_roundings) {
      CHECK(encode(scale, value, rounding) == 0xFF);
      CHECK(encode(scale, value, rounding, Overflow::saturate) == 0);
    }
  static_assert(encode(unsigned_e4m3, -0.0) == 0 && encode(unsigned_e4m3, -0x1p-10) == 0 &&
                encode(unsigned_e4m3, -1.0) == 0x7F);
  static_assert(encode(unsigned_e4m3, -1.0, Rounding::toward_zero) == 0 &&
                encode(unsigned_e4m3, -1.0, Rounding::nearest_even, Overflow::saturate) == 0);
  static_assert(scale.bits() == 8 && scale.sign_mask() == 0 && scale.magnitude_mask() == 0xFF &&
                unsigned_e4m3.bits() == 7);
  CHECK(std::isnan(decode(scale, 0xFF)));
}

TEST_CASE("values known from the formats' specifications", "[formats]") {
  constexpr FloatLayout f16{5, 10, 15, SpecialValues::ieee};
  constexpr FloatLayout e4m3fn{4, 3, 7, SpecialValues::finite_nan};
  constexpr FloatLayout e2m1{2, 1, 1, SpecialValues::none};
  static_assert(encode(f16, 1.0) == 0x3C00u && encode(f16, -2.0) == 0xC000u);
  static_assert(encode(f16, 65519.99999) == 0x7BFFu && encode(f16, 65520.0) == 0x7C00u);
  static_assert(encode(f16, 65520.0, Rounding::toward_zero) == 0x7BFFu);
  static_assert(encode(f16, 1e300, Rounding::nearest_even, Overflow::saturate) == 0x7BFFu);
  static_assert(encode(f16, 0x1p-25) == 0 && encode(f16, 0x1.000001p-25) == 1 &&
                encode(f16, 0x1p-25, Rounding::nearest_away) == 1);
  static_assert(encode(e4m3fn, 464.0) == 0x7Eu && encode(e4m3fn, 464.1) == 0x7Fu && encode(e4m3fn, -1e9) == 0xFFu);
  static_assert(encode(e2m1, 5.0) == 6u && encode(e2m1, 100.0) == 7u && encode(e2m1, 0.25) == 0u &&
                encode(e2m1, 0.75) == 2u);
  static_assert(decode(f16, 0x0001) == 0x1p-24 && decode(f16, 0x7BFF) == 65504.0);
  static_assert(f16.bits() == 16 && f16.precision() == 11 && f16.min_exponent() == -14);
  CHECK(f16 == FloatLayout{5, 10, 15, SpecialValues::ieee});
  CHECK_FALSE(f16 == e4m3fn);
}

TEST_CASE("the layout of double itself changes nothing", "[formats]") {
  assay::testing::TestNumbers numbers(7);
  int wrong = 0;
  for (int i = 0; i < 200000; ++i) {
    const std::uint64_t code =
        numbers.bits() & (i % 2 == 0 ? ~std::uint64_t{0} : 0x800FFFFFFFFFFFFFu);  // every other one subnormal
    if (assay::binary64_layout.is_nan(code)) continue;
    wrong += encode(assay::binary64_layout, __builtin_bit_cast(double, code)) != code ? 1 : 0;
    wrong += same_bits(decode(assay::binary64_layout, code), __builtin_bit_cast(double, code)) ? 0 : 1;
  }
  CHECK(wrong == 0);
}
