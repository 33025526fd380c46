#include "assay/accuracy/elo.hpp"

#include <algorithm>

#include "accuracy/near.hpp"
#include "assay/core/misuse.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::near;

TEST_CASE("Elo's ratings depend on the order", "[accuracy]") {
  std::vector<Battle> battles{{0, 1, 1}, {1, 2, 0.5}, {2, 0, 1}, {2, 1, 1}, {0, 1, 0.5}};
  const auto ratings = elo_ratings(battles, 3);
  CHECK(near(ratings[0], 999.9656611523585));
  CHECK(near(ratings[1], 996.0572315276994));
  CHECK(near(ratings[2], 1003.9771073199421));
  std::reverse(battles.begin(), battles.end());
  CHECK(near(elo_ratings(battles, 3)[0], 1000.011644945, 1e-12));
  CHECK_THROWS_AS(elo_ratings(battles, 2), Misuse);
}
