#include "assay/pipeline/pipeline.hpp"

#include "assay/core/misuse.hpp"
#include "pipeline/chain.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::chain;

TEST_CASE("Stages run free, or on another's outputs", "[pipeline]") {
  const auto reference = run_free(chain(4, 99, 0));
  CHECK(std::get<StageTensor>(reference[3].value.value()).values[0] == 15);
  const auto free = run_free(chain(4, 1, 1)), fed = run_fed(chain(4, 1, 1), reference);
  CHECK(std::get<StageTensor>(free[3].value.value()).values[0] == 19);
  CHECK(std::get<StageTensor>(fed[3].value.value()).values[0] == 15);
  CHECK(std::get<StageTensor>(fed[1].value.value()).values[0] == 4);
}

TEST_CASE("What fails stops those after it", "[pipeline]") {
  Pipeline broken = chain(3, 99, 0);
  broken.stages[1].run = [](const auto&) -> Result<StageValue> { return failure(ErrorKind::device, "lost"); };
  const auto outputs = run_free(broken);
  CHECK(outputs[0].value);
  CHECK(outputs[1].value.error().message == "lost");
  CHECK(outputs[2].value.error().kind == ErrorKind::aborted);
}

TEST_CASE("Pipelines that do not hang together are refused", "[pipeline]") {
  Pipeline twice = chain(2, 99, 0);
  twice.stages[1].name = "s0";
  CHECK_THROWS_AS(run_free(twice), Misuse);
  Pipeline later = chain(2, 99, 0);
  later.stages[0].inputs = {"s1"};
  CHECK_THROWS_AS(run_free(later), Misuse);
}
