#include "assay/formats/element_format.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>

#include "assay/formats/small_formats.hpp"
#include "assay/formats/tfloat32.hpp"

using namespace assay;

namespace {

template <class T>
void require_like_its_type(std::uint64_t codes) {
  using Bits = typename FormatTraits<T>::Bits;
  const ElementFormat format = element_format<T>();
  INFO(format.name);
  CHECK(format.bytes == static_cast<int>(sizeof(T)));
  int different = 0;
  for (std::uint64_t code = 0; code < codes; ++code) {
    const T typed = FormatTraits<T>::from_bits(static_cast<Bits>(code));
    const double value = decode(typed);
    const bool both_nan = is_nan(format.decode(code)) && is_nan(value);
    different +=
        !both_nan && __builtin_bit_cast(std::uint64_t, format.decode(code)) != __builtin_bit_cast(std::uint64_t, value)
            ? 1
            : 0;
    const double between = value * 1.03125 + 0.4375;
    for (const Overflow overflow : {Overflow::ieee, Overflow::saturate})
      for (const Rounding rounding : {Rounding::nearest_even, Rounding::toward_zero, Rounding::toward_positive})
        different += format.encode(between, rounding, overflow) !=
                             FormatTraits<T>::to_bits(encode<T>(between, rounding, overflow))
                         ? 1
                         : 0;
  }
  CHECK(different == 0);
}

}  // namespace

TEST_CASE("a format chosen at run time is the type it was made from") {
  require_like_its_type<float16>(1 << 16);
  require_like_its_type<bfloat16>(1 << 16);
  require_like_its_type<float8_e4m3fn>(256);
  require_like_its_type<float8_e5m2>(256);
  require_like_its_type<float8_e4m3fnuz>(256);
  require_like_its_type<float6_e3m2fn>(64);
  require_like_its_type<float4_e2m1fn>(16);
  require_like_its_type<std::int8_t>(256);
  require_like_its_type<std::uint8_t>(256);
  require_like_its_type<int4_t>(16);
}

TEST_CASE("wide formats decode and encode") {
  const ElementFormat f32 = element_format<float32>(), f64 = element_format<float64>();
  CHECK(f32.round(0.1) == static_cast<double>(0.1f));
  CHECK(f64.round(0.1) == 0.1);
  CHECK(f32.max_finite() == static_cast<double>(std::numeric_limits<float>::max()));
  CHECK(f32.unit_roundoff() == 0x1p-24);
  CHECK(f32.min_subnormal() == 0x1p-149);
  CHECK(f32.unit_in_last_place(1.5) == 0x1p-23);
  CHECK(f32.unit_in_last_place(0) == 0x1p-149);
}

TEST_CASE("indices are kept in 32 and 64 bits") {
  const ElementFormat i32 = element_format<std::int32_t>(), i64 = element_format<std::int64_t>();
  for (const double value : {0.0, 1.0, -1.0, 2147483647.0, -2147483648.0}) {
    CHECK(i32.round(value) == value);
    CHECK(i64.round(value) == value);
  }
  CHECK(i32.round(3e9) == 2147483647.0);
  CHECK(i64.round(9007199254740992.0) == 9007199254740992.0);
  for (const double value : {2.7, -2.7, 1.5, -1.5, 2.5, 0.4, -0x1p-1074, 4503599627370495.5})
    for (const Rounding rounding :
         {Rounding::nearest_even, Rounding::nearest_away, Rounding::toward_zero, Rounding::toward_positive})
      CHECK(i64.round(value, rounding) ==
            (value > 1e9 ? (rounding == Rounding::toward_zero ? 0x1p52 - 1 : 0x1p52) : i32.round(value, rounding)));
  CHECK(i64.decode(i64.encode(1e30)) == 0x1p63);
  CHECK(i64.decode(i64.encode(-1e30)) == -0x1p63);
  CHECK(i64.encode(std::numeric_limits<double>::quiet_NaN()) == 0);
  CHECK(i32.unit_roundoff() == 0);
  CHECK(i32.unit_in_last_place(7) == 1);
  CHECK_FALSE(i32 == i64);
  CHECK_FALSE(i32 == element_format<std::int8_t>());
}

TEST_CASE("elements are loaded and stored at any place, their neighbors left alone") {
  for (const ElementFormat& format :
       {element_format<std::int8_t>(), element_format<bfloat16>(), element_format<float32>(), element_format<float64>(),
        element_format<std::int32_t>()}) {
    unsigned char memory[64] = {};
    for (Index place = 0; place < 5; ++place) format.store(memory, place, static_cast<double>(place) - 2);
    for (Index place = 0; place < 5; ++place) CHECK(format.load(memory, place) == static_cast<double>(place) - 2);
    for (std::size_t byte = static_cast<std::size_t>(5 * format.bytes); byte < sizeof memory; ++byte)
      CHECK(memory[byte] == 0);
  }
}
