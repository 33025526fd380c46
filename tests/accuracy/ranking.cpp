#include "assay/accuracy/ranking.hpp"

#include <cmath>

#include "accuracy/near.hpp"
#include "assay/core/misuse.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::near;

TEST_CASE("Areas with ties are scikit-learn's", "[accuracy]") {
  const double scores[] = {0.1, 0.5, 0.5, 0.5, 0.9};
  const bool positive[] = {false, false, true, true, true};
  CHECK(near(area_under_roc(scores, positive), 0.8333333333333333));
  CHECK(near(average_precision(scores, positive), 0.8333333333333333));
  const bool none[] = {false, false, false, false, false};
  CHECK(std::isnan(area_under_roc(scores, none)));
  CHECK(std::isnan(average_precision(scores, none)));
  const double broken[] = {0.1, NAN, 0.5, 0.5, 0.9};
  CHECK_THROWS_AS(area_under_roc(broken, positive), assay::Misuse);
}
