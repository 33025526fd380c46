#include "assay/accuracy/bleu.hpp"

#include "accuracy/near.hpp"
#include "testing/catch.hpp"

namespace {

using namespace assay;
using testing::near;

TextPairs cats() {
  TextPairs pairs;
  pairs.add("the cat is on the mat", "the cat sat on the mat");
  pairs.add("there is a dog here", "there is a cat here");
  return pairs;
}

double of(const TextPairs& pairs, BleuSmoothing smoothing, bool effective) {
  BleuOptions options;
  options.smoothing = smoothing;
  options.effective_order = effective;
  return bleu(pairs, options).value;
}

}  // namespace

TEST_CASE("Corpus BLEU is sacrebleu's to the last digit", "[accuracy]") {
  const Score score = bleu(cats());
  CHECK(near(score.value, 33.75804740497264));
  CHECK(score.statistics.sums() == std::vector<double>{11, 11, 9, 5, 2, 0, 11, 9, 7, 5});
  CHECK(near(score.parts[0].value, 81.81818181818181));
  CHECK(near(score.parts[3].value, 10.0));
  CHECK(score.convention.find("tok:13a smooth:exp") != std::string::npos);
}

TEST_CASE("Smoothing and effective order of a short sentence", "[accuracy]") {
  TextPairs pairs;
  pairs.add("the cat", "the cat sat");
  for (const BleuSmoothing smoothing : {BleuSmoothing::exponential, BleuSmoothing::floor, BleuSmoothing::none}) {
    CHECK(of(pairs, smoothing, false) == 0);
    CHECK(near(of(pairs, smoothing, true), 60.653065971263366));
  }
  CHECK(near(of(pairs, BleuSmoothing::add_k, false), 60.653065971263366));
  CHECK(bleu_smoothing_named("add-k") == BleuSmoothing::add_k);
  CHECK(!bleu_smoothing_named("laplace"));
}

TEST_CASE("Other tokens are another score, and nothing scores nothing", "[accuracy]") {
  TextPairs pairs;
  pairs.add("Hello, world! It's 3.5% (approx.)", "Hello , world ! It 's 3.5 % ( approx. )");
  CHECK(near(bleu(pairs).value, 64.07117598241614));
  TextPairs empty;
  empty.add("", "a b c d");
  CHECK(bleu(empty).value == 0);
}

TEST_CASE("Of several references the nearest length and the largest counts hold", "[accuracy]") {
  TextPairs pairs;
  pairs.hypotheses = {"a a b c d"};
  pairs.references = {{"a b c d", "a a x y z w"}};
  CHECK(bleu(pairs).statistics.row(0)[1] == 4);  // 4 and 6 are equally near: the shorter
  CHECK(bleu(pairs).statistics.row(0)[2] == 5);  // the second has a twice
  pairs.references = {{}};
  CHECK_THROWS_AS(bleu(pairs), Misuse);
}
