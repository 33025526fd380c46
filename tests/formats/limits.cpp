#include "assay/formats/limits.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#include "assay/formats/nf4.hpp"
#include "assay/formats/small_formats.hpp"
#include "formats/rounding_oracle.hpp"
#include "testing/catch.hpp"

using assay::bfloat16;
using assay::float16;
using assay::FloatLayout;
using assay::FormatTraits;
using assay::SpecialValues;

using Float8 = assay::float8_e4m3fn;
using Fnuz = assay::float8_e5m2fnuz;
using Float4 = assay::float4_e2m1fn;
using Unsigned = assay::SmallFloat<FloatLayout{5, 3, 15, SpecialValues::ieee, assay::Domain::non_negative}>;

namespace {

/// How many finite values have a wrong neighbor, by the table of the format's values.
template <class T>
int wrong_neighbors() {
  using Bits = typename FormatTraits<T>::Bits;
  constexpr FloatLayout layout = FormatTraits<T>::layout;
  const assay::testing::RoundingOracle oracle(layout);
  const auto& values = oracle.values();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double after_largest = layout.has_infinity() ? infinity : values.back();
  int wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double up = i + 1 < values.size() ? values[i + 1] : after_largest;
    const double down = i > 0 ? values[i - 1] : layout.has_sign() ? -values[1] : values[0];
    const T positive = FormatTraits<T>::from_bits(static_cast<Bits>(i));
    wrong += assay::decode(assay::next_up(positive)) != up ? 1 : 0;
    wrong += assay::decode(assay::next_down(positive)) != down ? 1 : 0;
    if (!layout.has_sign()) continue;
    if (i == 0 && layout.specials == SpecialValues::fnuz) continue;  // no negative zero
    const T negative = FormatTraits<T>::from_bits(static_cast<Bits>(i | oracle.sign()));
    wrong += assay::decode(assay::next_down(negative)) != -up ? 1 : 0;
    wrong += assay::decode(assay::next_up(negative)) != -down ? 1 : 0;
  }
  return wrong;
}

/// How many values have a wrong unit in the last place: it is the distance to the next larger magnitude.
template <class T>
int wrong_units() {
  const assay::testing::RoundingOracle oracle(FormatTraits<T>::layout);
  auto values = oracle.values();
  values.push_back(oracle.beyond());
  int wrong = 0;
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    const double unit = values[i + 1] - values[i];
    for (const double value : {values[i], -values[i], std::nextafter(values[i + 1], 0.0)})
      wrong += assay::unit_in_last_place<T>(value) != unit ? 1 : 0;
  }
  return wrong;
}

}  // namespace

TEST_CASE("neighbors of all values of the small formats", "[formats]") {
  CHECK(wrong_neighbors<float16>() == 0);
  CHECK(wrong_neighbors<bfloat16>() == 0);
  CHECK(wrong_neighbors<Float8>() == 0);
  CHECK(wrong_neighbors<Fnuz>() == 0);
  CHECK(wrong_neighbors<Float4>() == 0);
  CHECK(wrong_neighbors<assay::float8_e8m0fnu>() == 0);
  CHECK(wrong_neighbors<Unsigned>() == 0);
}

TEST_CASE("units in the last place of all values of the small formats", "[formats]") {
  CHECK(wrong_units<float16>() == 0);
  CHECK(wrong_units<bfloat16>() == 0);
  CHECK(wrong_units<Float8>() == 0);
  CHECK(wrong_units<Fnuz>() == 0);
  CHECK(wrong_units<Float4>() == 0);
  CHECK(wrong_units<assay::float8_e8m0fnu>() == 0);
  CHECK(wrong_units<Unsigned>() == 0);
}

TEST_CASE("infinities and NaNs stay where they are, and step back from infinity", "[formats]") {
  const float16 infinity = float16::from_bits(0x7C00), minus_infinity = float16::from_bits(0xFC00),
                nan = float16::from_bits(0x7E01);
  CHECK(assay::next_up(infinity).bits == 0x7C00);
  CHECK(assay::next_down(infinity).bits == 0x7BFF);
  CHECK(assay::next_down(minus_infinity).bits == 0xFC00);
  CHECK(assay::next_up(minus_infinity).bits == 0xFBFF);
  CHECK(assay::next_up(nan).bits == 0x7E01);
  CHECK(assay::next_down(nan).bits == 0x7E01);
  CHECK(assay::next_up(float16::from_bits(0x8000)).bits == 0x0001);
  CHECK(assay::next_down(float16::from_bits(0x0001)).bits == 0x0000);
  CHECK(assay::next_up(float16::from_bits(0x8001)).bits == 0x8000);
  CHECK(assay::next_up(Fnuz::from_bits(0x81)).bits == 0x00);
}

