#include "assay/kernels/sampling/sampling.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "assay/faults/sampling_faults.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("right samplers are not accused") {
  testing::require_correct_kernels_pass<Sampling>(0.25, 60);
}

TEST_CASE("every fault of a sampler is caught by its default suite") {
  testing::require_faults_are_caught<Sampling>({"column_edge_of_8", "column_edge_of_32", "row_edge_of_4",
                                                "row_edge_of_16", "row_overrun", "wrong_lane", "wrong_warp"});
}

TEST_CASE("Assay's own sampler passes") {
  const auto result = testing::run_suite(testing::suite_of(portable_operation_subject<Sampling>(Host(1)),
                                                           {element_format<float32>(), element_format<bfloat16>()}),
                                         3);
  INFO(result.first_failure);
  CHECK(result.count(Verdict::fail) + result.count(Verdict::error) + result.count(Verdict::inconclusive) == 0);
  CHECK(result.count(Verdict::pass) > 80);
}

TEST_CASE("a row's distribution is the definition") {
  SamplingProblem problem;
  problem.vocabulary = 4;
  float x[] = {0, 2, 1, 2};
  const Operand logits = contiguous_operand(x, {1, 4});
  const auto row = [&] { return SamplingRow::of(problem, logits, 0, Arithmetic{}); };
  CHECK(row().tokens == std::vector<Index>{1, 3, 2, 0});
  const double sum = 1 + std::exp(1.0) + 2 * std::exp(2.0);
  CHECK(row().probabilities[0] == Approx(std::exp(2.0) / sum));
  CHECK(row().least == 4);
  problem.temperature = 2;
  CHECK(row().probabilities[2] / row().probabilities[0] == Approx(std::exp(-0.5)));
  problem.temperature = 1;
  problem.top_k = 1;
  CHECK(row().most == 1);
  problem.ties = TopKTies::all_tied;
  CHECK(row().most == 2);
  problem.top_k = 0;
  problem.top_p = std::exp(2.0) / sum * 1.5;  // reached with the second
  CHECK(row().least == 2);
  CHECK(row().most == 2);
  problem.top_p = 2 * std::exp(2.0) / sum;  // just reached with the second, as far as rounding lets it be known
  CHECK(row().least == 2);
  CHECK(row().most == 3);
  problem.temperature = 0;
  CHECK(row().most == 1);
}

TEST_CASE("the limit of divergences is the bound's") {
  for (const std::size_t bins : {std::size_t{2}, std::size_t{5}, std::size_t{65}}) {
    const double t = divergence_limit(bins, 1e-12), freedom = static_cast<double>(bins - 1);
    CHECK(t > freedom);
    CHECK(std::exp(-t) * std::pow(std::exp(1.0) * t / freedom, freedom) == Approx(1e-12).epsilon(1e-6));
  }
  CHECK(divergence({3, 1}, {0.75, 0.25}) == Approx(0).margin(1e-15));
  CHECK(divergence({4, 0}, {0.5, 0.5}) == Approx(4 * std::log(2.0)));
}

TEST_CASE("lanes that copy other draws are accused, and nothing is promised of rows with NaN") {
  SamplingProblem problem;
  problem.rows = 2;
  problem.vocabulary = 40;
  problem.draws = 1536;
  std::vector<float> x(80);
  std::vector<std::int64_t> tokens(2 * 1536);
  const Operand logits = contiguous_operand(x.data(), {2, 40}), drawn = contiguous_operand(tokens.data(), {2, 1536});
  const auto judged = [&] { return SamplingJudge(problem, logits, drawn, Arithmetic{}).judge(); };
  for (std::size_t draw = 0; draw < tokens.size(); ++draw)
    tokens[draw] = static_cast<std::int64_t>(random_bits(7, draw, 0).words[0] % 40);
  CHECK(judged().violations == 0);
  const std::vector<std::int64_t> independent = tokens;
  const auto copy_where = [&](auto copies, std::size_t distance) {
    tokens = independent;
    for (std::size_t draw = distance; draw < tokens.size(); ++draw)
      if (copies(draw)) tokens[draw] = tokens[draw - distance];
  };
  copy_where([](std::size_t draw) { return draw % 32 == 9; }, 1);
  REQUIRE(judged().violations == 1);
  CHECK(judged().findings[0] == "draws 9 of every 32 are copies of those 1 before them, all of them");
  copy_where([](std::size_t draw) { return draw / 32 % 8 == 1; }, 32);
  CHECK(judged().violations == 1);
  copy_where([](std::size_t draw) { return draw == 700 || draw == 701; }, 64);
  CHECK(judged().violations == 0);
  copy_where([](std::size_t draw) { return draw >= 1536; }, 1536);  // the second row is the first
  CHECK(judged().violations > 0);

  tokens.assign(tokens.size(), 3);
  CHECK(judged().violations > 0);
  x[5] = x[45] = std::nanf("");
  CHECK(judged().violations == 0);
  tokens[9] = 40;
  CHECK(judged().violations == 1);
}

