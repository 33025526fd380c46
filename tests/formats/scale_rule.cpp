#include "assay/formats/scale_rule.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "assay/formats/small_formats.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

/// By definition, in long double, whose 64 bits hold every quotient's side of a power of two.
int by_definition(ScaleRule rule, const CodeFormat& element, float amax) {
  const auto floor_log = [](long double value) { return std::ilogb(value); };
  switch (rule) {
    case ScaleRule::exponent_floor: return floor_log(amax) - element.max_exponent();
    case ScaleRule::exponent_ceiling:
      return floor_log(amax) + (std::scalbn(1.0L, floor_log(amax)) < amax ? 1 : 0) - element.max_exponent();
    case ScaleRule::exponent_even: {  // the significand, 24 bits, with half a unit of the element's precision added
      int exponent = 0;
      const auto significand =
          static_cast<std::int64_t>(std::scalbn(std::frexp(static_cast<double>(amax), &exponent), 24));
      const std::int64_t rounded = significand + (std::int64_t{1} << (23 - element.fraction_bits() - 1));
      return exponent - 1 + (rounded >= (std::int64_t{1} << 24) ? 1 : 0) - element.max_exponent();
    }
    default: {
      int scale = -400;
      while (static_cast<long double>(element.max_value()) * std::scalbn(1.0L, scale) < amax) ++scale;
      return scale;
    }
  }
}

}  // namespace

TEST_CASE("exponents of scales are those of the definitions, about powers of two and the largest elements above all") {
  const CodeFormat elements[] = {code_format<float8_e4m3fn>(), code_format<float8_e5m2>(),
                                 code_format<float6_e2m3fn>(), code_format<float6_e3m2fn>(),
                                 code_format<float4_e2m1fn>(), integer_code_format("int8", 8, true, -127, 127, -6)};
  for (const CodeFormat& element : elements)
    for (ScaleRule rule : {ScaleRule::exponent_floor, ScaleRule::exponent_ceiling, ScaleRule::exponent_even,
                           ScaleRule::exponent_covering}) {
      CHECK(is_exponent_rule(rule));
      for (int exponent : {-149, -140, -127, -126, -1, 0, 1, 20, 126, 127})
        for (float factor : {1.0F, 1.25F, 1.5F, 1.75F, 1.875F,
                             static_cast<float>(element.max_value() * std::exp2(-element.max_exponent()))})
          for (int step : {-1, 0, 1}) {
            float amax = std::ldexp(factor, exponent);
            if (step != 0) amax = std::nextafter(amax, step < 0 ? 0.0F : INFINITY);
            if (!(amax > 0) || std::isinf(amax)) continue;
            INFO(element.name << ' ' << name_of(rule) << ' ' << amax);
            CHECK(scale_exponent(rule, element, amax) == by_definition(rule, element, amax));
          }
    }
}

TEST_CASE("the rules differ where they should") {
  const CodeFormat e2m1 = code_format<float4_e2m1fn>();  // 6 = 1.5·2^2
  const auto exponent = [&](ScaleRule rule, double amax) { return scale_exponent(rule, e2m1, amax); };
  CHECK(exponent(ScaleRule::exponent_floor, 4) == 0);
  CHECK(exponent(ScaleRule::exponent_floor, 7.9) == 0);
  CHECK(exponent(ScaleRule::exponent_ceiling, 4) == 0);
  CHECK(exponent(ScaleRule::exponent_ceiling, 4.1) == 1);
  CHECK(exponent(ScaleRule::exponent_covering, 6) == 0);
  CHECK(exponent(ScaleRule::exponent_covering, 6.1) == 1);
  CHECK(exponent(ScaleRule::exponent_even, 6.9) == 0);
  CHECK(exponent(ScaleRule::exponent_even, 7) == 1);
}

TEST_CASE("every rule has a name of its own") {
  for (int i = 0; i <= static_cast<int>(ScaleRule::given); ++i)
    for (int j = 0; j < i; ++j)
      CHECK(std::string(name_of(static_cast<ScaleRule>(i))) != name_of(static_cast<ScaleRule>(j)));
  CHECK_FALSE(is_exponent_rule(ScaleRule::maximum));
  CHECK_FALSE(is_exponent_rule(ScaleRule::range));
  CHECK_FALSE(is_exponent_rule(ScaleRule::given));
}
