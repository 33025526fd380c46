#include "assay/tolerance/derived.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "assay/formats/nf4.hpp"
#include "testing/catch.hpp"
#include "tolerance/small_format.hpp"

using namespace assay;
using assay::testing::all_values;
using assay::testing::FiniteOnly;
using assay::testing::NanOnOverflow;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
static_assert(Tolerance<DerivedTolerance, float64> && Tolerance<DerivedTolerance, NanOnOverflow>);

template <class T>
AcceptanceInterval interval(double value, double error, DerivedTolerance tolerance = {}) {
  return tolerance.interval<T>({value, error});
}

/// Rounding to nearest by looking it up among all values of a format: an oracle that shares no code with `encode`.
/// Beyond the last value stands the one that it would have without a largest exponent; it counts as infinity.
class Table {
 public:
  explicit Table(std::vector<double> values)
      : values_(std::move(values)), beyond_(2 * values_.back() - values_[values_.size() - 2]) {}

  const std::vector<double>& values() const { return values_; }
  double nearest(long double x) const {
    if (x < 0) return -nearest(-x);
    if (x >= (static_cast<long double>(values_.back()) + beyond_) / 2)
      return infinity;  // a tie goes to the even one: beyond
    const auto above = std::lower_bound(values_.begin(), values_.end(), x, [](double value, long double sought) {
      return static_cast<long double>(value) < sought;
    });
    if (above == values_.end()) return values_.back();
    if (static_cast<long double>(*above) == x || above == values_.begin()) return *above;
    const double below = *(above - 1);
    const long double middle = (static_cast<long double>(below) + *above) / 2;
    if (x != middle) return x < middle ? below : *above;
    return (above - values_.begin()) % 2 == static_cast<std::ptrdiff_t>(values_.size() / 2 % 2)
               ? *above
               : below;  // even places count from zero
  }

 private:
  std::vector<double> values_;
  double beyond_;
};

/// For random r and E: every value of the format, and both infinities, is accepted exactly if it lies in
/// [RN(r − E), RN(r + E)], computed in 64 significand bits from the table.
template <class T>
void check_identity(int samples) {
  const Table table(all_values<T>());
  const std::vector<double>& values = table.values();
  std::mt19937_64 random(2024);
  std::uniform_real_distribution<double> unit(0, 1);
  const int lowest = FormatTraits<T>::layout.min_exponent() - FormatTraits<T>::layout.fraction_bits - 2;
  const int highest = exponent_of(max_finite<T>()) + 2;
  std::uniform_int_distribution<int> exponent(lowest, highest);
  std::uniform_int_distribution<int> closeness(-20, 3);
  for (int sample = 0; sample < samples; ++sample) {
    const double r = std::ldexp(1 + unit(random), exponent(random)) * (random() % 2 == 0 ? 1 : -1);
    const double error = sample % 8 == 0 ? 0 : std::fabs(r) * std::ldexp(1 + unit(random), closeness(random));
    const double lower = table.nearest(static_cast<long double>(r) - error),
                 upper = table.nearest(static_cast<long double>(r) + error);
    const AcceptanceInterval accepted = interval<T>(r, error);
    std::size_t wrong = 0;
    for (double value : values) wrong += accepted.contains(value) != (lower <= value && value <= upper) ? 1 : 0;
    for (double value : {infinity, -infinity})
      wrong += accepted.contains(value) != (lower <= value && value <= upper) ? 1 : 0;
    if (wrong != 0 || accepted.contains(not_a_number) || accepted.undetermined)
      FAIL(FormatTraits<T>::name() << ": r = " << r << ", E = " << error << ": [" << accepted.lower << ", "
                                   << accepted.upper << "] instead of [" << lower << ", " << upper << "]");
  }
}

}  // namespace

TEST_CASE("derived accepts exactly the values between the rounded ends of r ± E, for every value of the format",
          "[tolerance]") {
  check_identity<float16>(400);
  check_identity<bfloat16>(400);
  SUCCEED();
}

