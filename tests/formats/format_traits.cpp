#include "assay/formats/format_traits.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "assay/core/floating_point_guard.hpp"
#include "formats/rounding_oracle.hpp"
#include "testing/catch.hpp"

using assay::bfloat16;
using assay::encode;
using assay::float16;
using assay::FormatTraits;
using assay::Overflow;
using assay::Rounding;

static_assert(assay::Format<float16> && assay::Format<bfloat16> && assay::Format<float> && assay::Format<double>);
static_assert(assay::FloatFormat<float16> && assay::FloatFormat<double> && !assay::FloatFormat<int>);
static_assert(FormatTraits<float16>::bits == 16 && FormatTraits<float>::bits == 32 && FormatTraits<double>::bits == 64);
static_assert(!assay::Format<int> && !assay::Format<long double> && !assay::Format<void*> &&
              !assay::Format<const char*>);

namespace {

template <class T>
std::uint64_t bits_of(T value) {
  return FormatTraits<T>::to_bits(value);
}

template <class T>
int wrong_codes() {
  using Bits = typename FormatTraits<T>::Bits;
  int wrong = 0;
  for (std::uint32_t code = 0; code < 65536; ++code) {
    const T value = FormatTraits<T>::from_bits(static_cast<Bits>(code));
    const double decoded = assay::decode(value);
    const double by_layout = assay::decode(FormatTraits<T>::layout, code);
    const bool nan = std::isnan(by_layout);
    wrong += bits_of(value) != code ? 1 : 0;
    wrong += nan ? !std::isnan(decoded)
                 : __builtin_bit_cast(std::uint64_t, decoded) != __builtin_bit_cast(std::uint64_t, by_layout);
    wrong += !nan && bits_of(encode<T>(decoded)) != code ? 1 : 0;
  }
  return wrong;
}

}  // namespace

TEST_CASE("formats have their names and widths", "[formats]") {
  CHECK(std::string(FormatTraits<float16>::name()) == "f16");
  CHECK(std::string(FormatTraits<bfloat16>::name()) == "bf16");
  CHECK(std::string(FormatTraits<float>::name()) == "f32");
  CHECK(std::string(FormatTraits<double>::name()) == "f64");
  CHECK(FormatTraits<float16>::layout.bits() == 16);
  CHECK(FormatTraits<float>::layout.bits() == 32);
  CHECK(FormatTraits<double>::layout.bits() == 64);
}

TEST_CASE("all codes of the 16-bit formats decode and encode as their layout says", "[formats]") {
  CHECK(wrong_codes<float16>() == 0);
  CHECK(wrong_codes<bfloat16>() == 0);
}

TEST_CASE("encoding to float agrees with the hardware in each of its rounding modes", "[formats]") {
  using assay::RoundingDirection;
  struct Mode {
    RoundingDirection direction;
    Rounding rounding;
  };
  constexpr int count = 1000000;
  for (const Mode& mode : {Mode{RoundingDirection::to_nearest, Rounding::nearest_even},
                           Mode{RoundingDirection::upward, Rounding::toward_positive},
                           Mode{RoundingDirection::downward, Rounding::toward_negative},
                           Mode{RoundingDirection::toward_zero, Rounding::toward_zero}}) {
    assay::FloatingPointState state;
    state.rounding = mode.direction;
    int wrong = 0, subnormal = 0, overflowed = 0;
    assay::with_floating_point_state(state, [&] {
      assay::testing::TestNumbers numbers(99);
      for (int i = 0; i < count; ++i) {
        const std::uint64_t bits = numbers.bits();
        // three of four near float's range, one anywhere
        const std::uint64_t exponent = i % 4 == 0 ? bits >> 52 & 0x7FF : 1023 - 152 + (bits >> 52 & 0x7FF) % 284;
        std::uint64_t fraction = numbers.bits() >> 12;
        if (i % 3 == 0) fraction &= ~std::uint64_t{0} << (bits % 52);  // exact values and ties, too
        const double value = __builtin_bit_cast(
            double, (bits & 0x8000000000000000u) | (exponent == 0x7FF ? 0x7FE : exponent) << 52 | fraction);
        volatile double operand = value;
        volatile float converted = static_cast<float>(operand);
        const std::uint32_t expected = __builtin_bit_cast(std::uint32_t, static_cast<float>(converted));
        wrong += bits_of(encode<float>(value, mode.rounding)) != expected ? 1 : 0;
        subnormal += (expected & 0x7F800000u) == 0 && (expected & 0x7FFFFFu) != 0 ? 1 : 0;
        overflowed += (expected & 0x7FFFFFFFu) >= 0x7F7FFFFFu ? 1 : 0;
      }
    });
    INFO("mode " << static_cast<int>(mode.rounding));
    CHECK(wrong == 0);
    CHECK(subnormal > count / 100);
    CHECK(overflowed > count / 100);
  }
}

