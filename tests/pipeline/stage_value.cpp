#include "assay/pipeline/stage_value.hpp"

#include <string>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("A stage's value tells its kind", "[pipeline]") {
  CHECK(kind_of(StageTensor{}) == std::string("tensor"));
  CHECK(kind_of(StageIds{}) == std::string("ids"));
  CHECK(kind_of(StageTexts{}) == std::string("texts"));
  CHECK(kind_of(StageBoxes{}) == std::string("boxes"));
}