TEST_CASE("ties of the reference round to even, for every pair of neighbors", "[tolerance]") {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    const Table table(all_values<T>());
    const std::vector<double>& values = table.values();
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
      const double middle = values[i] / 2 + values[i + 1] / 2;  // exact in double
      const double rounded = table.nearest(middle);
      const AcceptanceInterval accepted = interval<T>(middle, 0);
      if (accepted.lower != rounded || accepted.upper != rounded) FAIL(FormatTraits<T>::name() << " at " << middle);
      if (interval<T>(std::nextafter(middle, infinity), 0).lower != values[i + 1]) FAIL("just above " << middle);
      if (interval<T>(std::nextafter(middle, -infinity), 0).upper != values[i]) FAIL("just below " << middle);
    }
  };
  check(float16{});
  check(bfloat16{});
  check(NanOnOverflow{});
  SUCCEED();
}

TEST_CASE("no result of a correct kernel is refused in float32 and float64, at the very edge of its error",
          "[tolerance]") {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int i = 0; i < 200000; ++i) {
    const double r = std::ldexp(unit(random), static_cast<int>(random() % 60) - 30),
                 error = std::ldexp(std::fabs(unit(random)), static_cast<int>(random() % 60) - 60);
    for (double end : {r - error, r + error}) {
      REQUIRE(interval<float64>(r, error).contains(end));
      REQUIRE(interval<float32>(r, error).contains(round_to<float32>(end)));
    }
    // and what is off by more than E, an ulp of the output and the rounding of r ± E is
    const double far = r + error + 2 * unit_in_last_place<float32>(std::fabs(r) + error);
    REQUIRE_FALSE(interval<float32>(r, error).contains(round_to<float32>(far)));
  }
}

TEST_CASE("derived knows the threshold of overflow", "[tolerance]") {
  // f16: largest 65504, threshold 65520
  CHECK(interval<float16>(65519, 0.5).upper == 65504);
  CHECK_FALSE(interval<float16>(65519, 0.5).contains(infinity));
  CHECK(interval<float16>(65519, 1).contains(infinity));
  CHECK(interval<float16>(65519, 1).contains(65504));
  CHECK(interval<float16>(65521, 0.5).lower == infinity);
  CHECK_FALSE(interval<float16>(65521, 0.5).contains(65504));
  CHECK(interval<float16>(65521, 2).contains(65504));
  CHECK(interval<float16>(-65521, 0.5).contains(-infinity));
  CHECK_FALSE(interval<float16>(-65521, 0.5).contains(infinity));
  CHECK(interval<float16>(0, 1e6).contains(infinity));
  CHECK(interval<float16>(0, 1e6).contains(-infinity));
  CHECK_FALSE(interval<float16>(0, 1e6).contains(not_a_number));
  const double f32_threshold = 0x1.ffffffp127;
  CHECK(interval<float32>(f32_threshold, 0).contains(infinity));
  CHECK(interval<float32>(std::nextafter(f32_threshold, 0.0), 0).upper == 0x1.fffffep127);
}

TEST_CASE(
    "where overflow gives NaN, NaN is right beyond the threshold, wrong before it, and either where E reaches across",
    "[tolerance]") {
  // largest 448; 464 is the tie, and goes to the even 448
  const auto accepts = [](double r, double error, double value) {
    return interval<NanOnOverflow>(r, error).contains(value);
  };
  CHECK_FALSE(accepts(460, 1, not_a_number));
  CHECK(accepts(460, 1, 448));
  CHECK_FALSE(accepts(470, 1, 448));
  CHECK(accepts(470, 1, not_a_number));
  CHECK(accepts(-470, 1, not_a_number));
  CHECK_FALSE(accepts(-470, 1, -448));
  for (double sign : {1.0, -1.0}) {
    CHECK(accepts(sign * 460, 10, not_a_number));
    CHECK(accepts(sign * 460, 10, sign * 448));
    CHECK_FALSE(accepts(sign * 460, 10, sign * 416));
    CHECK(accepts(sign * 470, 10, sign * 448));
    CHECK(accepts(sign * 470, 10, not_a_number));
  }
}

