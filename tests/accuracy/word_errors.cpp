#include "assay/accuracy/word_errors.hpp"

#include "accuracy/near.hpp"
#include "testing/catch.hpp"

namespace {

using namespace assay;
using testing::near;

struct Golden {
  std::vector<std::string> references, hypotheses;
  double wer, mer, wil;
  std::vector<double> counts;  // hits, substitutions, deletions, insertions
};

TextPairs pairs_of(const Golden& golden) {
  TextPairs pairs;
  for (std::size_t i = 0; i < golden.references.size(); ++i) pairs.add(golden.hypotheses[i], golden.references[i]);
  return pairs;
}

}  // namespace

TEST_CASE("Word errors are jiwer's", "[accuracy]") {
  const std::vector<Golden> all{{{"the quick brown fox"}, {"the quik brown fox jumps"}, 0.5, 0.4, 0.55, {3, 1, 0, 1}},
                                {{"a b"}, {"x y z w v"}, 2.5, 1, 1, {0, 2, 0, 3}},
                                {{""}, {"a b c"}, 3, 1, 1, {0, 0, 0, 3}},
                                {{"a b c"}, {""}, 1, 1, 1, {0, 0, 3, 0}},
                                {{""}, {""}, 0, 0, 0, {0, 0, 0, 0}},
                                {{"a b c d", "e"}, {"a b c", "f"}, 0.4, 0.4, 0.55, {3, 1, 1, 0}},
                                {{"a b", ""}, {"a b", "x"}, 0.5, 1.0 / 3, 1 - 2.0 / 3, {2, 0, 0, 1}},
                                {{"Hello, World"}, {"hello world"}, 1, 1, 1, {0, 2, 0, 0}},
                                {{"a b c d"}, {"b c d e"}, 0.5, 0.4, 0.4375, {3, 0, 1, 1}}};
  for (const Golden& golden : all) {
    INFO(golden.references.front() << " / " << golden.hypotheses.front());
    const Score wer = error_rate(pairs_of(golden), ErrorRate::word);
    CHECK(near(wer.value, golden.wer));
    CHECK(wer.statistics.sums() == golden.counts);
    CHECK(near(error_rate(pairs_of(golden), ErrorRate::match).value, golden.mer));
    CHECK(near(error_rate(pairs_of(golden), ErrorRate::information_lost).value, golden.wil, 1e-14));
  }
}

TEST_CASE("Character errors count spaces", "[accuracy]") {
  TextPairs pairs;
  pairs.add("sitting", "kitten");
  CHECK(error_rate(pairs, ErrorRate::character).value == 0.5);
  TextPairs spaced;
  spaced.add("ab", "a b");
  CHECK(near(error_rate(spaced, ErrorRate::character).value, 1.0 / 3));
}

TEST_CASE("A normalization moves the rate and stands in its convention", "[accuracy]") {
  TextPairs pairs;
  pairs.add("hello world", "Hello, World");
  const Score score = error_rate(pairs, ErrorRate::word, TextNormalization::answers());
  CHECK(score.value == 0);
  CHECK(score.convention.find("punctuation removed") != std::string::npos);
  pairs.references[0].push_back("another");
  CHECK_THROWS_AS(error_rate(pairs, ErrorRate::word), Misuse);
}
