#include "assay/accuracy/top_k.hpp"

#include <cmath>

#include "testing/catch.hpp"

namespace {

using namespace assay;

const std::vector<float> scores{0.5f, 0.5f, 0, 0.3f, 0.4f, 0.3f, 0.2f, 0.4f, 0.4f, 0.4f, 0.4f, 0.2f};
const std::vector<std::int64_t> labels{0, 1, 2, 2};
const LabeledScores samples{scores, 3, labels};

}  // namespace

TEST_CASE("Ties move top-k, and its bounds tell how far", "[accuracy]") {
  const Score top1 = top_k_accuracy(samples, 1);
  CHECK(top1.value == 0.5);
  CHECK(top1.parts[0].value == 0.25);
  CHECK(top1.parts[1].value == 0.75);
  CHECK(top1.parts[2].value == 2);
  CHECK(top_k_accuracy(samples, 1, TieRule::highest_index).value == 0.5);
  CHECK(top_k_accuracy(samples, 2, TieRule::highest_index).value == 0.75);
  CHECK(top_k_accuracy(samples, 1, TieRule::pessimistic).value == 0.25);
  CHECK(top_k_accuracy(samples, 3).value == 1);
}

TEST_CASE("A sample with NaN is wrong and counted", "[accuracy]") {
  const std::vector<float> broken{NAN, 1, 0.5f, 2};
  const std::vector<std::int64_t> right{1, 1};
  const Score score = top_k_accuracy({broken, 2, right}, 1, TieRule::optimistic);
  CHECK(score.value == 0.5);
  CHECK(score.parts[3].value == 1);
  CHECK(rank_of_label(broken, 0, TieRule::optimistic) == 3);
}

TEST_CASE("Labels without a score are refused", "[accuracy]") {
  const std::vector<std::int64_t> beyond{0, 1, 2, 3}, negative{0, 1, 2, -1};
  CHECK_THROWS_AS(top_k_accuracy({scores, 3, beyond}, 1), Misuse);
  CHECK_THROWS_AS(top_k_accuracy({scores, 3, negative}, 1), Misuse);
  CHECK_THROWS_AS(top_k_accuracy({scores, 4, labels}, 1), Misuse);
  CHECK_THROWS_AS(top_k_accuracy(samples, 0), Misuse);
}