TEST_CASE("where E reaches across both thresholds of overflow to NaN, every number is as right as NaN", "[tolerance]") {
  for (double r : {0.0, 1.0, -1.0, 400.0, -400.0, 500.0, -500.0}) {
    const AcceptanceInterval accepted = interval<NanOnOverflow>(r, 1000);
    INFO("r = " << r);
    CHECK(accepted.contains(not_a_number));
    for (double value : all_values<NanOnOverflow>()) REQUIRE(accepted.contains(value));
  }
}

TEST_CASE("declared saturation and rounding decide the ends", "[tolerance]") {
  const DerivedTolerance saturating{Rounding::nearest_even, Overflow::saturate};
  CHECK(interval<float16>(1e6, 1, saturating).contains(65504));
  CHECK_FALSE(interval<float16>(1e6, 1, saturating).contains(infinity));
  CHECK(interval<NanOnOverflow>(500, 1, saturating).contains(448));
  CHECK_FALSE(interval<NanOnOverflow>(500, 1, saturating).contains(not_a_number));
  CHECK(interval<NanOnOverflow>(-infinity, 0, saturating).contains(-448));
  CHECK_FALSE(interval<NanOnOverflow>(-infinity, 0, saturating).contains(not_a_number));
  const DerivedTolerance truncating{Rounding::toward_zero, Overflow::ieee};
  CHECK(interval<float16>(2049.9, 0, truncating).contains(2048));
  CHECK_FALSE(interval<float16>(2049.9, 0, truncating).contains(2050));
  CHECK(interval<float16>(-2049.9, 0, truncating).contains(-2048));
  CHECK(interval<float16>(1e6, 0, truncating).contains(65504));
  const DerivedTolerance away{Rounding::nearest_away, Overflow::ieee};
  CHECK(interval<float16>(2049, 0, away).contains(2050));
  CHECK_FALSE(interval<float16>(2049, 0, away).contains(2048));
  CHECK(interval<FiniteOnly>(1e6, 1).contains(6));
  CHECK_FALSE(interval<FiniteOnly>(1e6, 1).contains(4));
}

TEST_CASE("derived decides special references, and says where nothing can be said", "[tolerance]") {
  for (double error : {0.0, 1.0, infinity, not_a_number}) {
    CHECK(interval<float16>(not_a_number, error).contains(not_a_number));
    CHECK_FALSE(interval<float16>(not_a_number, error).contains(1));
    CHECK(interval<float16>(infinity, error).contains(infinity));
    CHECK_FALSE(interval<float16>(infinity, error).contains(65504));
    CHECK_FALSE(interval<float16>(infinity, error).undetermined);
  }
  CHECK(interval<float16>(1, infinity).undetermined);
  CHECK(interval<float16>(1, not_a_number).undetermined);
  CHECK_FALSE(interval<float16>(1, 1e308).undetermined);
  CHECK(interval<NanOnOverflow>(infinity, 0).contains(not_a_number));
}

TEST_CASE("subnormal references are rounded where their format ends", "[tolerance]") {
  CHECK(interval<float16>(0x1p-24, 0).lower == 0x1p-24);
  CHECK(interval<float16>(0x1p-25, 0).contains(0));
  CHECK_FALSE(interval<float16>(0x1p-25, 0).contains(0x1p-24));
  CHECK(interval<float16>(0x1.8p-24, 0).contains(0x1p-23));
  CHECK(interval<float16>(0x1p-24, 0x1p-24).contains(0));
  CHECK(interval<float16>(0x1p-24, 0x1p-24).contains(0x1p-23));
  CHECK_FALSE(interval<float16>(0x1p-24, 0x1p-24).contains(-0x1p-24));
  CHECK(interval<float64>(0x1p-1074, 0).contains(0x1p-1074));
  CHECK_FALSE(interval<float64>(0x1p-1074, 0).contains(0));
}

