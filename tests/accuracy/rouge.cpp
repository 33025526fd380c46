#include "assay/accuracy/rouge.hpp"

#include "accuracy/near.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::near;

TEST_CASE("ROUGE is rouge_score's", "[accuracy]") {
  const std::string prediction = "the cat is on the mat\nwarm it was", target = "the cat sat on the mat\nit was warm";
  CHECK(near(rouge(prediction, target, {1}).f1, 0.8888888888888888));
  CHECK(near(rouge(prediction, target, {2}).f1, 0.5));
  CHECK(near(rouge(prediction, target, {0}).f1, 0.7777777777777778));
  CHECK(near(rouge(prediction, target, {0, true}).f1, 0.7777777777777778));
}

TEST_CASE("ROUGE without words is 0, and the best of several references counts", "[accuracy]") {
  CHECK(rouge("", "a", {1}).f1 == 0);
  CHECK(rouge("…", "!", {0}).f1 == 0);
  TextPairs pairs;
  pairs.hypotheses = {"a b", "x"};
  pairs.references = {{"c d", "A, B!"}, {"y"}};
  const Score score = rouge(pairs, {1});
  CHECK(score.value == 0.5);
  CHECK(score.name == "rouge1");
}
