#include "assay/compare/comparison.hpp"

#include <limits>

#include "testing/catch.hpp"

using namespace assay;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

TEST_CASE("an extremum keeps the largest, and of equals the first", "[compare]") {
  Extremum extremum;
  CHECK(extremum.position.row == -1);
  extremum.consider(0, {3, 4});  // 0 is a measure too
  CHECK(extremum.value == 0);
  CHECK(extremum.position.row == 3);
  extremum.consider(2, {5, 6});
  extremum.consider(2, {7, 8});
  extremum.consider(1, {9, 9});
  CHECK(extremum.value == 2);
  CHECK(extremum.position.row == 5);
  CHECK(extremum.position.column == 6);
  extremum.consider(infinity, {8, 1});
  CHECK(extremum.value == infinity);
}

TEST_CASE("joining extrema keeps the earlier of equals and ignores those without a position", "[compare]") {
  Extremum empty, small, large, equal;
  small.consider(1, {1, 1});
  large.consider(2, {2, 2});
  equal.consider(2, {3, 3});
  Extremum total;
  total.join(empty);
  CHECK(total.position.row == -1);
  total.join(small);
  CHECK(total.position.row == 1);
  total.join(empty);
  total.join(large);
  total.join(equal);
  CHECK(total.value == 2);
  CHECK(total.position.row == 2);
}

TEST_CASE("a comparison of nothing refutes nothing, and shows that it looked at nothing", "[compare]") {
  const Comparison comparison;
  CHECK(comparison.no_violations());
  CHECK(comparison.elements == 0);
  Comparison violated;
  violated.violations = 1;
  CHECK_FALSE(violated.no_violations());
}
