#include "assay/tolerance/tolerance.hpp"

#include <limits>
#include <string>
#include <type_traits>

#include "testing/catch.hpp"
#include "tolerance/small_format.hpp"

using namespace assay;
using assay::testing::FiniteOnly;
using assay::testing::NanOnOverflow;

namespace {

struct Complete {
  template <Format T>
  AcceptanceInterval interval(ExpectedElement) const {
    return {};
  }
  std::string describe() const { return "complete"; }
};
struct WithoutInterval {
  std::string describe() const { return ""; }
};
struct WithoutDescription {
  template <Format T>
  AcceptanceInterval interval(ExpectedElement) const {
    return {};
  }
};
struct AnswersYesOrNo {
  template <Format T>
  bool interval(ExpectedElement) const {
    return true;
  }
  std::string describe() const { return ""; }
};
struct MutableInterval {
  template <Format T>
  AcceptanceInterval interval(ExpectedElement) {
    return {};
  }
  std::string describe() const { return ""; }
};
struct OwnsMemory : Complete {
  std::string text;
};
struct OnlyForFloat32 {
  template <Format T>
  requires std::is_same_v<T, float32> AcceptanceInterval interval(ExpectedElement)
  const { return {}; }
  std::string describe() const { return ""; }
};
struct NoFormat {};

static_assert(Tolerance<Complete, float32> && Tolerance<Complete, bfloat16> && Tolerance<Complete, NanOnOverflow>);
static_assert(!Tolerance<Complete, int> && !Tolerance<Complete, NoFormat>);
static_assert(!Tolerance<WithoutInterval, float32>);
static_assert(!Tolerance<WithoutDescription, float32>);
static_assert(!Tolerance<AnswersYesOrNo, float32>);
static_assert(!Tolerance<MutableInterval, float32>);
static_assert(!Tolerance<OwnsMemory, float32>);
static_assert(Tolerance<OnlyForFloat32, float32> && !Tolerance<OnlyForFloat32, float64>);
static_assert(!Tolerance<double, float32>);

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("special references decide the interval in every format", "[tolerance]") {
  const auto of = [](auto zero, double value, Overflow overflow = Overflow::ieee) {
    return detail::special_expectation<decltype(zero)>({value, infinity}, overflow);  // E does not matter
  };
  for (double ordinary : {0.0, -1.0, 1e300}) CHECK_FALSE(of(float16{}, ordinary).decided);

  CHECK(of(float16{}, not_a_number).interval.contains(not_a_number));
  CHECK_FALSE(of(float16{}, not_a_number).interval.contains(0));
  for (double sign : {1.0, -1.0}) {
    CHECK(of(float16{}, sign * infinity).interval.contains(sign * infinity));
    for (double wrong : {-sign * infinity, sign * 65504, 0.0, not_a_number})
      CHECK_FALSE(of(float16{}, sign * infinity).interval.contains(wrong));
    CHECK(of(float16{}, sign * infinity, Overflow::saturate).interval.contains(sign * 65504));
    CHECK_FALSE(of(float16{}, sign * infinity, Overflow::saturate).interval.contains(sign * infinity));
    // no infinity to store: NaN, or the largest number
    CHECK(of(NanOnOverflow{}, sign * infinity).interval.contains(not_a_number));
    CHECK_FALSE(of(NanOnOverflow{}, sign * infinity).interval.contains(sign * 448));
    CHECK(of(NanOnOverflow{}, sign * infinity, Overflow::saturate).interval.contains(sign * 448));
    CHECK_FALSE(of(NanOnOverflow{}, sign * infinity, Overflow::saturate).interval.contains(not_a_number));
    CHECK(of(FiniteOnly{}, sign * infinity).interval.contains(sign * 6));
    CHECK_FALSE(of(FiniteOnly{}, sign * infinity).interval.contains(sign * 4));
  }
  CHECK(of(FiniteOnly{}, not_a_number).interval.undetermined);
  CHECK_FALSE(of(FiniteOnly{}, infinity).interval.undetermined);
}
