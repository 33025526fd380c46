#include "assay/kernels/operation.hpp"

#include <catch2/catch.hpp>

#include "assay/kernels/softmax/softmax.hpp"

using namespace assay;

namespace {
struct Nothing {
  using Problem = int;
  using Arguments = OperandArray;
  static const char* name() { return "nothing"; }
};
}  // namespace

TEST_CASE("an operation says everything that the concept asks for") {
  STATIC_REQUIRE(Operation<Softmax>);
  STATIC_REQUIRE_FALSE(Operation<Nothing>);
}

TEST_CASE("given values are kept, shared by copies") {
  const OperandFill fill = OperandFill::of({1, 2, 3});
  const OperandFill copy = fill;
  CHECK(copy.given == fill.given);
  CHECK(copy.given->at(2) == 3);
}
