#include "assay/formats/small_formats.hpp"

#include <string>

#include "assay/formats/limits.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

template <class T>
std::string described() {
  const auto number = [](double value) { return std::to_string(value).substr(0, 9); };
  const FloatLayout layout = FormatTraits<T>::layout;
  return std::string(FormatTraits<T>::name()) + ' ' + std::to_string(layout.bits()) + " max " +
         number(max_finite<T>()) + " normal " + std::to_string(exponent_of(min_normal<T>())) + " subnormal " +
         std::to_string(exponent_of(min_subnormal<T>()));
}

}  // namespace

// The figures of OFP8 1.0 (table 1), OCP MX 1.0 (tables 2 to 5), and the papers that small_formats.hpp names.
TEST_CASE("the small formats have the ranges of their specifications", "[formats]") {
  CHECK(described<float8_e4m3fn>() == "e4m3fn 8 max 448.00000 normal -6 subnormal -9");
  CHECK(described<float8_e5m2>() == "e5m2 8 max 57344.000 normal -14 subnormal -16");
  CHECK(described<float8_e4m3fnuz>() == "e4m3fnuz 8 max 240.00000 normal -7 subnormal -10");
  CHECK(described<float8_e5m2fnuz>() == "e5m2fnuz 8 max 57344.000 normal -15 subnormal -17");
  CHECK(described<float8_e4m3b11fnuz>() == "e4m3b11fnuz 8 max 30.000000 normal -10 subnormal -13");
  CHECK(described<float8_e4m3>() == "e4m3 8 max 240.00000 normal -6 subnormal -9");
  CHECK(described<float8_e3m4>() == "e3m4 8 max 15.500000 normal -2 subnormal -6");
  CHECK(described<float6_e2m3fn>() == "e2m3fn 6 max 7.500000 normal 0 subnormal -3");
  CHECK(described<float6_e3m2fn>() == "e3m2fn 6 max 28.000000 normal -2 subnormal -4");
  CHECK(described<float4_e2m1fn>() == "e2m1fn 4 max 6.000000 normal 0 subnormal -1");
  CHECK(std::string(FormatTraits<float8_e8m0fnu>::name()) == "e8m0fnu");
  CHECK(FormatTraits<float8_e8m0fnu>::bits == 8);
  CHECK(max_finite<float8_e8m0fnu>() == 0x1p127);
  CHECK(min_normal<float8_e8m0fnu>() == 0x1p-127);
  CHECK(min_subnormal<float8_e8m0fnu>() == 0x1p-127);
}
