#include "assay/tolerance/exact.hpp"

#include <limits>

#include "testing/catch.hpp"
#include "tolerance/small_format.hpp"

using namespace assay;
using assay::testing::NanOnOverflow;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
static_assert(Tolerance<ExactTolerance, float64> && Tolerance<ExactTolerance, float16>);

template <class T>
AcceptanceInterval interval(double value, double error = 0) {
  return ExactTolerance{}.interval<T>({value, error});
}
}  // namespace

TEST_CASE("exact accepts the correctly rounded reference and no neighbor", "[tolerance]") {
  CHECK(interval<float16>(2049).contains(2048));  // a tie, to even
  CHECK_FALSE(interval<float16>(2049).contains(2050));
  CHECK(interval<float16>(2051).contains(2052));
  CHECK_FALSE(interval<float16>(2051).contains(2050));
  CHECK(interval<float64>(0.1).contains(0.1));
  CHECK_FALSE(interval<float64>(0.1).contains(0.1 + 0x1p-56));
  CHECK(interval<float32>(0).contains(-0.0));
  CHECK(interval<float16>(0x1p-26).contains(0));
  CHECK(interval<float16>(0x1p-24).contains(0x1p-24));
  CHECK_FALSE(interval<float16>(0x1p-24).contains(0));
}

TEST_CASE("exact does not ask how large an error a kernel may make", "[tolerance]") {
  CHECK_FALSE(interval<float16>(1, 100).contains(2));
  CHECK_FALSE(interval<float16>(1, infinity).undetermined);
  CHECK_FALSE(interval<float16>(1, infinity).contains(2));
}

TEST_CASE("exact knows where overflow begins and what it gives", "[tolerance]") {
  CHECK(interval<float16>(65519.99).contains(65504));
  CHECK_FALSE(interval<float16>(65519.99).contains(infinity));
  CHECK(interval<float16>(65520).contains(infinity));
  CHECK_FALSE(interval<float16>(65520).contains(65504));
  CHECK(interval<NanOnOverflow>(464).contains(448));
  CHECK(interval<NanOnOverflow>(464.1).contains(not_a_number));
  CHECK_FALSE(interval<NanOnOverflow>(464.1).contains(448));
  CHECK(interval<float16>(not_a_number).contains(not_a_number));
  CHECK(interval<float16>(-infinity).contains(-infinity));
  CHECK_FALSE(interval<float16>(-infinity).contains(infinity));
  CHECK(ExactTolerance{}.describe().find("correctly rounded") != std::string::npos);
}
