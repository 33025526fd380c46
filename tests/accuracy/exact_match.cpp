#include "assay/accuracy/exact_match.hpp"

#include "accuracy/near.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::near;

TEST_CASE("Exact match and token F1 of answers", "[accuracy]") {
  TextPairs pairs;
  pairs.add("The Eiffel Tower.", "eiffel tower");
  pairs.add("in Paris", "Paris, France");
  pairs.add("", "");
  CHECK(exact_match(pairs).value == 1.0 / 3);
  CHECK(exact_match(pairs, TextNormalization::answers()).value == 2.0 / 3);
  CHECK(near(token_f1(pairs).value, (1 + 0.5 + 1) / 3));
  CHECK(exact_match(pairs).binary);
}

TEST_CASE("pass@k is without bias", "[accuracy]") {
  CHECK(near(pass_at_k({10, 3}, 1), 0.3));
  CHECK(near(pass_at_k({10, 3}, 5), 1 - 21.0 / 252));
  CHECK(pass_at_k({10, 0}, 5) == 0);
  CHECK(pass_at_k({10, 6}, 5) == 1);
  CHECK_THROWS_AS(pass_at_k({3, 1}, 4), Misuse);
  const std::vector<Attempts> problems{{10, 3}, {10, 10}};
  CHECK(near(pass_at_k(problems, 1).value, 0.65));
}
