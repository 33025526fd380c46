#include "assay/serving/tiny_decoder.hpp"

#include <cmath>

#include "testing/catch.hpp"

using namespace assay::testing;

namespace {

/// Logits behind the last of the tokens.
std::vector<float> behind(const assay::TinyDecoder& decoder, const std::vector<std::size_t>& tokens,
                          std::size_t adapter = 0) {
  return assay::decode_alone(decoder, {tokens, adapter, 1, 1}).front().logits.front();
}

}  // namespace

TEST_CASE("each token, its place and its adapter matter to what comes", "[serving]") {
  const assay::TinyDecoder decoder;
  const auto right = behind(decoder, {1, 2, 3, 4, 5, 6});
  CHECK(behind(decoder, {1, 2, 3, 4, 5, 6}) == right);
  for (const auto& other :
       {std::vector<std::size_t>{9, 2, 3, 4, 5, 6}, {2, 1, 3, 4, 5, 6}, {1, 2, 3, 4, 5}, {1, 1, 2, 3, 4, 5, 6}})
    CHECK(behind(decoder, other) != right);
  CHECK(behind(decoder, {1, 2, 3, 4, 5, 6}, 1) != right);
  CHECK(behind(decoder, {1, 2, 3, 4, 5, 6}, 1) != behind(decoder, {1, 2, 3, 4, 5, 6}, 2));
  CHECK(behind(assay::TinyDecoder(2), {1, 2, 3, 4, 5, 6}) != right);
  for (const float logit : right) CHECK(std::isfinite(logit));
}

TEST_CASE("answers are greedy but for how they begin", "[serving]") {
  const assay::TinyDecoder decoder;
  const auto answers = assay::decode_alone(decoder, {{3, 1, 4}, 0, 6, 3});
  REQUIRE(answers.size() == 3);
  const auto ranked = assay::ranked_tokens(answers[0].logits[0]);
  for (std::size_t choice = 0; choice < 3; ++choice) {
    CHECK(answers[choice].tokens.size() == 6);
    CHECK(answers[choice].tokens[0] == ranked[choice]);
    CHECK(answers[choice].tokens[3] == assay::ranked_tokens(answers[choice].logits[3])[0]);
    // The answer goes on as if its beginning had been asked for.
    std::vector<std::size_t> prompt{3, 1, 4, answers[choice].tokens[0]};
    CHECK(assay::decode_alone(decoder, {prompt, 0, 5, 1})[0].tokens ==
          std::vector<std::size_t>(answers[choice].tokens.begin() + 1, answers[choice].tokens.end()));
  }
}

TEST_CASE("of equal logits the smaller token is likelier", "[serving]") {
  CHECK(assay::ranked_tokens(std::vector<float>{1, 3, 3, 2}) == std::vector<std::size_t>{1, 2, 3, 0});
}
