#pragma once

#include "assay/kernels/rotary_embedding/rotary_embedding.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<OperandSpec>> RotaryEmbedding::operands(const Problem& problem) {
  if (auto checked = check(problem); !checked) return checked.propagate();
  const std::vector<Index> extents{problem.batch, problem.sequence, problem.heads, problem.dimension};
  return std::vector<OperandSpec>{{"input", OperandRole::input, problem.input, extents},
                                  {"positions",
                                   OperandRole::input,
                                   element_format<std::int64_t>(),
                                   {problem.batch, problem.sequence},
                                   problem.given_positions},
                                  {"output", OperandRole::output, problem.output, extents}};
}

ASSAY_DETAIL_HEADER_INLINE OperationData RotaryEmbedding::data(const Problem& problem, FillKind kind, const Arithmetic&,
                                                               std::uint64_t seed) {
  OperandFill x, places;
  x.pattern = {kind, seed * 4, problem.dimension, problem.input.layout};
  if (kind == FillKind::extreme) x.scale = 0.5;
  if (problem.given_positions) {
    std::vector<double> drawn(static_cast<std::size_t>(problem.batch * problem.sequence));
    for (std::size_t i = 0; i < drawn.size(); ++i)
      drawn[i] = static_cast<double>(random_bits(seed, i, 9).words[0] % (kind == FillKind::normal ? 1U << 20 : 8192U));
    places = OperandFill::of(std::move(drawn));
  }
  return {{x, places, {}}, RoundingModel::worst_case};
}

ASSAY_DETAIL_HEADER_INLINE std::vector<OperationShape<RotaryEmbedding::Problem>> RotaryEmbedding::shapes(
    const ElementFormat& format) {
  using enum FillKind;
  const std::vector<FillKind> all{normal,    uniform,   log_uniform, constant, one_hot,
                                  canceling, subnormal, extreme,     special},
      core{normal, one_hot, special};
  std::vector<OperationShape<Problem>> shapes;
  const auto add = [&](Index batch, Index sequence, Index heads, Index dimension, const std::vector<FillKind>& fills,
                       bool large = false) -> Problem& {
    Problem problem;
    problem.batch = batch;
    problem.sequence = sequence;
    problem.heads = heads;
    problem.dimension = problem.rotary_dimension = dimension;
    problem.input = problem.output = format;
    shapes.push_back({problem, fills, large});
    return shapes.back().problem;
  };
  for (const RotaryLayout layout : {RotaryLayout::half_split, RotaryLayout::interleaved})
    for (const AngleArithmetic angles : {AngleArithmetic::accumulator, AngleArithmetic::exact}) {
      const auto with = [&](Problem& problem) -> Problem& {
        problem.layout = layout;
        problem.angles = angles;
        return problem;
      };
      with(add(2, 5, 3, 16, all));
      with(add(1, 7, 2, 64, core)).inverse = true;
      with(add(2, 4, 1, 32, core)).given_positions = true;
      with(add(1, 3, 2, 80, core)).rotary_dimension = 32;  // partial, as in Phi and GPT-NeoX
      with(add(1, 2, 4, 128, {normal})).offset = 4095;     // decode
      with(add(1, 1, 2, 128, {normal})).offset = 131071;
      with(add(1, 1, 2, 64, {normal, one_hot})).offset = (1 << 20) - 1;
      Problem& llama = with(add(1, 4, 4, 128, {normal}));  // Llama 3: another base
      llama.base = 500000;
      llama.offset = 8000;
      with(add(1, 2, 3, 40, {normal}));  // no whole tiles
      with(add(1, 6, 1, 64, {normal})).position_scale = 0.25;
      with(add(1, 9, 1, 2, {normal}));
      with(add(1, 0, 2, 16, {normal}));
      with(add(1, 3, 2, 10, {normal})).rotary_dimension = 0;
    }
  add(1, 4096, 32, 128, {normal}, true);
  return shapes;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> RotaryEmbedding::derivation(const Problem& problem, RoundingModel,
                                                                                const Arithmetic& arithmetic) {
  const std::string u = detail::number(arithmetic.unit_roundoff()),
                    epsilon = detail::number(arithmetic.function_error());
  std::vector<std::string> steps{
      problem.angles == AngleArithmetic::exact
          ? std::string("angles are exact; sines and cosines are off by eps of themselves")
          : "theta = p*base^(-2i/r) in the accumulator is off by delta = |theta|*(eps + 3u + "
            "2u*(2i/r)*|ln base|), sines and cosines by min(delta, 2) + eps of themselves"};
  if (problem.rounded_tables)
    steps.push_back(std::string("sines and cosines are rounded to ") + problem.output.name +
                    ", by contract; where that may go either way, to both");
  steps.push_back("E of x*cos -+ y*sin by running error analysis (Higham 2002, section 3.3), u = " + u +
                  ", eps = " + epsilon);
  return steps;
}

}  // namespace assay::inline v0
