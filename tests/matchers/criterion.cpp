#include "assay/matchers/criterion.hpp"

#include <cmath>
#include <thread>
#include <vector>

#include "assay/formats/small_float.hpp"
#include "assay/tolerance/derived.hpp"
#include "assay/tolerance/ulps.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

TEST_CASE("a criterion says what it asks for, and is used for many outputs of any format and shape") {
  const std::vector<double> expected{1, 2, 3, 4, 5, 6};
  const auto asked = criterion(contiguous_view<const double, 2>(expected.data(), {2, 3}), UlpTolerance{1});
  CHECK(asked.describe() == "the 2 x 3 expected values");
  CHECK(criterion(expected, UlpTolerance{1}).describe() == "the 6 expected values");
  CHECK(criterion(std::vector{1.0}, UlpTolerance{1}).describe() == "the expected value");
  const float right[2][3] = {{1, 2, 3}, {4, 5, 6}}, wrong[2][3] = {{1, 2, 3}, {4, 5, 7}};
  CHECK(asked.match(right).matched);
  CHECK_FALSE(asked.match(wrong).matched);
  CHECK(asked.match(expected).matched);
  CHECK_FALSE(asked.match(std::vector<bfloat16>(6)).matched);
  CHECK(asked.match(right).matched);
}

TEST_CASE("a criterion of temporaries outlives them") {
  const auto make = [] {
    return criterion(with_error_bounds(std::vector<double>(1000, 3), std::vector<double>(1000, 0.5)),
                     DerivedTolerance{});
  };
  const auto asked = make();
  const auto copy = asked;
  CHECK(copy.match(std::vector<float>(1000, 3.4f)).matched);
  CHECK_FALSE(copy.match(std::vector<float>(1000, 3.6f)).matched);
}

TEST_CASE("a criterion serves several threads at once") {
  const auto asked = criterion(std::vector<double>(5000, 3), UlpTolerance{1});
  std::vector<int> right(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < right.size(); ++i)
    threads.emplace_back(
        [&, i] { right[i] = asked.match(std::vector<float>(5000, i % 2 == 0 ? 3.f : 4.f)).matched == (i % 2 == 0); });
  for (std::thread& thread : threads) thread.join();
  CHECK(right == std::vector<int>(4, 1));
}

TEST_CASE("the answer does not depend on the caller's floating-point environment") {
  const double tiny = 0x1p-1070;
  const std::vector<double> expected(10, 3 * tiny), bounds(10, tiny), nearby(10, 4 * tiny), far_away(10, 5 * tiny);
  const auto asked = criterion(with_error_bounds(expected, bounds), DerivedTolerance{});
  bool near = false, far = true;
  FloatingPointState flushing;
  flushing.flush_results = flushing.flush_operands = true;
  with_floating_point_state(flushing, [&] {
    near = asked.match(nearby).matched;
    far = asked.match(far_away).matched;
  });
  CHECK(near);
  CHECK_FALSE(far);
}

TEST_CASE("finite numbers are all that rules alone ask of an element") {
  CHECK(FiniteTolerance{}.interval<float>({1, 0}).contains(-1e38));
  CHECK_FALSE(FiniteTolerance{}.interval<float>({1, 0}).contains(HUGE_VAL));
  CHECK(FiniteTolerance{}.interval<float>({HUGE_VAL, 0}).contains(HUGE_VAL));
  CHECK_THAT(FiniteTolerance{}.describe(), contains("any finite number"));
}
