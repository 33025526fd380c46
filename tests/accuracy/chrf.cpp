#include "assay/accuracy/chrf.hpp"

#include "accuracy/near.hpp"
#include "assay/accuracy/detail/ngram_table.hpp"
#include "assay/accuracy/detail/prefix_overlap.hpp"
#include "assay/statistics/random_sequence.hpp"
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

TEST_CASE("Sorted places share the n-grams that tables of n-grams count", "[accuracy]") {
  detail::RandomSequence random(5);
  detail::PrefixOverlap sorted;
  for (int round = 0; round < 2000; ++round) {
    const std::size_t alphabet = 1 + random.below(4), orders = 1 + random.below(detail::PrefixOverlap::most_orders);
    const auto drawn = [&] {
      std::vector<std::uint32_t> tokens(random.below(20));
      for (std::uint32_t& token : tokens)
        token = static_cast<std::uint32_t>(random.below(5) == 0 ? 255 : 1 + random.below(alphabet));
      return tokens;
    };
    const std::vector<std::uint32_t> ours = drawn();
    const std::vector<std::vector<std::uint32_t>> theirs{drawn()};
    detail::NgramOverlap counted(orders);
    REQUIRE(sorted.shared(ours, theirs[0], orders) == counted.shared(ours, theirs));
  }
  CHECK(!detail::PrefixOverlap::holds(std::vector<std::uint32_t>{1, 0}));
  CHECK(!detail::PrefixOverlap::holds(std::vector<std::uint32_t>{256}));
}
