#include "assay/accuracy/score.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("A score's value comes back from its statistics", "[accuracy]") {
  Score score{"mean", 0, "1", true, "mean", {}, {2, {1, 1, 0, 1}}, mean_of_sums};
  CHECK(score.of_sums(score.statistics.sums()) == 0.5);
  CHECK(!score.binary);
}