namespace {

// Rows of logits, and what a sampler drew of them.
struct Drawn {
  SamplingProblem problem;
  std::vector<float> logits;
  std::vector<std::int64_t> tokens;
  std::mt19937_64 generator{1};

  Drawn(Index rows, Index vocabulary, Index draws) {
    problem.rows = rows;
    problem.vocabulary = vocabulary;
    problem.draws = draws;
    logits.resize(static_cast<std::size_t>(rows * vocabulary));
    tokens.resize(static_cast<std::size_t>(rows * draws));
  }
  Drawn(std::vector<float> of, Index draws) : Drawn(1, static_cast<Index>(of.size()), draws) { logits = std::move(of); }
  Outcome judged(const Arithmetic& arithmetic = {}) const {
    OperandArray operands;
    operands.count = 2;
    operands[0] = contiguous_operand(const_cast<float*>(logits.data()), {problem.rows, problem.vocabulary});
    operands[1] = contiguous_operand(const_cast<std::int64_t*>(tokens.data()), {problem.rows, problem.draws});
    Outcome outcome;
    CHECK(Sampling::judge(problem, operands, operands, 0, arithmetic, outcome));
    return outcome;
  }
  Verdict verdict() const { return judged().verdict; }
  Verdict verdict_of(std::int64_t token) {
    tokens.assign(tokens.size(), token);
    return verdict();
  }
  SamplingRow row(Index at) const {
    return SamplingRow::of(problem,
                           contiguous_operand(const_cast<float*>(logits.data()), {problem.rows, problem.vocabulary}),
                           at, Arithmetic{});
  }
  // By `weight(row, rank)` times the probability.
  template <class Weight>
  void draw(Weight weight) {
    for (Index at = 0; at < problem.rows; ++at) {
      const SamplingRow own = row(at);
      std::vector<double> weights;
      for (std::size_t rank = 0; rank < own.tokens.size(); ++rank)
        weights.push_back(own.probabilities[rank] * weight(own, rank));
      std::discrete_distribution<std::size_t> distribution(weights.begin(), weights.end());
      for (Index i = 0; i < problem.draws; ++i)
        tokens[static_cast<std::size_t>(at * problem.draws + i)] = own.tokens[distribution(generator)];
    }
  }
};

}  // namespace

TEST_CASE("top-p of a large vocabulary is judged, wherever rounding lets the cut fall") {
  const bool flat = GENERATE(true, false);
  Drawn drawn(3, 32000, 8192);
  drawn.problem.top_p = 0.9;
  std::uniform_real_distribution<float> uniform;
  std::normal_distribution<float> normal(0, 2);
  for (float& logit : drawn.logits) logit = flat ? uniform(drawn.generator) : normal(drawn.generator);
  REQUIRE(drawn.row(0).most - drawn.row(0).least > 64);
  // right: cut at the least, in the middle, at the most, or with every other of those that may be cut off
  drawn.draw([](const SamplingRow& row, std::size_t rank) { return rank < row.least ? 1 : 0; });
  CHECK(drawn.verdict() == Verdict::pass);
  drawn.draw([](const SamplingRow& row, std::size_t rank) { return rank < (row.least + row.most) / 2 ? 1 : 0; });
  CHECK(drawn.verdict() == Verdict::pass);
  drawn.draw([](const SamplingRow& row, std::size_t rank) { return rank < row.most ? 1 : 0; });
  CHECK(drawn.verdict() == Verdict::pass);
  drawn.draw([](const SamplingRow& row, std::size_t rank) {
    return rank < row.least || (rank < row.most && rank % 2 == 0) ? 1 : 0;
  });
  CHECK(drawn.verdict() == Verdict::pass);
  // wrong: the likeliest few, all alike, another temperature, what may be cut off too often
  const std::size_t few = flat ? 200 : 50;
  drawn.draw([&](const SamplingRow& row, std::size_t rank) { return rank < few ? 1 / row.probabilities[rank] : 0; });
  CHECK(drawn.verdict() == Verdict::fail);
  drawn.draw(
      [](const SamplingRow& row, std::size_t rank) { return rank < row.least ? 1 / row.probabilities[rank] : 0; });
  CHECK(drawn.verdict() == Verdict::fail);
  drawn.draw([](const SamplingRow& row, std::size_t rank) { return rank < row.least ? row.probabilities[rank] : 0; });
  CHECK(drawn.verdict() == Verdict::fail);
  drawn.draw([](const SamplingRow& row, std::size_t rank) { return rank < row.least ? 1 : rank < row.most ? 20 : 0; });
  CHECK(drawn.verdict() == Verdict::fail);
}

