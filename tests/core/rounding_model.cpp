#include "assay/core/rounding_model.hpp"

#include "testing/catch.hpp"

using assay::RoundingModel;

TEST_CASE("rounding models have names of their own", "[core]") {
  CHECK(name_of(RoundingModel::exact) == "exact");
  CHECK(name_of(RoundingModel::statistical) == "statistical");
  CHECK(name_of(RoundingModel::worst_case) == "worst_case");
  static_assert(name_of(RoundingModel::exact) != name_of(RoundingModel::worst_case));
}
