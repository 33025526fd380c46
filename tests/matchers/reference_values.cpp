#include "assay/matchers/reference_values.hpp"

#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "assay/matchers/contiguous_reference.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

/// What is expected at a position, in rows of two.
template <class Values>
ExpectedElement element(const Values& reference, Index row, Index column, Index columns = 2) {
  return ContiguousReference(reference).expected(columns)(row, column);
}

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
  CHECK(element(reference, 1, 0).value == 3);
  CHECK(element(reference, 1, 0).error == 0);
}

TEST_CASE("bounds stand beside their values, however they are given") {
  std::vector<double> values{1, 2, 3, 4};
  std::vector<float> bounds{.5f, .25f, .125f, 0};
  const auto check = [](const auto& reference) {
    CHECK(reference.has_error_bounds);
    CHECK(element(reference, 0, 1).value == 2);
    CHECK(element(reference, 0, 1).error == .25);
    CHECK(element(reference, 1, 0).error == .125);
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
  CHECK(element(referring, 0, 1).value == 7);
  CHECK(element(referring, 0, 1).error == 7);
  CHECK(referring.values_owner == nullptr);
  CHECK(referring.error_bounds_owner == nullptr);

  const auto keeping = reference_values(std::vector<double>{1, 2});
  CHECK(keeping.values_owner != nullptr);
  const auto copy = keeping;
  CHECK(copy.values.data == keeping.values.data);
  CHECK(element(copy, 0, 1).value == 2);
  const auto both = reference_values(std::pair{std::vector<double>{3}, std::vector<double>{4}});
  CHECK(element(both, 0, 0, 1).value == 3);
  CHECK(element(both, 0, 0, 1).error == 4);
}

TEST_CASE("a reference with value and error is taken as it is") {
  Reference reference = Reference::make();
  CHECK(reference_values(reference).values.data == reference.value.data());
  CHECK(reference_values(reference).values_owner == nullptr);
  const auto kept = reference_values(std::move(reference));
  CHECK(kept.values_owner != nullptr);
  CHECK(element(kept, 0, 1).value == 4);
  CHECK(element(kept, 0, 1).error == .5);
}
