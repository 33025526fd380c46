#include "assay/formats/ulp_distance.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "assay/formats/limits.hpp"
#include "assay/formats/small_formats.hpp"
#include "testing/catch.hpp"

using assay::decode;
using assay::FormatTraits;
using assay::ulp_distance;

namespace {

/// Against the position among all distinct values in order.
template <class T>
int wrong_distances() {
  using Traits = FormatTraits<T>;
  std::vector<T> codes;
  std::vector<double> values;
  for (std::uint64_t code = 0; code < std::uint64_t{1} << Traits::bits; ++code) {
    const T value = Traits::from_bits(static_cast<typename Traits::Bits>(code));
    if (assay::is_nan(value)) continue;
    codes.push_back(value);
    values.push_back(decode(value));
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const auto position = [&](T value) {
    return std::lower_bound(values.begin(), values.end(), decode(value)) - values.begin();
  };
  int wrong = 0;
  for (const T a : codes)
    for (const T b : codes)
      wrong += ulp_distance(a, b) != static_cast<std::uint64_t>(std::abs(position(a) - position(b))) ? 1 : 0;
  return wrong;
}

}  // namespace

TEST_CASE("the distance is the number of steps between any two values", "[formats]") {
  CHECK(wrong_distances<assay::float8_e4m3fn>() == 0);
  CHECK(wrong_distances<assay::float8_e5m2>() == 0);
  CHECK(wrong_distances<assay::float8_e4m3fnuz>() == 0);
  CHECK(wrong_distances<assay::float8_e8m0fnu>() == 0);
  CHECK(wrong_distances<assay::float6_e3m2fn>() == 0);
  CHECK(wrong_distances<assay::float4_e2m1fn>() == 0);
}

TEST_CASE("distances span the whole of double, and NaN is beyond them", "[formats]") {
  constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  static_assert(ulp_distance(1.0, 1.0 + 0x1p-52) == 1 && ulp_distance(-0.0, 0.0) == 0 &&
                ulp_distance(-0x1p-1074, 0x1p-1074) == 2);
  static_assert(ulp_distance(-infinity, infinity) == 2 * 0x7FF0000000000000u &&
                ulp_distance(infinity, -infinity) == 2 * 0x7FF0000000000000u);
  static_assert(ulp_distance(infinity, std::numeric_limits<double>::max()) == 1);
  static_assert(ulp_distance(nan, 1.0) == assay::no_ulp_distance && ulp_distance(1.0, nan) == assay::no_ulp_distance &&
                ulp_distance(nan, nan) == assay::no_ulp_distance);
  static_assert(assay::place_in_order(-1.0f) == -assay::place_in_order(1.0f) && assay::place_in_order(-0.0f) == 0);
  CHECK(ulp_distance(1.0f, 2.0f) == 1u << 23);
}
