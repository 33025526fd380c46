#include "assay/matchers/contiguous_reference.hpp"

#include <vector>

#include "assay/formats/small_float.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("what is contiguous is referred to") {
  const std::vector<float> values{1, 2, 3, 4};
  const std::vector<double> bounds{.1, .2, .3, .4};
  const ContiguousReference reference(with_error_bounds(values, bounds));
  const auto expected = reference.expected(2);
  STATIC_REQUIRE(RowExpectation<decltype(expected)>);
  CHECK(expected.values == values.data());
  CHECK(expected.error_bounds == bounds.data());
  CHECK(expected.expected_row(1).value == values.data() + 2);
  CHECK(expected.expected_row(1).error == bounds.data() + 2);
  CHECK(expected(1, 0).value == 3);
  CHECK(expected(1, 0).error == .3);
  const ContiguousReference alone(reference_values(values));
  CHECK(alone.error_bounds() == nullptr);
  CHECK(alone.expected(4)(0, 3).value == 4);
  CHECK(alone.expected(4)(0, 3).error == 0);
}

TEST_CASE("extents of 1 do not make a view strided") {
  const double storage[] = {1, 2, 3};
  const StridedView<const double, 3> view{storage, {1, 3, 1}, {77, 1, 99}};
  const ContiguousReference reference(reference_values(view));
  CHECK(reference.expected(1).values == storage);
}

TEST_CASE("strided elements, and bounds in another format, are copied in the order of their indices") {
  const double storage[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const StridedView<const double, 3> transposed{storage, {2, 3, 2}, {1, 2, 6}};  // element (i, j, k) holds i + 2j + 6k
  const ContiguousReference reference(reference_values(transposed));
  const auto expected = reference.expected(2);
  CHECK(expected.values != storage);
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < 3; ++j)
      for (Index k = 0; k < 2; ++k) CHECK(expected(i * 3 + j, k).value == static_cast<double>(i + 2 * j + 6 * k));
  const StridedView<const double, 1> reversed{storage + 11, {12}, {-1}}, broadcast{storage + 5, {12}, {0}};
  const ContiguousReference both(with_error_bounds(reversed, broadcast));
  CHECK(both.expected(12)(0, 0).value == 11);
  CHECK(both.expected(12)(0, 11).value == 0);
  CHECK(both.expected(12)(0, 11).error == 5);
  const std::vector<bfloat16> bounds{bfloat16(.5), bfloat16(.25)};
  const ContiguousReference brain(with_error_bounds(std::vector{1.0, 2.0}, bounds));
  CHECK(brain.expected(2)(0, 1).error == .25);
}

TEST_CASE("temporaries that a reference keeps live as long as what refers to them") {
  const auto given = with_error_bounds(std::vector{1.0, 2.0}, std::vector{.5, .25});
  const ContiguousReference reference(given);
  CHECK(given.values_owner.use_count() == 2);
  CHECK(given.error_bounds_owner.use_count() == 2);
  const ContiguousReference of_temporary(with_error_bounds(std::vector{1.0, 2.0}, std::vector{.5, .25}));
  CHECK(of_temporary.expected(2)(0, 1).value == 2);
  CHECK(of_temporary.expected(2)(0, 1).error == .25);
}
