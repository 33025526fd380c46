#include "assay/accuracy/chrf.hpp"

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

}  // namespace

TEST_CASE("chrF and chrF++ are sacrebleu's to the last digit", "[accuracy]") {
  CHECK(near(chrf(cats()).value, 58.64516831243577));
  ChrfOptions words;
  words.word_orders = 2;
  CHECK(near(chrf(cats(), words).value, 61.15823383972994));
  CHECK(chrf(cats(), words).name == "chrf++");
  TextPairs first;
  first.add("the cat is on the mat", "the cat sat on the mat");
  CHECK(near(chrf(first).value, 61.9251512899325));
}

TEST_CASE("An empty hypothesis scores 0, or ε where that smooths", "[accuracy]") {
  TextPairs pairs;
  pairs.add("", "a b c d");
  CHECK(chrf(pairs).value == 0);
  ChrfOptions smoothed;
  smoothed.epsilon_smoothing = true;
  CHECK(near(chrf(pairs, smoothed).value, 1e-14 / 3));  // orders 5 and 6, which neither side has
  TextPairs nothing;
  nothing.add("", "");
  CHECK(near(chrf(nothing, smoothed).value, 1e-14));
}

TEST_CASE("Of several references the best counts, and equal texts score 100", "[accuracy]") {
  TextPairs pairs;
  pairs.hypotheses = {"über alles"};
  pairs.references = {{"something else", "über alles"}};
  CHECK(near(chrf(pairs).value, 100));
  ChrfOptions none;
  none.character_orders = 0;
  CHECK_THROWS_AS(chrf(pairs, none), Misuse);
}