#if defined(__FLT16_MAX__)
TEST_CASE("float16 agrees with the compiler's own", "[formats]") {
  __extension__ using Native = _Float16;
  int wrong = 0;
  for (std::uint32_t code = 0; code < 65536; ++code) {
    const double native = static_cast<double>(__builtin_bit_cast(Native, static_cast<std::uint16_t>(code)));
    const double ours = assay::decode(float16::from_bits(static_cast<std::uint16_t>(code)));
    wrong += std::isnan(native) ? !std::isnan(ours)
                                : __builtin_bit_cast(std::uint64_t, native) != __builtin_bit_cast(std::uint64_t, ours);
  }
  assay::testing::TestNumbers numbers(5);
  for (int i = 0; i < 500000; ++i) {
    const double value = numbers.value(-28, 18);
    wrong += bits_of(encode<float16>(value)) != __builtin_bit_cast(std::uint16_t, static_cast<Native>(value)) ? 1 : 0;
  }
  CHECK(wrong == 0);
}
#endif

TEST_CASE("rounding happens once, not by way of float", "[formats]") {
  // just above the middle of two bf16 (f16) neighbors, by less than float can tell: twice rounded, it would go down
  const double bf16_case = 1.0 + 0x1p-8 + 0x1p-40;
  const double f16_case = 1.0 + 0x1p-11 + 0x1p-40;
  CHECK(assay::round_to<bfloat16>(bf16_case) == 1.0 + 0x1p-7);
  CHECK(assay::round_to<bfloat16>(static_cast<double>(static_cast<float>(bf16_case))) == 1.0);
  CHECK(assay::round_to<float16>(f16_case) == 1.0 + 0x1p-10);
  CHECK(assay::round_to<float16>(static_cast<double>(static_cast<float>(f16_case))) == 1.0);
}

TEST_CASE("double encodes to itself, except that an infinity may saturate", "[formats]") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double largest = std::numeric_limits<double>::max();
  assay::testing::TestNumbers numbers(11);
  int wrong = 0;
  for (int i = 0; i < 100000; ++i) {
    const double value = numbers.value(-1022, 1022);
    for (const Rounding rounding : assay::testing::all_roundings)
      wrong += bits_of(encode<double>(value, rounding)) != bits_of(value) ? 1 : 0;
  }
  CHECK(wrong == 0);
  CHECK(encode<double>(-infinity) == -infinity);
  CHECK(encode<double>(-infinity, Rounding::nearest_even, Overflow::saturate) == -largest);
  CHECK(encode<float>(1e300, Rounding::nearest_even, Overflow::saturate) == std::numeric_limits<float>::max());
  CHECK(std::isnan(encode<double>(std::numeric_limits<double>::quiet_NaN())));
}

TEST_CASE("formats work in constant expressions", "[formats]") {
  static_assert(assay::decode(encode<float16>(0.1)) == 0x1.998p-4);
  static_assert(assay::decode(encode<bfloat16>(0.1)) == 0x1.9ap-4);
  static_assert(encode<float>(0.1) == 0.1f);
  static_assert(encode<float>(0.1, Rounding::toward_zero) == 0x1.999998p-4f);
  static_assert(assay::round_to<bfloat16>(257.0) == 256.0 && assay::round_to<bfloat16>(259.0) == 260.0);
  static_assert(FormatTraits<float>::to_bits(1.0f) == 0x3F800000u &&
                FormatTraits<double>::from_bits(0x3FF0000000000000u) == 1.0);
  SUCCEED("checked by the compiler");
}
