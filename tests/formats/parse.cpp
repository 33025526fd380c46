#include "assay/formats/parse.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "assay/formats/format_list.hpp"
#include "formats/rounding_oracle.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

template <class T>
std::uint64_t code_of(const std::string& text) {
  const Result<T> value = parse<T>(text);
  INFO(text);
  REQUIRE(value);
  return FormatTraits<T>::to_bits(value.value());
}

/// A double with all of its digits, and then some: "…d" + tail, which lies that much above it.
std::string exact_text(double value, const std::string& tail = "") {
  char text[1200];
  std::snprintf(text, sizeof text, "%.1080f", value);
  return text + tail;
}

/// Around every middle of two neighbors: on it, and above and below it by less than a double can tell.
template <class T>
int wrong_middles() {
  constexpr FloatLayout layout = FormatTraits<T>::layout;
  const testing::RoundingOracle oracle(layout);
  const std::vector<double>& values = oracle.values();
  const std::size_t step = values.size() > 4096 ? 37 : 1;
  int wrong = 0;
  for (std::size_t i = 0; i + 1 < values.size(); i += step) {
    const double middle = values[i] + (values[i + 1] - values[i]) / 2;
    const std::uint64_t on = oracle.round(middle, Rounding::nearest_even);
    wrong += code_of<T>(exact_text(middle)) != on ? 1 : 0;
    wrong += code_of<T>(exact_text(middle, "0000000000000001")) != i + 1 ? 1 : 0;
    // the digits of the double below, continued with nines, come as near to the middle from below
    const std::string below = exact_text(std::nextafter(middle, 0.0), "9999999");
    wrong += code_of<T>(below) != i ? 1 : 0;
    if (layout.has_sign())
      wrong += code_of<T>(std::string("-").append(exact_text(middle, "001"))) != ((i + 1) | layout.sign_mask()) ? 1 : 0;
  }
  return wrong;
}

}  // namespace

TEST_CASE("text around every middle of two values is rounded once", "[formats]") {
  CHECK(wrong_middles<float16>() == 0);
  CHECK(wrong_middles<bfloat16>() == 0);
  CHECK(wrong_middles<float8_e4m3fn>() == 0);
  CHECK(wrong_middles<float8_e5m2fnuz>() == 0);
  CHECK(wrong_middles<float6_e3m2fn>() == 0);
  CHECK(wrong_middles<float4_e2m1fn>() == 0);
}

TEST_CASE("just below a middle, by less than a double can tell, is below it", "[formats]") {
  // 1 + 2^-11 is the middle of 1 and its successor in float16, 1 + 3·2^-11 that of the next two, which goes to the even
  // one above
  CHECK(code_of<float16>("1.00048828125") == 0x3C00);
  CHECK(code_of<float16>("1.00048828125000000000000000000000000000001") == 0x3C01);
  CHECK(code_of<float16>("1.00048828124999999999999999999999999999999") == 0x3C00);
  CHECK(code_of<float16>("1.00146484375") == 0x3C02);
  CHECK(code_of<float16>("1.00146484374999999999999999999999999999999") == 0x3C01);
  CHECK(code_of<float16>("-1.00146484374999999999999999999999999999999") == 0xBC01);
  CHECK(code_of<float8_e4m3fn>("464") == 0x7E);
  CHECK(code_of<float8_e4m3fn>("464.00000000000000000000000000000000001") == 0x7F);
  CHECK(code_of<std::int8_t>("2.5") == 2);
  CHECK(code_of<std::int8_t>("2.50000000000000000000000000000000001") == 3);
}

TEST_CASE("float and double are read as by the C library, decimal and hexadecimal", "[formats]") {
  testing::TestNumbers numbers(77);
  int wrong = 0;
  for (int i = 0; i < 40000; ++i) {
    char text[80];
    const double value = i % 3 == 0   ? numbers.value(-1074, 1023)
                         : i % 3 == 1 ? numbers.value(-150, 129)
                                      : numbers.value(-30, 30);
    std::snprintf(text, sizeof text, i % 2 == 0 ? "%.*e" : "%.*a", i % 23, value);
    wrong += code_of<double>(text) != __builtin_bit_cast(std::uint64_t, std::strtod(text, nullptr)) ? 1 : 0;
    wrong += code_of<float>(text) != __builtin_bit_cast(std::uint32_t, std::strtof(text, nullptr)) ? 1 : 0;
  }
  CHECK(wrong == 0);
}