TEST_CASE("neighbors of floats and doubles are those of the standard library", "[formats]") {
  assay::testing::TestNumbers numbers(3);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  int wrong = 0;
  for (int i = 0; i < 100000; ++i) {
    const float value = static_cast<float>(numbers.value(-149, 127));
    wrong += assay::next_up(value) != std::nextafter(value, infinity) ? 1 : 0;
    wrong += assay::next_down(value) != std::nextafter(value, -infinity) ? 1 : 0;
    const double wide = numbers.value(-1074, 1023);
    wrong += assay::next_up(wide) != std::nextafter(wide, HUGE_VAL) ? 1 : 0;
    wrong += assay::next_down(wide) != std::nextafter(wide, -HUGE_VAL) ? 1 : 0;
    const double magnitude = std::abs(wide);
    wrong += assay::unit_in_last_place<double>(wide) != std::nextafter(magnitude, HUGE_VAL) - magnitude ? 1 : 0;
    wrong += assay::exponent_of(wide) != std::ilogb(wide) ? 1 : 0;
  }
  CHECK(wrong == 0);
}

TEST_CASE("limits are those of the formats", "[formats]") {
  static_assert(assay::max_finite<float16>() == 65504.0 && assay::min_normal<float16>() == 0x1p-14 &&
                assay::min_subnormal<float16>() == 0x1p-24);
  static_assert(assay::max_finite<bfloat16>() == 0x1.FEp127 && assay::min_normal<bfloat16>() == 0x1p-126 &&
                assay::min_subnormal<bfloat16>() == 0x1p-133);
  static_assert(assay::max_finite<float>() == static_cast<double>(std::numeric_limits<float>::max()));
  static_assert(assay::min_normal<float>() == static_cast<double>(std::numeric_limits<float>::min()));
  static_assert(assay::min_subnormal<float>() == static_cast<double>(std::numeric_limits<float>::denorm_min()));
  static_assert(assay::max_finite<double>() == std::numeric_limits<double>::max());
  static_assert(assay::min_normal<double>() == std::numeric_limits<double>::min());
  static_assert(assay::min_subnormal<double>() == std::numeric_limits<double>::denorm_min());
  static_assert(assay::unit_roundoff<float16>() == 0x1p-11 && assay::unit_roundoff<bfloat16>() == 0x1p-8);
  static_assert(assay::unit_roundoff<float>() == 0x1p-24 && assay::unit_roundoff<double>() == 0x1p-53);
  static_assert(assay::next_up(1.0f) == 1.0f + std::numeric_limits<float>::epsilon());
  static_assert(assay::unit_in_last_place<bfloat16>(1.5) == 0x1p-7 &&
                assay::unit_in_last_place<bfloat16>(0.0) == 0x1p-133);
  CHECK(assay::is_nan(assay::unit_in_last_place<float>(std::numeric_limits<double>::infinity())));
  CHECK(assay::is_nan(assay::unit_in_last_place<float>(std::numeric_limits<double>::quiet_NaN())));
}

TEST_CASE("powers of two are exact over the whole range", "[formats]") {
  int wrong = 0;
  for (int exponent = -1100; exponent <= 1100; ++exponent)
    wrong += assay::power_of_two(exponent) != std::ldexp(1.0, exponent) ? 1 : 0;
  CHECK(wrong == 0);
  for (int exponent = -1074; exponent <= 1023; ++exponent)
    wrong += assay::exponent_of(assay::power_of_two(exponent)) != exponent ? 1 : 0;
  CHECK(wrong == 0);
}

TEST_CASE("units in the last place of a table are the gaps between its values", "[formats]") {
  using assay::nf4;
  using assay::unit_in_last_place;
  for (std::uint8_t code = 0; code < 15; ++code) {
    const double value = assay::decode(nf4::from_bits(code)),
                 next = assay::decode(nf4::from_bits(static_cast<std::uint8_t>(code + 1)));
    CHECK(unit_in_last_place<nf4>(value) == next - value);
    CHECK(unit_in_last_place<nf4>((value + next) / 2) == next - value);
  }
  const double last = 1 - assay::decode(nf4::from_bits(14)), first = assay::decode(nf4::from_bits(1)) + 1;
  for (const double beyond : {1.0, 1.5, 1e300}) {
    CHECK(unit_in_last_place<nf4>(beyond) == last);
    CHECK(unit_in_last_place<nf4>(-beyond) == first);
  }
  CHECK(std::isnan(unit_in_last_place<nf4>(std::numeric_limits<double>::infinity())));
  CHECK(unit_in_last_place<std::int8_t>(0.25) == 1);
  CHECK(unit_in_last_place<std::int8_t>(1000) == 1);
}
