#include "assay/formats/code_format.hpp"

#include <cmath>
#include <cstdint>

#include "assay/formats/nf4.hpp"
#include "assay/formats/small_formats.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

template <Format T>
void check_floating_point() {
  const CodeFormat format = code_format<T>();
  INFO(format.name);
  CHECK(format.max_value() == max_finite<T>());
  for (std::uint32_t code = 0; code <= format.code_mask(); ++code) {
    const T value = FormatTraits<T>::from_bits(static_cast<typename FormatTraits<T>::Bits>(code));
    if (is_nan(value)) {
      CHECK(is_nan(format.decode(code)));
      continue;
    }
    CHECK(format.decode(code) == decode(value));
    if (!is_finite(value)) continue;
    CHECK(format.encode(format.decode(code)) == code);
    const double between = (decode(value) + decode(next_up(value))) / 2;
    if (is_finite(next_up(value))) CHECK(format.encode(between) == FormatTraits<T>::to_bits(encode<T>(between)));
  }
  CHECK(format.decode(format.encode(1e30)) == format.max_value());
  CHECK(format.decode(format.encode(-1e30)) == -format.max_value());
}

}  // namespace

TEST_CASE("a floating-point format chosen at run time is the type's") {
  check_floating_point<float8_e4m3fn>();
  check_floating_point<float8_e5m2>();
  check_floating_point<float6_e2m3fn>();
  check_floating_point<float6_e3m2fn>();
  check_floating_point<float4_e2m1fn>();
  CHECK(code_format<float32>().encode(0.1) == __builtin_bit_cast(std::uint32_t, 0.1F));
  CHECK(code_format<float32>().code_mask() == 0xFFFFFFFFu);
  CHECK(is_nan(code_format<float8_e4m3fn>().decode(code_format<float8_e4m3fn>().nan_code())));
}

TEST_CASE("emax and the fraction bits are those of the MX specification's tables") {
  CHECK(code_format<float8_e4m3fn>().max_exponent() == 8);
  CHECK(code_format<float8_e5m2>().max_exponent() == 15);
  CHECK(code_format<float6_e2m3fn>().max_exponent() == 2);
  CHECK(code_format<float6_e3m2fn>().max_exponent() == 4);
  CHECK(code_format<float4_e2m1fn>().max_exponent() == 2);
  const CodeFormat mxint8 = integer_code_format("int8", 8, true, -127, 127, -6);
  CHECK(mxint8.max_exponent() == 0);
  CHECK(mxint8.fraction_bits() == 6);
  CHECK(mxint8.max_value() == 127.0 / 64);
  CHECK(code_format<float6_e3m2fn>().fraction_bits() == 2);
}

TEST_CASE("exponents are powers of two from 2^-127 to 2^127, and one NaN") {
  const CodeFormat format = code_format<float8_e8m0fnu>();
  CHECK(format.holds_only_powers_of_two());
  CHECK_FALSE(format.has_negative_zero());
  for (std::uint32_t code = 0; code < 255; ++code) {
    CHECK(format.decode(code) == std::ldexp(1.0, static_cast<int>(code) - 127));
    CHECK(format.encode(format.decode(code)) == code);
  }
  CHECK(is_nan(format.decode(255)));
  CHECK(format.nan_code() == 255);
  CHECK(format.encode(0x1p200) == 254);
  CHECK(format.encode(0x1p-200) == 0);
  CHECK(format.max_value() == 0x1p127);
  CHECK_FALSE(code_format<float8_e4m3fn>().holds_only_powers_of_two());
  CHECK(code_format<float8_e4m3fn>().has_negative_zero());
  CHECK_FALSE(code_format<float8_e4m3fnuz>().has_negative_zero());
}

TEST_CASE("integers round to nearest, ties to even, and stay in their range") {
  const CodeFormat format = integer_code_format("int8", 8, true, -127, 127);
  for (int quarter = -600; quarter <= 600; ++quarter) {
    const double value = quarter * 0.25;
    const double expected = std::fmin(127, std::fmax(-127, std::nearbyint(value)));
    INFO(value);
    CHECK(format.integer_of(format.encode(value)) == static_cast<int>(expected));
    CHECK(format.decode(format.encode(value)) == expected);
  }
  CHECK(format.integer_of(format.encode(1e300)) == 127);
  CHECK(format.integer_of(format.encode(-1e300)) == -127);
  CHECK(format.integer_of(0x80) == -128);
  const CodeFormat nibble = integer_code_format("uint4", 4, false, 0, 15);
  CHECK(nibble.integer_of(15) == 15);
  CHECK(integer_code_format("int4", 4, true, -8, 7).integer_of(15) == -1);
  CHECK(integer_code_format("int8", 8, true, -127, 127, -6).encode(1.0) == 64);
}

TEST_CASE("a zero point is added after rounding, and taken away when decoding") {
  const CodeFormat format = integer_code_format("uint8", 8, false, 0, 255);
  CHECK(format.encode(0.5, 7) == 7);  // 0 + 7, though 7.5 would round to 8
  CHECK(format.encode(1.5, 7) == 9);
  CHECK(format.encode(-100, 7) == 0);
  CHECK(format.encode(1000, 7) == 255);
  CHECK(format.decode(9, 7) == 2);
  CHECK(format.decode(0, 7) == -7);
}

TEST_CASE("nf4 as a description gives the codes of the type") {
  const CodeFormat format = table_code_format("nf4", NormalFloat4::table());
  for (int i = -1100; i <= 1100; ++i) {
    const double value = i * 0.001;
    CHECK(format.encode(value) == FormatTraits<nf4>::to_bits(encode<nf4>(value)));
  }
  for (std::uint32_t code = 0; code < 16; ++code) CHECK(format.encode(format.decode(code)) == code);
  for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL, -0.0})
    CHECK(format.encode(value) == FormatTraits<nf4>::to_bits(encode<nf4>(value)));
  for (std::uint32_t code = 0; code < 15; ++code) {
    const double middle = (format.values[code] + format.values[code + 1]) / 2;
    for (const double value : {std::nextafter(middle, -2.0), middle, std::nextafter(middle, 2.0)})
      CHECK(format.encode(value) == FormatTraits<nf4>::to_bits(encode<nf4>(value)));
  }
}

TEST_CASE("distances in a table are compared exactly") {
  CodeFormat format = table_code_format("wide", LookupTable<1>{"wide", {-0x1p1000, 1}});
  CHECK(format.encode(-0x1p999) == 0);  // the middle is (1 − 2^1000)/2, which a double cannot tell from −2^999
  CHECK(format.encode(-0x1.FFFFFFFFFFFFFp998) == 1);
}

TEST_CASE("a table gives the nearest of its values, the lower one of two as near") {
  CodeFormat format;
  format.kind = CodeKind::table;
  format.bits = 2;
  const double values[] = {-1, 0, 0.5, 2};
  for (std::size_t i = 0; i < 4; ++i) format.values[i] = values[i];
  CHECK(format.encode(-7) == 0);
  CHECK(format.encode(-0.5) == 0);
  CHECK(format.encode(-0.49) == 1);
  CHECK(format.encode(0.25) == 1);
  CHECK(format.encode(0.26) == 2);
  CHECK(format.encode(99) == 3);
  CHECK(format.decode(3) == 2);
  CHECK(format.max_value() == 2);
}
