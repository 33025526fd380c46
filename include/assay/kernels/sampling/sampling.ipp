#pragma once

#include "assay/kernels/sampling/sampling.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE OperationData Sampling::data(const Problem& problem, FillKind kind, const Arithmetic&,
                                                        std::uint64_t seed) {
  OperationData data;
  data.model = RoundingModel::statistical;
  OperandFill x;
  x.pattern = {kind, seed * 4, problem.vocabulary, problem.format.layout};
  x.scale = kind == FillKind::normal ? 2 : kind == FillKind::swamping ? 6 : 1;
  if (kind == FillKind::extreme) {  // subnormal: whoever flushes them takes all tokens for equally likely
    const FloatLayout& layout = problem.format.layout;
    x.pattern.kind = FillKind::normal;
    x.scale = power_of_two(layout.min_exponent() - layout.fraction_bits + 3);
  }
  if (kind == FillKind::special) {
    std::vector<double> drawn;
    const Fill normal{FillKind::normal, seed * 4, problem.vocabulary, problem.format.layout};
    for (Index e = 0; e < problem.rows * problem.vocabulary; ++e)
      drawn.push_back(normal.bits(0, e, 1).low() % 3 == 0 && e % problem.vocabulary != 0
                          ? -detail::double_of(binary64_layout.infinity_bits())
                          : 1.5 * normal(0, e) - 4);
    x = OperandFill::of(std::move(drawn));
  }
  data.operands = {x, {}};
  return data;
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Sampling::Problem> Sampling::another_seed(const Problem& problem,
                                                                                   const OperandArray& operands) {
  constexpr double nats = 40;  // e^-40 is 4e-18
  double told = 0;
  for (Index row = 0; row < problem.rows && problem.temperature > 0; ++row) {
    const SamplingRow drawn = SamplingRow::of(problem, operands[logits], row, Arithmetic{});
    if (drawn.any_nan || drawn.tokens.empty()) continue;
    double sum = 0, squares = 0;
    for (std::size_t rank = 0; rank < std::min(drawn.least, drawn.probabilities.size()); ++rank) {
      sum += drawn.probabilities[rank];
      squares += drawn.probabilities[rank] * drawn.probabilities[rank];
    }
    if (sum > 0) told -= static_cast<double>(problem.draws) * std::log(squares / (sum * sum));
  }
  if (!(told >= nats)) return std::nullopt;
  Problem other = problem;
  other.seed = problem.seed + 1;
  return other;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<OperationShape<Sampling::Problem>> Sampling::shapes(
    const ElementFormat& format) {
  using enum FillKind;
  const std::vector<FillKind> all{normal, uniform, constant, exact_integer, swamping, special},
      greedy{normal, uniform, constant, exact_integer, swamping, special, extreme},
      core{normal, exact_integer, special}, one{normal};
  std::vector<OperationShape<Problem>> shapes;
  const auto add = [&](Index vocabulary, double temperature, Index top_k, double top_p,
                       const std::vector<FillKind>& fills, bool large = false) -> Problem& {
    Problem problem;
    problem.rows = 3;
    problem.vocabulary = vocabulary;
    problem.draws = 2048;
    problem.temperature = temperature;
    problem.top_k = top_k;
    problem.top_p = top_p;
    problem.format = format;
    shapes.push_back({problem, fills, large});
    return shapes.back().problem;
  };
  add(32, 1, 0, 1, all);
  add(97, 0.7, 0, 1, core);
  add(50, 1.8, 0, 1, core);
  add(64, 1, 5, 1, all);
  add(101, 1, 40, 1, core);
  add(60, 1, 7, 1, {exact_integer, constant}).ties = TopKTies::all_tied;
  add(64, 1, 0, 0.9, all);
  add(80, 1, 0, 0.5, core);
  add(40, 1, 0, 0.05, one);
  add(120, 0.8, 50, 0.95, all);
  add(33, 0, 0, 1, greedy);
  add(16, 1, 100, 1, one);
  add(5, 1, 1, 1, core);
  add(1, 1, 0, 1, one);
  add(300, 1, 0, 1, {normal, uniform}).token_format = element_format<std::int32_t>();
  add(20, 1, 0, 1, one).draws = 0;
  add(48, 1, 0, 1, {normal, uniform}).rows = 18;  // more rows and other numbers of draws than tiles have
  shapes.back().problem.draws = 519;
  add(128256, 0.7, 50, 0.9, one, true);  // Llama 3
  return shapes;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> Sampling::derivation(const Problem& problem, RoundingModel,
                                                                         const Arithmetic& arithmetic) {
  return {
      "nothing outside the support is drawn; where top-p ends is known up to the rounding of a cumulative sum, u = " +
          detail::number(arithmetic.unit_roundoff()) +
          "; tokens between which that leaves it open count together, with any share that it leaves them, "
          "where they are many",
      "draws*KL(counts | probabilities) <= t, t - (k - 1) ln(e t/(k - 1)) = ln(1/risk), k bins of 1/64 and 16 draws at "
      "least, risk = " +
          detail::number(SamplingJudge::test_risk) + " a test (Agrawal 2020), at most " +
          std::to_string(3 * problem.rows) +
          " tests; and the same of pairs of draws, of a row and of neighboring rows, against independence; and that "
          "the draws of a lane "
          "are not all those of another one"};
}

ASSAY_DETAIL_HEADER_INLINE bool Sampling::judge(const Problem& problem, const OperandArray& operands,
                                                const OperandArray& before, int, const Arithmetic& arithmetic,
                                                Outcome& outcome) {
  SamplingJudge judge(problem, before[logits], operands[tokens], arithmetic);
  judge.judge().describe(outcome);
  if (outcome.verdict == Verdict::pass && !judge.undecided().empty()) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = judge.undecided();
  }
  return true;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<ExpectedElement> Sampling::due_by_choices(const Problem& problem,
                                                                                 const OperandArray& after,
                                                                                 const OperandArray& before, int,
                                                                                 const Arithmetic& arithmetic) {
  std::vector<ExpectedElement> due;
  for (Index row = 0; row < problem.rows; ++row) {
    const SamplingRow own = SamplingRow::of(problem, before[logits], row, arithmetic);
    const auto rank_of = own.ranks();
    for (Index draw = 0; draw < problem.draws; ++draw) {
      const double token = after[tokens].at(row, draw);
      const auto found = rank_of.find(static_cast<Index>(token));
      const bool right = own.any_nan ? token >= 0 && token < static_cast<double>(problem.vocabulary)
                                     : found != rank_of.end() && found->second < own.end();
      due.push_back({right ? token : own.tokens.empty() ? 0 : static_cast<double>(own.tokens.front()), 0});
    }
  }
  return due;
}

}  // namespace assay::inline v0
