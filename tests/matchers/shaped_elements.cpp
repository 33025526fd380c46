#include "assay/matchers/shaped_elements.hpp"

#include <span>
#include <utility>
#include <vector>

#include "assay/matchers/match.hpp"
#include "assay/tolerance/exact.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

template <class T>
concept Shapeable = requires(T&& elements) {
  shaped(std::forward<T>(elements), std::vector<Index>{3});
};

}  // namespace

TEST_CASE("shaped elements are the container's, with the extents that were given") {
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  const auto elements = shaped(values, {1, 3, 2});
  CHECK(element_view(elements).data == values.data());
  CHECK(element_view(elements).size() == 6);
  CHECK(element_extents(elements) == std::vector<Index>{1, 3, 2});
  CHECK(element_extents(values) == std::vector<Index>{6});
  const float nested[2][3] = {};
  CHECK(element_extents(nested) == std::vector<Index>{2, 3});
  CHECK(element_extents(shaped(std::span(values).first(1), {})) == std::vector<Index>{1});  // a scalar
}

TEST_CASE("a shape of another size is misuse; a temporary is refused while compiling") {
  const std::vector<float> values(6);
  CHECK_THROWS_WITH(shaped(values, {2, 2}), contains("6 elements were given for a shape of 2 x 2"));
  CHECK_THROWS_AS(shaped(values, {-2, -3}), Misuse);
  CHECK_THROWS_AS(shaped(values, {}), Misuse);
  CHECK_NOTHROW(shaped(std::span(values).first(0), {0, 4}));
  STATIC_REQUIRE(Shapeable<const std::vector<float>&>);
  STATIC_REQUIRE(Shapeable<std::span<const float>>);
  STATIC_REQUIRE_FALSE(Shapeable<std::vector<float>>);
}

TEST_CASE("shapes are compared, and indices given in them, whatever the rank") {
  std::vector<float> actual{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const std::vector<double> expected(actual.begin(), actual.end());
  const std::vector<Index> shape{2, 1, 3, 1, 2};
  CHECK(match(shaped(actual, shape), shaped(expected, shape), ExactTolerance{}).matched);
  CHECK(match(shaped(actual, shape), expected, ExactTolerance{}).matched);
  CHECK(match(actual, shaped(expected, shape), ExactTolerance{}).matched);
  CHECK(match(shaped(actual, shape), with_error_bounds(shaped(expected, shape), shaped(expected, shape)),
              ExactTolerance{})
            .matched);
  CHECK_THAT(match(shaped(actual, shape), shaped(expected, {2, 3, 2}), ExactTolerance{}).explanation,
             contains("2 x 1 x 3 x 1 x 2 elements of f32, expected are 2 x 3 x 2"));
  CHECK_FALSE(match(shaped(actual, shape), shaped(expected, {2, 3, 2}), ExactTolerance{}).matched);
  actual[9] = 0;
  CHECK_THAT(match(shaped(actual, shape), expected, ExactTolerance{}).explanation,
             contains("worst at [1, 0, 1, 0, 1]: actual 0"));
  CHECK_THAT(match(actual, shaped(expected, shape), ExactTolerance{}).explanation,
             contains("worst at [1, 0, 1, 0, 1]: actual 0"));
  const float nested[2][6] = {{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11}};
  CHECK(match(nested, shaped(expected, {2, 6}), ExactTolerance{}).matched);
  CHECK_FALSE(match(nested, shaped(expected, {6, 2}), ExactTolerance{}).matched);
}