TEST_CASE("hexadecimal numbers longer than a double are rounded once", "[formats]") {
  CHECK(code_of<float16>("0x1.002p0") == 0x3C00);
  CHECK(code_of<float16>("0x1.00200000000000000000000000001p0") == 0x3C01);
  CHECK(code_of<float16>("0x1.005ffffffffffffffffffffffffffffp0") == 0x3C01);
  CHECK(code_of<float16>("0x1.006") == 0x3C02);
  CHECK(code_of<float16>("0X.8P1") == 0x3C00);
  CHECK(code_of<float16>("-0x10000000000000000000000000p-100") == 0xBC00);
  CHECK(code_of<float16>("0x1p-25") == 0);
  CHECK(code_of<float16>("0x1.0000000000000000000001p-25") == 1);
  CHECK(code_of<float16>("0x1p-99999999999999999999") == 0);
  CHECK(code_of<float16>("0x1p99999999999999999999") == 0x7C00);
  CHECK(code_of<double>("0x1.00000000000008p0") == 0x3FF0000000000000u);
  CHECK(code_of<double>("0x1.000000000000080000000001p0") == 0x3FF0000000000001u);
}

TEST_CASE("special values, signs and ranges", "[formats]") {
  CHECK(code_of<float16>("0") == 0);
  CHECK(code_of<float16>("-0.000e5") == 0x8000);
  CHECK(code_of<float16>("+.5") == 0x3800);
  CHECK(code_of<float16>("5.") == 0x4500);
  CHECK(code_of<float16>("inf") == 0x7C00);
  CHECK(code_of<float16>("-Infinity") == 0xFC00);
  CHECK(code_of<float16>("NaN") == 0x7E00);
  CHECK(code_of<double>("INF") == 0x7FF0000000000000u);
  CHECK(is_nan(parse<double>("-nan").value()));
  CHECK(code_of<float16>("1e400") == 0x7C00);
  CHECK(code_of<float16>("1e-400") == 0);
  CHECK(code_of<double>("1e400") == 0x7FF0000000000000u);
  CHECK(code_of<double>("-1e-400") == 0x8000000000000000u);
  CHECK(code_of<float16>("1e99999999999999999999999") == 0x7C00);
  CHECK(code_of<float8_e8m0fnu>("1e-400") == 0);
  CHECK(code_of<float8_e8m0fnu>("0") == 0xFF);
  CHECK(code_of<float8_e8m0fnu>("-1") == 0xFF);
  CHECK(FormatTraits<float16>::to_bits(parse<float16>("1e9", Overflow::saturate).value()) == 0x7BFF);
  CHECK(FormatTraits<float16>::to_bits(parse<float16>("-inf", Overflow::saturate).value()) == 0xFBFF);
  CHECK(parse<double>("inf", Overflow::saturate).value() == std::numeric_limits<double>::max());
  CHECK(code_of<nf4>("0.4") == 12);
  CHECK(code_of<uint4_t>("99") == 15);
}

TEST_CASE("what is no number is refused, with the text and what was expected", "[formats]") {
  for (const char* text : {"",      " 1",  "1 ", "+",   "-",    ".",     "1e", "1e+",    "1e5.",  "e5",
                           "1.2.3", "--1", "0x", "0xg", "0x1p", "0x.p1", "1f", "nan(1)", "infin", "١"}) {
    INFO(text);
    const Result<float16> value = parse<float16>(text);
    REQUIRE_FALSE(value);
    CHECK(value.error().kind == ErrorKind::malformed);
    CHECK(value.error().message.find(std::string("'").append(text).append("'")) != std::string::npos);
    CHECK_FALSE(parse<double>(text));
  }
  const Result<float4_e2m1fn> nan = parse<float4_e2m1fn>("nan");
  REQUIRE_FALSE(nan);
  CHECK(nan.error().kind == ErrorKind::invalid);
  CHECK(nan.error().message.find("e2m1fn has no NaN") != std::string::npos);
  CHECK_FALSE(parse<std::int8_t>("nan"));
}
