#include "assay/compare/any_expectation.hpp"

#include <catch2/catch.hpp>

using namespace assay;

namespace {
struct OneByOne {
  ExpectedElement operator()(Index row, Index column) const { return {static_cast<double>(10 * row + column), 0.5}; }
};
}  // namespace

TEST_CASE("an expectation without its type says the same, alone and in blocks") {
  const OneByOne expected;
  const AnyExpectation any(expected);
  static_assert(BlockExpectation<AnyExpectation>);
  CHECK(any(3, 4).value == 34);
  double value[3], error[3];
  any.expected_block(2, 5, 3, value, error);
  CHECK(value[0] == 25);
  CHECK(value[2] == 27);
  CHECK(error[1] == 0.5);
}