TEST_CASE(
    "where a row's draws are mostly of tokens that may be cut off or not, nothing is decided but what they can never "
    "be") {
  Drawn drawn(1, 32000, 2048);
  drawn.problem.top_p = 0.002;
  drawn.draw([](const SamplingRow& row, std::size_t rank) { return rank < row.least ? 1 : 0; });
  const Outcome outcome = drawn.judged();
  CHECK(outcome.verdict == Verdict::inconclusive);
  CHECK(outcome.reason.substr(0, 65) == "row 0: most draws may be of tokens that rounding keeps or cuts of");
  for (std::size_t i = 0; i < drawn.logits.size(); ++i) drawn.logits[i] = static_cast<float>(i) * -1e-4f;
  CHECK(drawn.verdict_of(31999) == Verdict::fail);
}

TEST_CASE("logits whose rounding leaves no distribution decide nothing, and a finite mask is not among them") {
  Drawn drawn(1, 100, 2048);
  const auto skewed = [](const SamplingRow& row, std::size_t rank) {
    return row.probabilities[rank] * static_cast<double>(rank % 3);
  };
  for (std::size_t i = 0; i < drawn.logits.size(); ++i) drawn.logits[i] = static_cast<float>(i % 10);
  drawn.draw(skewed);
  CHECK(drawn.verdict() == Verdict::fail);
  for (const float mask : {-1e4f, -1e9f, std::numeric_limits<float>::lowest()}) {
    drawn.logits[3] = drawn.logits[5] = mask;
    drawn.draw(skewed);
    CHECK(drawn.verdict() == Verdict::fail);
    drawn.draw([](const SamplingRow&, std::size_t) { return 1; });
    CHECK(drawn.verdict() == Verdict::pass);
  }
  for (float& logit : drawn.logits) logit += 0x1p24f;
  drawn.draw([](const SamplingRow&, std::size_t) { return 1; });
  CHECK(drawn.verdict() == Verdict::inconclusive);
}

TEST_CASE("of a row whose softmax is NaN only the vocabulary is due, and at temperature 0 the token that is infinite") {
  const float large = std::numeric_limits<float>::infinity();
  Drawn drawn({1, large, 2, 0}, 3);
  for (const std::int64_t token : {0, 1, 2, 3}) CHECK(drawn.verdict_of(token) == Verdict::pass);
  CHECK(drawn.verdict_of(4) == Verdict::fail);
  drawn.problem.temperature = 0;
  for (const std::int64_t token : {0, 1, 2, 3})
    CHECK(drawn.verdict_of(token) == (token == 1 ? Verdict::pass : Verdict::fail));
  REQUIRE(portable_operation_subject<Sampling>(Host(1)).run(drawn.problem, [&] {
    OperandArray operands;
    operands.count = 2;
    operands[0] = contiguous_operand(drawn.logits.data(), {1, 4});
    operands[1] = contiguous_operand(drawn.tokens.data(), {1, 3});
    return operands;
  }()));
  CHECK(drawn.tokens == std::vector<std::int64_t>{1, 1, 1});
  drawn.logits[3] = large;
  for (const std::int64_t token : {0, 1, 2, 3})
    CHECK(drawn.verdict_of(token) == (token % 2 == 1 ? Verdict::pass : Verdict::fail));

  drawn.logits.assign(4, -large);
  for (const double temperature : {0.0, 1.0}) {
    drawn.problem.temperature = temperature;
    for (const std::int64_t token : {0, 1, 2, 3}) CHECK(drawn.verdict_of(token) == Verdict::pass);
    CHECK(drawn.verdict_of(-1) == Verdict::fail);
    CHECK(drawn.verdict_of(4) == Verdict::fail);
  }
  drawn.problem.temperature = 1e-38;  // 10/T is more than a single holds
  drawn.logits = {1, 10, 2, 0};
  CHECK(drawn.verdict_of(0) == Verdict::pass);
}

