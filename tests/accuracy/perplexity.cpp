#include "assay/accuracy/perplexity.hpp"

#include <cmath>
#include <limits>

#include "accuracy/near.hpp"
#include "testing/catch.hpp"

namespace {

using namespace assay;
using testing::near;

const std::vector<TokenLosses> losses{{0.1, 0.7, 2.3}, {1.1}, {0.05, 0.05}};

}  // namespace

TEST_CASE("Three means of perplexity, and each names itself", "[accuracy]") {
  const Score corpus = perplexity(losses);
  CHECK(near(corpus.value, 2.0475965007884525));
  CHECK(near(perplexity(losses, PerplexityMean::sequences).value, 2.288618473306336));
  CHECK(near(perplexity(losses, PerplexityMean::sequence_losses).value, 2.070474437297475));
  CHECK(corpus.convention != perplexity(losses, PerplexityMean::sequences).convention);
  CHECK(corpus.parts[0].value == 6);
}

TEST_CASE("Padding that counts would flatter; words and bytes compare tokenizers", "[accuracy]") {
  std::vector<TokenLosses> padded = losses;
  padded[1].insert(padded[1].end(), {0, 0});
  CHECK(near(perplexity(padded).value, 1.711722203084864));
  CHECK(near(perplexity_per(losses, 5), 2.3631606937057943));
  CHECK(near(perplexity_per(losses, 21), 1.2272328318816004));
  CHECK_THROWS_AS(perplexity_per(losses, 0), Misuse);
}

TEST_CASE("A sequence without tokens counts nowhere but is told", "[accuracy]") {
  const std::vector<TokenLosses> some{{1.0}, {}};
  for (const PerplexityMean mean : {PerplexityMean::corpus, PerplexityMean::sequences, PerplexityMean::sequence_losses})
    CHECK(near(perplexity(some, mean).value, std::exp(1.0)));
  CHECK(perplexity(some).parts[2].value == 1);
}

TEST_CASE("Losses of logits keep their digits and do not hide NaN", "[accuracy]") {
  const std::vector<float> even(4, 1000.0f);
  CHECK(near(negative_log_likelihood(even, 2), std::log(4.0), 1e-13));
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(std::isnan(negative_log_likelihood(std::vector<float>{0, nan}, 0)));
  CHECK(std::isnan(negative_log_likelihood(std::vector<float>{0, infinity}, 0)));
  CHECK(std::isinf(negative_log_likelihood(std::vector<float>{0, -infinity}, 1)));
  CHECK(negative_log_likelihood(std::vector<float>{0, -infinity}, 0) == 0);
  CHECK_THROWS_AS(negative_log_likelihood(even, 4), Misuse);
}

TEST_CASE("Windows score every token but the first once", "[accuracy]") {
  for (const std::size_t tokens : {0, 1, 2, 7, 8, 9, 100})
    for (const std::size_t context : {2, 8})
      for (std::size_t stride = 1; stride < context; ++stride) {
        std::vector<int> scored(tokens, 0);
        for (const PerplexityWindow& window : perplexity_windows(tokens, context, stride)) {
          CHECK(window.end - window.begin <= context);
          CHECK(window.scored > window.begin);
          for (std::size_t i = window.scored; i < window.end; ++i) ++scored[i];
        }
        for (std::size_t i = 0; i < tokens; ++i) CHECK(scored[i] == (i == 0 ? 0 : 1));
      }
  CHECK_THROWS_AS(perplexity_windows(10, 4, 4), Misuse);
}
