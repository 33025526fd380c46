#include "assay/profile/matrix_unit_model.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("A model's order is its tree for as many terms, and its shape for others") {
  MatrixUnitModel model;
  model.order.chain = SummationChain::descending;
  model.tree = tree_of({}, 4);
  CHECK(text_of(model.order_of(4)) == "(((0 1) 2) 3)");
  CHECK(text_of(model.order_of(3)) == "(0 (1 2))");
}