TEST_CASE("logits whose probabilities round to the same may change places at a cut, and no others") {
  const auto of = [](std::vector<float> logits, double temperature, Index top_k, double top_p) {
    Drawn drawn(std::move(logits), 256);
    drawn.problem.temperature = temperature;
    drawn.problem.top_k = top_k;
    drawn.problem.top_p = top_p;
    return drawn;
  };
  for (const std::int64_t token : {0, 1, 2}) {
    CHECK(of({1e-9f, 2e-9f, 0}, 1, 1, 1).verdict_of(token) == Verdict::pass);
    CHECK(of({1e-9f, 2e-9f, 0}, 0.5, 1, 1).verdict_of(token) == Verdict::pass);
    CHECK(of({1e-9f, 2e-9f, 0}, 1, 0, 0.3).verdict_of(token) == Verdict::pass);
    CHECK(of({1e-9f, 2e-9f, 0}, 0, 0, 1).verdict_of(token) ==
          (token == 1 ? Verdict::pass : Verdict::fail));  // which compares logits
    CHECK(of({1e-5f, 2e-5f, 0}, 1, 1, 1).verdict_of(token) == (token == 1 ? Verdict::pass : Verdict::fail));
  }
  const auto ends = [&](float below, float above, float largest, TopKTies ties) {
    Drawn drawn = of({below, above, largest}, 1, 2, 1);
    drawn.problem.ties = ties;
    const SamplingRow row = drawn.row(0);
    return std::vector<std::size_t>{row.least, row.most, row.end()};
  };
  const float five = 5, next = std::nextafter(five, 6.f);
  CHECK(ends(five, next, 20, TopKTies::exactly_k) == std::vector<std::size_t>{2, 2, 3});
  CHECK(ends(five, next, 20, TopKTies::all_tied) == std::vector<std::size_t>{2, 3, 3});
  CHECK(ends(five, five, 20, TopKTies::all_tied) ==
        std::vector<std::size_t>{3, 3, 3});  // of which no kernel leaves one out
  CHECK(ends(five, 5.0001f, 20, TopKTies::exactly_k) == std::vector<std::size_t>{2, 2, 2});
}

TEST_CASE("where near ties leave open how many tokens top-k keeps, so do they where top-p of them ends") {
  Drawn drawn({0, 0, 1e-9f, 2e-9f, 0, 0, 0, 0, 0, 0}, 2048);
  drawn.problem.top_k = 1;
  drawn.problem.ties = TopKTies::all_tied;
  drawn.problem.top_p = 0.45;
  CHECK(drawn.row(0).least == 1);  // of one
  CHECK(drawn.row(0).most == 5);   // of ten
  const auto first = [](std::size_t kept) {
    return [=](const SamplingRow&, std::size_t rank) { return rank < kept ? 1 : 0; };
  };
  for (const std::size_t kept : {1U, 3U, 5U}) {
    drawn.draw(first(kept));
    CHECK(drawn.verdict() == Verdict::pass);
  }
  drawn.draw(first(6));
  CHECK(drawn.verdict() == Verdict::fail);
}

TEST_CASE("a token that is near one that is near the cut is kept all the same") {
  Drawn drawn(1, 1000, 2048);
  for (std::size_t i = 0; i < drawn.logits.size(); ++i) drawn.logits[i] = static_cast<float>(i) * -5e-7f;
  drawn.problem.top_k = 500;
  const SamplingRow row = drawn.row(0);
  CHECK(row.end() < 510);
  CHECK(row.tied(499).first > 490);
}

TEST_CASE("samplers that cannot be are refused") {
  SamplingProblem problem;
  SECTION("vocabulary") {
    problem.vocabulary = 0;
    testing::require_refused<Sampling>(problem, "vocabulary");
  }
  SECTION("draws") {
    problem.draws = -1;
    testing::require_refused<Sampling>(problem, "draws");
  }
  SECTION("temperature") {
    problem.temperature = -0.5;
    testing::require_refused<Sampling>(problem, "temperature");
  }
  SECTION("top_k") {
    problem.top_k = -1;
    testing::require_refused<Sampling>(problem, "top_k");
  }
  SECTION("top_p") {
    problem.top_p = 0;
    testing::require_refused<Sampling>(problem, "top_p");
  }
  SECTION("formats") {
    problem.format = element_format<std::int8_t>();
    testing::require_refused<Sampling>(problem, "format");
    problem.token_format = element_format<float32>();
    testing::require_refused<Sampling>(problem, "token_format");
  }
}
