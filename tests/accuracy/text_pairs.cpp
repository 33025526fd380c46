#include "assay/accuracy/text_pairs.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("Pairs that do not belong together are refused", "[accuracy]") {
  TextPairs pairs;
  pairs.add("a", "b");
  CHECK_NOTHROW(detail::expect_pairs(pairs, "test"));
  pairs.hypotheses.push_back("more");
  CHECK_THROWS_AS(detail::expect_pairs(pairs, "test"), Misuse);
}
