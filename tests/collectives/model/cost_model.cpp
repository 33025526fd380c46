#include "assay/collectives/model/cost_model.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("every cost model is found by its name") {
  for (const CostModel model : all_cost_models) CHECK(cost_model_named(name_of(model)) == model);
  CHECK(!cost_model_named("rings"));
}
