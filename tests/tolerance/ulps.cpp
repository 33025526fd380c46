#include "assay/tolerance/ulps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "testing/catch.hpp"
#include "tolerance/small_format.hpp"

using namespace assay;
using assay::testing::all_values;
using assay::testing::FiniteOnly;
using assay::testing::NanOnOverflow;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
static_assert(Tolerance<UlpTolerance, float64> && Tolerance<UlpTolerance, bfloat16>);

template <class T>
AcceptanceInterval interval(unsigned count, double value) {
  return UlpTolerance{count}.interval<T>({value, 0});
}

/// Against the table of all values: the neighbors by position, infinities at either end where the format has them.
template <class T>
void check_against_table() {
  std::vector<double> values = all_values<T>();
  if (FormatTraits<T>::layout.has_infinity()) {
    values.insert(values.begin(), -infinity);
    values.push_back(infinity);
  }
  const auto last = static_cast<std::ptrdiff_t>(values.size()) - 1;
  for (unsigned count : {0u, 1u, 2u, 7u, 1000u, 4000000000u})
    for (std::ptrdiff_t at = 0; at <= last; ++at) {
      if (std::isinf(values[static_cast<std::size_t>(at)])) continue;
      const AcceptanceInterval found = interval<T>(count, values[static_cast<std::size_t>(at)]);
      const double lower =
          values[static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, at - static_cast<std::ptrdiff_t>(count)))];
      const double upper =
          values[static_cast<std::size_t>(std::min<std::ptrdiff_t>(last, at + static_cast<std::ptrdiff_t>(count)))];
      if (found.lower != lower || found.upper != upper || found.nan_accepted || found.undetermined)
        FAIL(FormatTraits<T>::name() << ": " << count << " about " << values[static_cast<std::size_t>(at)] << " gave "
                                     << found.lower << " to " << found.upper);
    }
}
}  // namespace

TEST_CASE("ulps accepts so many neighbors of every value: through zero, between signs, up to the largest",
          "[tolerance]") {
  check_against_table<NanOnOverflow>();
  check_against_table<FiniteOnly>();
  check_against_table<float16>();
  check_against_table<bfloat16>();
  SUCCEED();
}

TEST_CASE("ulps counts in the wide formats as nextafter does", "[tolerance]") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const double wide = detail::double_of(random());
    const float narrow = FormatTraits<float32>::from_bits(static_cast<std::uint32_t>(random()));
    if (std::isfinite(wide)) {
      REQUIRE(interval<float64>(1, wide).lower == std::nextafter(wide, -infinity));
      REQUIRE(interval<float64>(1, wide).upper == std::nextafter(wide, infinity));
    }
    if (std::isfinite(narrow)) {
      REQUIRE(interval<float32>(2, narrow).lower == std::nextafter(std::nextafter(narrow, -INFINITY), -INFINITY));
      REQUIRE(interval<float32>(2, narrow).upper == std::nextafter(std::nextafter(narrow, INFINITY), INFINITY));
    }
  }
}

TEST_CASE("ulps counts from the rounded reference", "[tolerance]") {
  CHECK(interval<float16>(0, 2049).contains(2048));
  CHECK_FALSE(interval<float16>(0, 2049).contains(2050));
  CHECK(interval<float16>(1, 2049).lower == 2047);
  CHECK(interval<float16>(1, 2049).upper == 2050);
  CHECK(interval<float16>(1, 0).lower == -0x1p-24);
  CHECK(interval<float16>(1, -0.0).upper == 0x1p-24);
  CHECK(interval<float16>(3, 0x1p-24).lower == -0x1p-23);
}

TEST_CASE("ulps at and beyond the largest number", "[tolerance]") {
  CHECK(interval<float16>(1, 65504).contains(infinity));
  CHECK_FALSE(interval<float16>(0, 65504).contains(infinity));
  CHECK(interval<float16>(1, 65520).contains(65504));  // the reference rounds to infinity
  CHECK(interval<float16>(1, 65520).contains(infinity));
  CHECK_FALSE(interval<float16>(1, 65520).contains(65472));
  CHECK_FALSE(interval<NanOnOverflow>(3, 448).contains(not_a_number));
  CHECK(interval<NanOnOverflow>(3, 500).contains(not_a_number));
  CHECK_FALSE(interval<NanOnOverflow>(3, 500).contains(448));
}

TEST_CASE("ulps takes NaN and infinities as they are", "[tolerance]") {
  CHECK(interval<float16>(9, not_a_number).contains(not_a_number));
  CHECK_FALSE(interval<float16>(9, not_a_number).contains(1));
  CHECK(interval<float16>(9, infinity).contains(infinity));
  CHECK_FALSE(interval<float16>(9, infinity).contains(65504));
  CHECK(UlpTolerance{4}.describe().find("within 4 units in the last place") != std::string::npos);
}
