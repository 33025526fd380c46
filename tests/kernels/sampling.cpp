#include "assay/kernels/sampling/sampling.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/validators/faults/sampling_faults.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("right samplers are not accused") {
  testing::require_correct_kernels_pass<Sampling>(0.25, 60);
}

TEST_CASE("every fault of a sampler is caught by its default suite") {
  testing::require_faults_are_caught<Sampling>(
      {"column_edge_of_8", "column_edge_of_32", "row_edge_of_4", "row_edge_of_16", "row_overrun", "wrong_lane", "wrong_warp"});
}

TEST_CASE("Assay's own sampler passes") {
  const auto result = testing::run_suite(
      testing::suite_of(portable_operation_subject<Sampling>(Host(1)), {element_format<float32>(), element_format<bfloat16>()}), 3);
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
  for (std::size_t draw = 0; draw < tokens.size(); ++draw) tokens[draw] = static_cast<std::int64_t>(random_bits(7, draw, 0).words[0] % 40);
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
