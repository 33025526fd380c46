#include "assay/formats/classify.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#include "assay/core/floating_point_guard.hpp"
#include "assay/formats/small_formats.hpp"
#include "testing/catch.hpp"

using assay::bfloat16;
using assay::float16;

namespace {

/// How many of the codes are classified unlike the standard library classifies their values.
template <class T>
int wrong_codes() {
  int wrong = 0;
  for (std::uint32_t code = 0; code < 1u << assay::FormatTraits<T>::bits; ++code) {
    const T value = T::from_bits(static_cast<typename T::Bits>(code));
    const double decoded = assay::decode(assay::FormatTraits<T>::layout, code);
    const double smallest_normal = std::ldexp(1.0, assay::FormatTraits<T>::layout.min_exponent());
    wrong += assay::is_nan(value) != std::isnan(decoded) ? 1 : 0;
    wrong += assay::is_infinite(value) != std::isinf(decoded) ? 1 : 0;
    wrong += assay::is_finite(value) != std::isfinite(decoded) ? 1 : 0;
    wrong += assay::is_negative(value) != std::signbit(decoded) ? 1 : 0;
    wrong += assay::is_zero(value) != (decoded == 0.0) ? 1 : 0;
    wrong += assay::is_subnormal(value) != (decoded != 0.0 && std::abs(decoded) < smallest_normal) ? 1 : 0;
  }
  return wrong;
}

using Fnuz = assay::float8_e4m3fnuz;

}  // namespace

TEST_CASE("all codes of the 16-bit formats are classified by their values", "[formats]") {
  CHECK(wrong_codes<float16>() == 0);
  CHECK(wrong_codes<bfloat16>() == 0);
}

TEST_CASE("all codes of small formats, with and without sign and zero, are classified by their values", "[formats]") {
  using Unsigned =
      assay::SmallFloat<assay::FloatLayout{5, 3, 15, assay::SpecialValues::ieee, assay::Domain::non_negative}>;
  CHECK(wrong_codes<assay::float8_e4m3fn>() == 0);
  CHECK(wrong_codes<assay::float8_e8m0fnu>() == 0);
  CHECK(wrong_codes<assay::float6_e2m3fn>() == 0);
  CHECK(wrong_codes<Unsigned>() == 0);
}

TEST_CASE("the NaN of a format without negative zero is no zero and no subnormal", "[formats]") {
  static_assert(assay::Format<Fnuz>);
  CHECK(assay::is_nan(Fnuz::from_bits(0x80)));
  CHECK_FALSE(assay::is_zero(Fnuz::from_bits(0x80)));
  CHECK_FALSE(assay::is_subnormal(Fnuz::from_bits(0x80)));
  CHECK_FALSE(assay::is_finite(Fnuz::from_bits(0x80)));
  CHECK(assay::is_zero(Fnuz::from_bits(0x00)));
  CHECK(assay::is_finite(Fnuz::from_bits(0xFF)));
}

TEST_CASE("classification looks at bits: flushing changes nothing", "[formats]") {
  assay::FloatingPointState flushing;
  flushing.flush_results = assay::FloatingPointState::complete;
  flushing.flush_operands = assay::FloatingPointState::complete;
  volatile double tiny = 0x1p-1074;
  volatile float tiny_float = 0x1p-149f;
  bool zero = true, subnormal = false, zero_float = true, subnormal_float = false;
  assay::with_floating_point_state(flushing, [&] {
    zero = assay::is_zero(static_cast<double>(tiny));
    subnormal = assay::is_subnormal(static_cast<double>(tiny));
    zero_float = assay::is_zero(static_cast<float>(tiny_float));
    subnormal_float = assay::is_subnormal(static_cast<float>(tiny_float));
  });
  CHECK_FALSE(zero);
  CHECK(subnormal);
  CHECK_FALSE(zero_float);
  CHECK(subnormal_float);
}

TEST_CASE("float and double are classified, too", "[formats]") {
  static_assert(assay::is_nan(std::numeric_limits<float>::quiet_NaN()) &&
                assay::is_nan(std::numeric_limits<double>::quiet_NaN()));
  static_assert(assay::is_infinite(-std::numeric_limits<double>::infinity()) && assay::is_negative(-0.0) &&
                assay::is_zero(-0.0f));
  static_assert(assay::is_finite(std::numeric_limits<float>::max()) &&
                !assay::is_subnormal(std::numeric_limits<float>::min()));
  static_assert(assay::is_subnormal(std::numeric_limits<double>::denorm_min()) && !assay::is_subnormal(0.0));
  SUCCEED("checked by the compiler");
}
