#include "assay/accuracy/logit_agreement.hpp"

#include <cmath>
#include <limits>

#include "accuracy/near.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::near;

TEST_CASE("Divergence of known distributions", "[accuracy]") {
  const std::vector<float> reference{std::log(0.5f), std::log(0.25f), std::log(0.25f)},
      model{std::log(0.25f), std::log(0.5f), std::log(0.25f)};
  const LogitAgreement agreement = logit_agreement(model, reference);
  CHECK(near(agreement.divergence, 0.25 * std::log(2.0), 1e-6));
  CHECK(near(agreement.total_variation, 0.25, 1e-6));
  CHECK(!agreement.same_top);
  CHECK(agreement.top_overlap == 1);
  const LogitAgreement same = logit_agreement(reference, reference);
  CHECK(same.divergence == 0);
  CHECK(same.same_top);
}

TEST_CASE("A shift of all logits changes nothing, a tie is told", "[accuracy]") {
  const std::vector<float> reference{3, 2.96875f, 0, -1}, shifted{103, 102.96875f, 100, 99};
  const LogitAgreement agreement = logit_agreement(shifted, reference);
  CHECK(agreement.divergence < 1e-12);
  CHECK(agreement.near_tie);
}

TEST_CASE("NaN logits are counted, and left out of means", "[accuracy]") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> reference{1, 2}, broken{1, nan};
  const std::vector<LogitAgreement> positions{logit_agreement(broken, reference),
                                              logit_agreement(reference, reference)};
  CHECK(positions[0].not_numbers == 1);
  CHECK(std::isnan(positions[0].divergence));
  const Score score = logit_divergence(positions);
  CHECK(score.value == 0);
  CHECK(score.parts.back().value == 1);
  CHECK_THROWS_AS(logit_agreement(reference, std::vector<float>{1}), Misuse);
}
