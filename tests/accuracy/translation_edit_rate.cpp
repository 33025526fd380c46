#include "assay/accuracy/translation_edit_rate.hpp"

#include "accuracy/near.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::near;

TEST_CASE("TER of the cats is sacrebleu's", "[accuracy]") {
  TextPairs pairs;
  pairs.add("the cat is on the mat", "the cat sat on the mat");
  pairs.add("there is a dog here", "there is a cat here");
  CHECK(near(translation_edit_rate(pairs).value, 100 * (2.0 / 11)));
}

TEST_CASE("Moving a run of words is one edit", "[accuracy]") {
  const std::vector<std::uint32_t> straight{1, 2, 3, 4, 5, 6}, moved{4, 5, 6, 1, 2, 3};
  CHECK(translation_edits(moved, straight) == 1);
  CHECK(translation_edits(straight, straight) == 0);
  CHECK(translation_edits({}, straight) == 6);
  CHECK(translation_edits(straight, {}) == 6);
}

TEST_CASE("TER without words in references, and by case", "[accuracy]") {
  TextPairs empty;
  empty.add("a", "");
  CHECK(translation_edit_rate(empty).value == 100);
  TextPairs nothing;
  nothing.add("", "");
  CHECK(translation_edit_rate(nothing).value == 0);
  TextPairs cased;
  cased.add("A b", "a b");
  CHECK(translation_edit_rate(cased).value == 0);
  CHECK(translation_edit_rate(cased, true).value == 50);
}
