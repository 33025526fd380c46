#pragma once

#include "assay/kernels/l2_normalize/l2_normalize.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<OperandSpec>> L2Normalize::operands(const Problem& problem) {
  if (auto checked = check(problem); !checked) return checked.propagate();
  std::vector<Index> extents{problem.outer, problem.length};
  if (problem.inner != 1) extents.push_back(problem.inner);
  return std::vector<OperandSpec>{{"input", OperandRole::input, problem.input, extents},
                                  {"output", OperandRole::output, problem.output, extents}};
}

ASSAY_DETAIL_HEADER_INLINE OperationData L2Normalize::data(const Problem& problem, FillKind kind,
                                                           const Arithmetic& arithmetic, std::uint64_t seed) {
  OperandFill x;
  x.pattern = {kind, seed, problem.length, problem.input.layout};
  x.inner = problem.inner;
  x.lowest = -power_of_two(50);
  x.highest = power_of_two(50);
  OperationData data;
  data.model = x.pattern.rounding_model(arithmetic.accumulation.precision);
  if (data.model == RoundingModel::exact) data.model = RoundingModel::statistical;  // squares are no small integers
  data.operands = {x, {}};
  return data;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<OperationShape<L2Normalize::Problem>> L2Normalize::shapes(
    const ElementFormat& format) {
  using enum FillKind;
  const std::vector<FillKind> all{normal,   uniform, log_uniform, exact_integer, constant,
                                  swamping, one_hot, subnormal,   extreme,       special},
      core{normal, constant, special};
  std::vector<OperationShape<Problem>> shapes;
  const auto add = [&](Index outer, Index length, Index inner, const std::vector<FillKind>& fills,
                       bool large = false) -> Problem& {
    Problem problem;
    problem.outer = outer;
    problem.length = length;
    problem.inner = inner;
    problem.input = problem.output = format;
    shapes.push_back({problem, fills, large});
    return shapes.back().problem;
  };
  add(4, 128, 1, all);
  add(1, 1, 1, core);
  add(7, 31, 1, all);
  add(3, 384, 1, core);   // sentence embeddings of MiniLM
  add(2, 4099, 1, core);  // prime
  add(2, 65, 33, core);   // channels of a feature map
  add(5, 257, 1, core).epsilon = 1000;
  add(12, 64, 1, {normal, subnormal}).epsilon = 0.5;
  add(0, 16, 1, {normal});
  add(4, 0, 1, {normal});
  add(4096, 4096, 1, {normal}, true);
  return shapes;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> L2Normalize::derivation(const Problem& problem, RoundingModel model,
                                                                            const Arithmetic& arithmetic) {
  using detail::number;
  const L2NormalizeBound bound = L2NormalizeBound::of(problem, model, arithmetic);
  return {L2NormalizeBound::growth_of(problem, model, arithmetic).explanation,
          "s = sum x^2, |ds| <= (g + 2u) s + n eta; u = " + number(bound.arithmetic.unit) +
              ", eta = " + number(bound.arithmetic.underflow),
          "d = max(sqrt s, " + plain_number(problem.epsilon) +
              "); E = |x/d| dd/(d - dd) + (eps + u)|x/d| + (1 + |x|) eta; eps = " +
              number(bound.arithmetic.function_error)};
}

}  // namespace assay::inline v0
