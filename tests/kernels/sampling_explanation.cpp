#include "assay/kernels/sampling/explanation.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "assay/kernels/sampling/sampling.hpp"

using namespace assay;

namespace {

constexpr Index rows = 3, vocabulary = 24, draws = 2048;

// Logits of no order, and tokens that are drawn with the library's generator, by weights that a test may spoil.
struct Drawn {
  SamplingProblem problem;
  std::vector<float> logits;
  std::vector<std::int64_t> tokens = std::vector<std::int64_t>(static_cast<std::size_t>(rows * draws));
  std::mt19937_64 generator;

  explicit Drawn(std::uint64_t seed = 1) : generator(seed) {
    problem.rows = rows;
    problem.vocabulary = vocabulary;
    problem.draws = draws;
    std::normal_distribution<float> normal;
    for (Index i = 0; i < rows * vocabulary; ++i) logits.push_back(normal(generator));
  }
  std::vector<double> weights(Index row) const {
    std::vector<double> own;
    for (Index token = 0; token < vocabulary; ++token)
      own.push_back(std::exp(static_cast<double>(logits[static_cast<std::size_t>(row * vocabulary + token)])));
    return own;
  }
  template <class Spoil>
  void draw(Spoil spoil) {
    for (Index row = 0; row < rows; ++row) {
      std::vector<double> own = weights(row);
      spoil(own);
      std::discrete_distribution<std::int64_t> distribution(own.begin(), own.end());
      for (Index i = 0; i < draws; ++i) tokens[static_cast<std::size_t>(row * draws + i)] = distribution(generator);
    }
  }
  void draw() {
    draw([](std::vector<double>&) {});
  }
  std::optional<Diagnosis> explained() {
    const Operand x = contiguous_operand(logits.data(), {rows, vocabulary}),
                  y = contiguous_operand(tokens.data(), {rows, draws});
    return SamplingExplanation(problem, x, y, Arithmetic{}).explanation();
  }
  std::string kind() {
    const auto found = explained();
    return found ? found->kind : "nothing";
  }
};

std::size_t likeliest(const std::vector<double>& weights) {
  return static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
}

}  // namespace

TEST_CASE("nothing is wrong with right draws") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Drawn drawn(seed);
    drawn.draw();
    CHECK(drawn.kind() == "nothing");
  }
}

TEST_CASE("draws that are used again are a matter of state") {
  Drawn drawn;
  drawn.draw();
  SECTION("in succession") {
    for (std::size_t i = 0; i < drawn.tokens.size(); ++i) drawn.tokens[i] = drawn.tokens[i / 4 * 4];
    CHECK(drawn.kind() == "draws_shared");
  }
  SECTION("after a while") {
    for (std::size_t i = 100; i < drawn.tokens.size(); ++i)
      if (i % draws >= 100) drawn.tokens[i] = drawn.tokens[i - 100];
    CHECK(drawn.kind() == "draws_repeated");
  }
  SECTION("for ever") {
    for (std::size_t i = 0; i < drawn.tokens.size(); ++i) drawn.tokens[i] = drawn.tokens[i / draws * draws + 3];
    CHECK(drawn.kind() == "constant_draw");
  }
  SECTION("in the next row") {
    for (Index token = 0; token < vocabulary; ++token)
      drawn.logits[static_cast<std::size_t>(vocabulary + token)] = drawn.logits[static_cast<std::size_t>(token)];
    for (Index i = 0; i < draws; ++i)
      drawn.tokens[static_cast<std::size_t>(draws + i)] = drawn.tokens[static_cast<std::size_t>(i)];
    CHECK(drawn.kind() == "draws_depend");
  }
  REQUIRE(drawn.explained());
  CHECK(drawn.explained()->fault_class == FaultClass::state);
}

TEST_CASE("other distributions are told by what they are") {
  Drawn drawn;
  SECTION("the likeliest alone") {
    drawn.draw([](std::vector<double>& weights) {
      const std::size_t best = likeliest(weights);
      for (std::size_t token = 0; token < weights.size(); ++token) weights[token] = token == best ? 1 : 0;
    });
    CHECK(drawn.kind() == "always_likeliest");
    CHECK(drawn.explained()->fault_class == FaultClass::missing_work);
  }
  SECTION("all alike") {
    drawn.draw([](std::vector<double>& weights) { weights.assign(weights.size(), 1); });
    CHECK(drawn.kind() == "probabilities_ignored");
  }
  SECTION("one left out") {
    drawn.draw([](std::vector<double>& weights) { weights[likeliest(weights)] = 0; });
    CHECK(drawn.kind() == "token_never_drawn");
  }
  SECTION("one preferred") {
    drawn.draw([](std::vector<double>& weights) { weights[5] *= 3; });
    CHECK(drawn.kind() == "token_preferred");
  }
  SECTION("what is cut off goes to the likeliest") {
    drawn.problem.top_k = 12;
    drawn.draw([](std::vector<double>& weights) {
      std::vector<double> sorted = weights;
      std::sort(sorted.begin(), sorted.end());
      double cut = 0;
      for (double& weight : weights)
        if (weight < sorted[sorted.size() - 12]) cut += weight, weight = 0;
      weights[likeliest(weights)] += cut;
    });
    CHECK(drawn.kind() == "not_normalized_anew");
  }
  SECTION("numbers of four bits") {
    drawn.draw([](std::vector<double>& weights) {
      double sum = 0, below = 0;
      for (const double weight : weights) sum += weight;
      int level = 0;
      for (double& weight : weights) {
        below += weight / sum;
        weight = 0;
        for (; level < 16 && level < below * 16; ++level) weight += 1;
      }
    });
    CHECK(drawn.kind() == "coarse_draws");
    CHECK(drawn.explained()->fault_class == FaultClass::precision);
  }
  SECTION("the squares, of which nothing is known") {
    drawn.draw([](std::vector<double>& weights) {
      for (double& weight : weights) weight *= weight;
    });
    CHECK(drawn.kind() == "nothing");
  }
}

TEST_CASE("masked tokens are told where they are many, and nothing else is wrong") {
  Drawn drawn;
  for (Index row = 0; row < rows; ++row)
    for (const Index token : {3, 9}) drawn.logits[static_cast<std::size_t>(row * vocabulary + token)] = -HUGE_VALF;
  drawn.draw([](std::vector<double>& weights) { weights[3] = weights[9] = 0.05; });
  CHECK(drawn.kind() == "masked_tokens_drawn");
  drawn.tokens[7] = vocabulary + 1;
  CHECK(drawn.kind() == "nothing");
}

TEST_CASE("rows with a logit that is NaN explain nothing: whatever is drawn of them is right") {
  Drawn drawn;
  drawn.draw();
  drawn.logits[7] = std::nanf("");
  for (std::size_t i = 0; i < static_cast<std::size_t>(draws); ++i) drawn.tokens[i] = 7;
  CHECK(drawn.kind() == "nothing");
  const Operand x = contiguous_operand(drawn.logits.data(), {rows, vocabulary}),
                y = contiguous_operand(drawn.tokens.data(), {rows, draws});
  OperandArray operands;
  operands.count = 2;
  operands[0] = x, operands[1] = y;
  CHECK(Sampling::due_by_choices(drawn.problem, operands, operands, 0, Arithmetic{})[5].value == 7);
  for (std::int64_t& token : drawn.tokens) token = 7;
  CHECK(drawn.kind() == "constant_draw");
}
