#include "assay/compare/any_expectation.hpp"

#include <catch2/catch.hpp>

using namespace assay;

namespace {
struct OneByOne {
  ExpectedElement operator()(Index row, Index column) const { return {static_cast<double>(10 * row + column), 0.5}; }
};
struct Refined : OneByOne {
  bool asked = true;
  ExpectedElement refine(Index row, Index column) const { return {(*this)(row, column).value, 0.25}; }
  double doubt_ratio() const { return 0.125; }
  bool refines() const { return asked; }
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

TEST_CASE("rows of an expectation are joined, whatever part of them is asked for") {
  const Refined expected;
  const AnyExpectation any = AnyExpectation(expected).joined(3, 4);
  double value[9], error[9];
  any.expected_block(1, 2, 9, value, error);  // from row 3, column 2 on
  const double as_rows[] = {32, 33, 40, 41, 42, 43, 50, 51, 52};
  for (int i = 0; i < 9; ++i) CHECK(value[i] == as_rows[i]);
  CHECK(any(2, 11).value == 83);
  CHECK(any.refine(1, 7).value == 43);
}

TEST_CASE("an expectation without its type refines where it is asked to") {
  Refined expected;
  const AnyExpectation any(expected);
  CHECK(any.refines());
  CHECK(any.doubt_ratio() == 0.125);
  CHECK(any.refine(1, 2).error == 0.25);
  CHECK_FALSE(AnyExpectation(OneByOne()).refines());
  expected.asked = false;
  CHECK_FALSE(AnyExpectation(expected).refines());
}
