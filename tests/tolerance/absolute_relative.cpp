#include "assay/tolerance/absolute_relative.hpp"

#include <limits>

#include "testing/catch.hpp"
#include "tolerance/small_format.hpp"

using namespace assay;
using assay::testing::Approx;
using assay::testing::contains;
using assay::testing::NanOnOverflow;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
static_assert(Tolerance<AbsoluteRelativeTolerance, float64> && Tolerance<AbsoluteRelativeTolerance, float16>);
}  // namespace

TEST_CASE("absolute and relative tolerances add up, as in numpy.allclose", "[tolerance]") {
  constexpr AbsoluteRelativeTolerance tolerance{0.25, 0.125};
  for (double reference : {8.0, -8.0}) {
    const AcceptanceInterval accepted = tolerance.interval<float32>({reference, 0});
    CHECK(accepted.lower == reference - 1.25);
    CHECK(accepted.upper == reference + 1.25);
  }
  CHECK(tolerance.interval<float32>({0, 0}).upper == 0.25);
  CHECK(absolute_tolerance(3).interval<float64>({100, 0}).lower == 97);
  CHECK(relative_tolerance(0.5).interval<float64>({-100, 0}).lower == -150);
  CHECK(relative_tolerance(0.5).interval<float64>({0, 0}).contains(0));
  CHECK_FALSE(relative_tolerance(0.5).interval<float64>({0, 0}).contains(1e-300));
}

TEST_CASE("neither the kernel's bound nor the output's format widens a fixed tolerance", "[tolerance]") {
  const AcceptanceInterval accepted = absolute_tolerance(0.25).interval<float16>({2049, 100});
  CHECK_FALSE(accepted.contains(2048));
  CHECK(absolute_tolerance(1).interval<float16>({1, infinity}).contains(2));
  CHECK_FALSE(absolute_tolerance(1).interval<float16>({1, infinity}).undetermined);
}

TEST_CASE("a fixed tolerance accepts special values only where the reference is or becomes one", "[tolerance]") {
  constexpr AbsoluteRelativeTolerance huge{1e300, 1e10};
  const auto accepts = [](AbsoluteRelativeTolerance tolerance, double reference, double value) {
    return tolerance.interval<float16>({reference, 0}).contains(value);
  };
  CHECK_FALSE(accepts(huge, 1, not_a_number));
  CHECK_FALSE(accepts(huge, 1, infinity));
  CHECK(accepts(huge, not_a_number, not_a_number));
  CHECK_FALSE(accepts(huge, not_a_number, 0));
  CHECK(accepts(huge, infinity, infinity));
  CHECK_FALSE(accepts(huge, infinity, 65504));
  CHECK_FALSE(accepts(huge, infinity, -infinity));
  CHECK(accepts(absolute_tolerance(1), 65520, infinity));  // f16 has no 65520
  CHECK(accepts(absolute_tolerance(1), -70000, -infinity));
  CHECK_FALSE(accepts(absolute_tolerance(1), -70000, infinity));
  CHECK_FALSE(accepts(absolute_tolerance(1), 65519, infinity));
  CHECK_FALSE(huge.interval<float64>({1e300, 0}).contains(infinity));  // though 1e300·1e10 overflows
  CHECK_FALSE(huge.interval<float64>({-1e300, 0}).contains(-infinity));
}

TEST_CASE("where a format overflows to NaN, NaN is what the reference becomes", "[tolerance]") {
  CHECK(absolute_tolerance(1).interval<NanOnOverflow>({500, 0}).contains(not_a_number));
  CHECK_FALSE(absolute_tolerance(1).interval<NanOnOverflow>({460, 0}).contains(not_a_number));
}

TEST_CASE("the presets have their documented numbers", "[tolerance]") {
  const auto check = [](AbsoluteRelativeTolerance found, double absolute, double relative) {
    CHECK(found.absolute == Approx(absolute).epsilon(1e-12));
    CHECK(found.relative == Approx(relative).epsilon(1e-12));
  };
  check(preset_tolerance<float32>(Preset::normal), 1e-5, 1e-4);
  check(preset_tolerance<float16>(Preset::normal), 1e-3, 1e-2);
  check(preset_tolerance<bfloat16>(Preset::normal), 1e-2, 5e-2);
  check(preset_tolerance<float32>(Preset::strict), 1e-6, 1e-5);
  check(preset_tolerance<float16>(Preset::strict), 1e-4, 1e-3);
  check(preset_tolerance<bfloat16>(Preset::strict), 1e-3, 5e-3);
  check(preset_tolerance<float32>(Preset::relaxed), 1e-4, 1e-3);
  check(preset_tolerance<float16>(Preset::relaxed), 1e-2, 1e-1);
  check(preset_tolerance<bfloat16>(Preset::relaxed), 1e-1, 5e-1);
  check(preset_tolerance<float64>(Preset::normal), 100 * 0x1p-53, 1000 * 0x1p-53);
  check(preset_tolerance<NanOnOverflow>(Preset::strict), 10 * 0x1p-4, 100 * 0x1p-4);
  check(preset_tolerance(element_format<float16>(), Preset::normal), 1e-3, 1e-2);
  check(preset_tolerance(element_format<float64>(), Preset::relaxed), 1000 * 0x1p-53, 10000 * 0x1p-53);
  check(preset_tolerance(element_format<std::int32_t>(), Preset::relaxed), 0, 0);
}

TEST_CASE("a fixed tolerance describes itself with its numbers", "[tolerance]") {
  CHECK_THAT((AbsoluteRelativeTolerance{1e-3, 0.5}.describe()), contains("0.001 + 0.5*|r|"));
}