TEST_CASE("the ratio is the error before the output was rounded, over E", "[tolerance]") {
  const auto ratio = [](auto zero, double out, double r, double error, DerivedTolerance tolerance = {}) {
    using T = decltype(zero);
    return tolerance.error_ratio(encode<T>(out), {r, error});
  };
  CHECK(ratio(float16{}, 2048, 2048.7, 1) == 0);  // the correctly rounded reference
  CHECK(ratio(float16{}, 2050, 2048, 2) == 0.5);  // some x in [2049, 2051] was rounded
  CHECK(ratio(float16{}, 2046, 2048, 1) == 1.5);  // below 2048 the gap is 1
  CHECK(ratio(float16{}, 2050, 2048, 0) == infinity);
  CHECK(ratio(float16{}, 65504, 65530, 10) == 1);  // the threshold 65520 counts, not an infinite neighbor
  CHECK(ratio(NanOnOverflow{}, 448, 474, 10) == 1);
  CHECK(ratio(float16{}, 65504, 1e6, 1, {Rounding::nearest_even, Overflow::saturate}) == 0);
  const DerivedTolerance truncating{Rounding::toward_zero, Overflow::ieee};
  CHECK(ratio(float16{}, 2048, 2049.5, 1, truncating) == 0);
  CHECK(ratio(float16{}, -2048, -2049.5, 1, truncating) == 0);
  CHECK(ratio(float16{}, 2050, 2049.5, 1, truncating) == 0.5);
  CHECK(ratio(float16{}, 0, -0x1p-25, 1, truncating) == 0);
  CHECK(ratio(float16{}, 65504, 1e6, 1, truncating) == 0);
  const DerivedTolerance upward{Rounding::toward_positive, Overflow::ieee},
      downward{Rounding::toward_negative, Overflow::ieee};
  CHECK(ratio(float16{}, 2050, 2048.5, 1, upward) == 0);
  CHECK(ratio(float16{}, 2048, 2048.5, 1, upward) == 0.5);
  CHECK(ratio(float16{}, 2048, 2049.5, 1, downward) == 0);
  CHECK(ratio(float16{}, 2050, 2049.5, 1, downward) == 0.5);
}

TEST_CASE("the ratio is at most 1 exactly where the interval accepts, at random", "[tolerance]") {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> unit(-1, 1);
  int inside = 0, outside = 0;
  for (Rounding rounding : {Rounding::nearest_even, Rounding::nearest_away, Rounding::toward_zero,
                            Rounding::toward_positive, Rounding::toward_negative})
    for (int i = 0; i < 20000; ++i) {
      const DerivedTolerance tolerance{rounding, Overflow::ieee};
      const double r = unit(random) * 100, error = std::fabs(unit(random)) * 0.2;
      const float16 out = encode<float16>(r + unit(random) * 0.4);
      const bool accepted = tolerance.interval<float16>({r, error}).contains(decode(out));
      const double ratio = tolerance.error_ratio(out, {r, error});
      (accepted ? inside : outside)++;
      if (accepted ? !(ratio <= 1) : !(ratio > 1))
        FAIL("r = " << r << ", E = " << error << ", out = " << decode(out) << ": ratio " << ratio);
    }
  CHECK(inside > 20000);
  CHECK(outside > 20000);
}

TEST_CASE("derived describes its rule", "[tolerance]") {
  CHECK(DerivedTolerance{}.describe().find("[round(r - E), round(r + E)]") != std::string::npos);
}

TEST_CASE("formats without a layout are judged, too: tables of values") {
  static_assert(Tolerance<DerivedTolerance, nf4>);
  for (std::uint8_t code = 0; code < 16; ++code) {
    const double value = decode(nf4::from_bits(code));
    CHECK(interval<nf4>(value, 0).contains(value));
    if (code == 0) continue;
    const double below = decode(nf4::from_bits(static_cast<std::uint8_t>(code - 1))),
                 middle = below + (value - below) / 2;
    CHECK_FALSE(interval<nf4>(value, 0).contains(below));
    CHECK_FALSE(interval<nf4>(middle + 1e-3, 1e-4).contains(below));
    CHECK(interval<nf4>(middle + 1e-3, 2e-3).contains(below));
  }
  CHECK(interval<nf4>(7, 1).contains(1));  // saturates
  CHECK_FALSE(interval<nf4>(7, 1).contains(decode(nf4::from_bits(14))));
}
