#include "assay/formats/to_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "assay/formats/format_list.hpp"
#include "formats/rounding_oracle.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

std::size_t digits_in(const std::string& text) {
  std::string digits;
  for (const char letter : text) {
    if (letter == 'e') break;
    if (letter >= '0' && letter <= '9') digits += letter;
  }
  digits.erase(0, digits.find_first_not_of('0'));
  while (!digits.empty() && digits.back() == '0') digits.pop_back();
  return digits.size();
}

/// The least number of digits of a decimal in the interval that rounds to each value, by trying all with up to four.
template <class T>
int texts_that_are_not_shortest() {
  constexpr FloatLayout layout = FormatTraits<T>::layout;
  const testing::RoundingOracle oracle(layout);
  std::map<std::uint64_t, std::size_t> least;
  for (int exponent = -48; exponent < 44; ++exponent)
    for (int number = 1; number < 1000; ++number) {
      const double value = std::strtod((std::to_string(number) + "e" + std::to_string(exponent)).c_str(), nullptr);
      if (value > oracle.values().back()) continue;
      const std::uint64_t code = oracle.round(value, Rounding::nearest_even);
      const std::size_t digits = digits_in(std::to_string(number));
      if (least.count(code) == 0 || digits < least[code]) least[code] = digits;
    }
  int wrong = 0;
  for (std::uint64_t code = oracle.values()[0] > 0 ? 0 : 1; code + 1 < oracle.values().size();
       ++code) {  // the largest is not rounded up
    const std::string text = to_text(FormatTraits<T>::from_bits(static_cast<typename FormatTraits<T>::Bits>(code)));
    wrong += digits_in(text) != (least.count(code) > 0 ? least[code] : 4) ? 1 : 0;
  }
  return wrong;
}

/// Every code reads back as itself, NaN as some NaN.
template <class T>
int lost_codes(std::uint64_t step = 1) {
  using Traits = FormatTraits<T>;
  int lost = 0;
  for (std::uint64_t code = 0; code < std::uint64_t{1} << Traits::bits; code += step) {
    const T value = Traits::from_bits(static_cast<typename Traits::Bits>(code));
    const Result<T> read = parse<T>(to_text(value));
    if (!read)
      ++lost;
    else if (std::isnan(decode(value)))
      lost += std::isnan(decode(read.value())) ? 0 : 1;
    else
      lost += Traits::to_bits(read.value()) != code ? 1 : 0;
  }
  return lost;
}

}  // namespace

TEST_CASE("every code is written so that it reads back as itself", "[formats]") {
  CHECK(lost_codes<float8_e4m3fn>() == 0);
  CHECK(lost_codes<float8_e5m2>() == 0);
  CHECK(lost_codes<float8_e4m3fnuz>() == 0);
  CHECK(lost_codes<float8_e8m0fnu>() == 0);
  CHECK(lost_codes<float6_e2m3fn>() == 0);
  CHECK(lost_codes<float6_e3m2fn>() == 0);
  CHECK(lost_codes<float4_e2m1fn>() == 0);
  CHECK(lost_codes<std::int8_t>() == 0);
  CHECK(lost_codes<std::uint8_t>() == 0);
  CHECK(lost_codes<int4_t>() == 0);
  CHECK(lost_codes<nf4>() == 0);
  CHECK(lost_codes<float16>(7) == 0);
  CHECK(lost_codes<bfloat16>(7) == 0);
  CHECK(lost_codes<tfloat32>(101) == 0);
}

TEST_CASE("no shorter decimal reads back", "[formats]") {
  CHECK(texts_that_are_not_shortest<float8_e4m3fn>() == 0);
  CHECK(texts_that_are_not_shortest<float8_e5m2>() == 0);
  CHECK(texts_that_are_not_shortest<float8_e8m0fnu>() == 0);
  CHECK(texts_that_are_not_shortest<float6_e2m3fn>() == 0);
  CHECK(texts_that_are_not_shortest<float4_e2m1fn>() == 0);
}

TEST_CASE("float and double have as few digits as the standard library gives them", "[formats]") {
  testing::TestNumbers numbers(12);
  int wrong = 0;
  for (int i = 0; i < 3000; ++i) {
    const double value =
        i % 10 == 0 ? std::ldexp(1.0, static_cast<int>(numbers.bits() % 2000) - 1000) : numbers.value(-1074, 1023);
    const float single = i % 10 == 0 ? std::ldexp(1.0f, static_cast<int>(numbers.bits() % 250) - 125)
                                     : static_cast<float>(numbers.value(-149, 127));
    char text[64];
    wrong +=
        digits_in(to_text(value)) !=
                digits_in(std::string(text, std::to_chars(text, text + 64, value, std::chars_format::scientific).ptr))
            ? 1
            : 0;
    wrong +=
        digits_in(to_text(single)) !=
                digits_in(std::string(text, std::to_chars(text, text + 64, single, std::chars_format::scientific).ptr))
            ? 1
            : 0;
    wrong += parse<double>(to_text(value)).value() != value || parse<float>(to_text(single)).value() != single ? 1 : 0;
  }
  CHECK(wrong == 0);
}

TEST_CASE("numbers are written as people write them", "[formats]") {
  CHECK(to_text(float16(0.1)) == "0.1");
  CHECK(to_text(float16(65504.0)) == "65500");
  CHECK(to_text(float8_e4m3fn(448.0)) == "448");
  CHECK(to_text(float8_e4m3fn(-0.0)) == "-0");
  CHECK(to_text(float4_e2m1fn(1.5)) == "1.5");
  CHECK(to_text(float6_e2m3fn(7.5)) == "7.5");
  CHECK(to_text(std::int8_t{-128}) == "-128");
  CHECK(to_text(std::uint8_t{250}) == "250");
  CHECK(to_text(1.0) == "1");
  CHECK(to_text(1e15) == "1000000000000000");
  CHECK(to_text(1e16) == "1e16");
  CHECK(to_text(-12.5f) == "-12.5");
  CHECK(to_text(0.00012) == "0.00012");
  CHECK(to_text(1.25e-6) == "1.25e-6");
  CHECK(to_text(0x1p-1074) == "5e-324");
  CHECK(to_text(std::numeric_limits<double>::max()) == "1.7976931348623157e308");
  CHECK(to_text(-std::numeric_limits<float>::infinity()) == "-inf");
  CHECK(to_text(std::numeric_limits<double>::quiet_NaN()) == "nan");
  CHECK(to_text(FormatTraits<float8_e5m2fnuz>::from_bits(0x80)) == "nan");
}
