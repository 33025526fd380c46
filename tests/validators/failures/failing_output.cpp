#include "assay/validators/failures/failing_output.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace assay;

namespace {

struct Ascending {
  Index columns;
  ExpectedElement operator()(Index row, Index column) const {
    return {static_cast<double>(row * columns + column), 1e-9};
  }
};

/// Blocks no longer than they may be, or else nothing.
struct AscendingBlocks : Ascending {
  void expected_block(Index row, Index first, Index count, double* value, double* error) const {
    for (Index i = 0; i < count && count <= expected_block_columns; ++i) {
      const ExpectedElement element = (*this)(row, first + i);
      value[i] = element.value;
      error[i] = element.error;
    }
  }
};

}  // namespace

TEST_CASE("every element of a failing output is told, whatever its strides") {
  std::vector<float> stored(3 * 5, -1.0f);
  Operand actual = contiguous_operand(stored.data(), {3, 4});
  actual.strides[0] = 5;
  for (Index element = 0; element < 12; ++element) actual.store(element, static_cast<double>(element));
  actual.store(6, 7);
  const Ascending expected{4};
  const FailingOutput output = failing_output("y", actual, AnyExpectation(expected), ChosenTolerance{});
  CHECK(output.rows() == 3);
  CHECK(output.columns() == 4);
  CHECK(output.violations == 1);
  CHECK(output.violated[6] == 1);
  CHECK(output.actual[6] == 7);
  CHECK(output.right(6) == 6);
  CHECK_FALSE(output.accepted(6).contains(7));
}

TEST_CASE("rows longer than a block are asked for block by block") {
  constexpr Index columns = 2 * expected_block_columns + 77;
  std::vector<float> stored;
  for (Index element = 0; element < 2 * columns; ++element) stored.push_back(static_cast<float>(element));
  stored.back() = -1;
  const AscendingBlocks expected{{columns}};
  const FailingOutput output =
      failing_output("y", contiguous_operand(stored.data(), {2, columns}), AnyExpectation(expected), ChosenTolerance{});
  CHECK(output.violations == 1);
  CHECK(output.violated.back() == 1);
  CHECK(output.expected[static_cast<std::size_t>(columns) + 600] == static_cast<double>(columns + 600));
}

TEST_CASE("beside a right answer every bit counts") {
  std::vector<float> actual{0.0f, 1.0f, 2.0f}, right{-0.0f, 1.0f, 2.5f};
  const FailingOutput output =
      failing_output("y", contiguous_operand(actual.data(), {3}), contiguous_operand(right.data(), {3}));
  CHECK(output.violations == 2);
  CHECK(output.violated[0] == 1);
  CHECK(output.violated[1] == 0);
}

TEST_CASE("an output without elements has no violations") {
  std::vector<float> none(1);
  const Ascending expected{0};
  CHECK(failing_output("y", contiguous_operand(none.data(), {0, 4}), AnyExpectation(expected), ChosenTolerance{})
            .violations == 0);
}
