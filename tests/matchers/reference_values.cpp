#include "assay/matchers/reference_values.hpp"

#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "testing/catch.hpp"

using namespace assay;

namespace {

/// Has `value` and `error`, as references of kernels do, and moves only.
struct Reference {
  struct Buffer {
    std::unique_ptr<double[]> elements;
    std::size_t count;
    const double* data() const { return elements.get(); }
    std::size_t size() const { return count; }
  };
  Buffer value, error;

  static Reference make() {
    Reference reference{{std::make_unique<double[]>(2), 2}, {std::make_unique<double[]>(2), 2}};
    reference.value.elements[1] = 4;
    reference.error.elements[1] = 0.5;
    return reference;
  }
};

}  // namespace

TEST_CASE("values alone have no error bounds, and E = 0") {
  const std::vector<float> values{1, 2, 3, 4};
  const auto reference = reference_values(values);
  CHECK_FALSE(reference.has_error_bounds);
  CHECK(reference.values.data == values.data());
  CHECK(reference.expected(2)(1, 0).value == 3);
  CHECK(reference.expected(2)(1, 0).error == 0);
}

TEST_CASE("bounds stand beside their values, however they are given") {
  std::vector<double> values{1, 2, 3, 4};
  std::vector<float> bounds{.5f, .25f, .125f, 0};
  const auto check = [](const auto& reference) {
    CHECK(reference.has_error_bounds);
    CHECK(reference.expected(2)(0, 1).value == 2);
    CHECK(reference.expected(2)(0, 1).error == .25);
    CHECK(reference.expected(2)(1, 0).error == .125);
  };
  check(with_error_bounds(values, bounds));
  check(reference_values(with_error_bounds(values, bounds)));
  check(reference_values(std::pair{values, bounds}));
  const auto pair = std::pair{values, bounds};
  check(reference_values(pair));
  check(reference_values(std::pair<std::vector<double>&, std::vector<float>&>(values, bounds)));
}

TEST_CASE("lvalues are referred to, temporaries are kept") {
  std::vector<double> values{1, 2};
  const auto referring = with_error_bounds(values, std::span(values));
  values[1] = 7;
  CHECK(referring.expected(2)(0, 1).value == 7);
  CHECK(referring.expected(2)(0, 1).error == 7);
  CHECK(referring.values_owner == nullptr);
  CHECK(referring.error_bounds_owner == nullptr);

  const auto keeping = reference_values(std::vector<double>{1, 2});
  CHECK(keeping.values_owner != nullptr);
  const auto copy = keeping;
  CHECK(copy.values.data == keeping.values.data);
  CHECK(copy.expected(2)(0, 1).value == 2);
  const auto both = reference_values(std::pair{std::vector<double>{3}, std::vector<double>{4}});
  CHECK(both.expected(1)(0, 0).value == 3);
  CHECK(both.expected(1)(0, 0).error == 4);
}

TEST_CASE("a reference with value and error is taken as it is") {
  Reference reference = Reference::make();
  CHECK(reference_values(reference).values.data == reference.value.data());
  CHECK(reference_values(reference).values_owner == nullptr);
  const auto kept = reference_values(std::move(reference));
  CHECK(kept.values_owner != nullptr);
  CHECK(kept.expected(2)(0, 1).value == 4);
  CHECK(kept.expected(2)(0, 1).error == .5);
}

TEST_CASE("strided values are read in the order of their indices") {
  const double storage[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const StridedView<const double, 3> transposed{storage, {2, 3, 2}, {1, 2, 6}};  // element (i, j, k) holds i + 2j + 6k
  const auto expected = reference_values(transposed).expected(2);
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < 3; ++j)
      for (Index k = 0; k < 2; ++k) CHECK(expected(i * 3 + j, k).value == static_cast<double>(i + 2 * j + 6 * k));
  const StridedView<const double, 1> reversed{storage + 11, {12}, {-1}};
  CHECK(reference_values(reversed).expected(12)(0, 0).value == 11);
  const StridedView<const double, 1> broadcast{storage + 5, {4}, {0}};
  CHECK(with_error_bounds(storage, broadcast).expected(4)(0, 3).error == 5);
}

TEST_CASE("a negative bound says nothing") {
  const double values[] = {1, 2}, bounds[] = {-1, NAN};
  const auto expected = with_error_bounds(values, bounds).expected(2);
  CHECK(std::isnan(expected(0, 0).error));
  CHECK(std::isnan(expected(0, 1).error));
}
