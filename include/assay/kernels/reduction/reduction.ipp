#pragma once

#include "assay/kernels/reduction/reduction.hpp"

#include "assay/core/config.hpp"
#include "assay/kernels/detail/negative_nans.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<OperandSpec>> Reduction::operands(const Problem& problem) {
  if (auto checked = check(problem); !checked) return checked.propagate();
  std::vector<Index> extents{problem.outer, problem.length};
  if (problem.inner != 1) extents.push_back(problem.inner);
  return std::vector<OperandSpec>{{"input", OperandRole::input, problem.input, extents},
                                  {"output", OperandRole::output, problem.output, output_extents(problem)}};
}

ASSAY_DETAIL_HEADER_INLINE OperationData Reduction::data(const Problem& problem, FillKind kind,
                                                         const Arithmetic& arithmetic, std::uint64_t seed) {
  OperandFill x;
  x.pattern = {kind, seed * 4, problem.length, problem.input.layout};
  x.inner = problem.inner;
  OperationData data;
  data.model = x.pattern.rounding_model(arithmetic.accumulation.precision - 2);
  const bool squared = problem.function == ReductionFunction::variance,
             multiplied = problem.function == ReductionFunction::product;
  if (squared && data.model == RoundingModel::exact) data.model = RoundingModel::worst_case;
  if (kind == FillKind::uniform && seed % 2 == 1) x.scale = -1;
  if (kind == FillKind::uniform && data.model == RoundingModel::statistical)
    data.model = positive_sum_model(problem.length, arithmetic.accumulation, data.model);
  if (kind == FillKind::canceling && squared) {
    const double limit = problem.input.unit_roundoff() < 0x1p-9 ? 1000 : 16;
    x.pattern.kind = FillKind::normal;
    x.offset = limit;
  }
  if (kind == FillKind::extreme && !problem.selects())  // half of the largest, or what can be squared
    x.scale = (squared || problem.function == ReductionFunction::l2_norm) && problem.input.max_finite() > 0x1p60
                  ? 0x1p-70
                  : 0.5;
  if (multiplied && kind == FillKind::normal) {  // products neither vanish nor overflow
    const double root = 1 / std::sqrt(static_cast<double>(problem.length) + 1);
    x.scale = root < 0.25 ? root : 0.25;
    x.offset = 1;
  }
  if (kind == FillKind::special && problem.selects())
    x = detail::with_negative_nans(x, problem.input, problem.outer * problem.length * problem.inner,
                                   !problem.gives_index() || problem.nan_policy == NanPolicy::propagate);
  data.operands = {x, {}};
  return data;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<OperationShape<Reduction::Problem>> Reduction::shapes(
    const ElementFormat& format) {
  using enum FillKind;
  using Function = ReductionFunction;
  std::vector<OperationShape<Problem>> shapes;
  const auto add = [&](Function function, Index outer, Index length, Index inner, const std::vector<FillKind>& fills,
                       bool large = false) -> Problem& {
    Problem problem;
    problem.function = function;
    problem.outer = outer;
    problem.length = length;
    problem.inner = inner;
    problem.input = problem.output = format;
    if (problem.gives_index())
      problem.output = inner > 1 ? element_format<std::int32_t>() : element_format<std::int64_t>();
    shapes.push_back({problem, fills, large});
    return shapes.back().problem;
  };
  for (const Function function :
       {Function::sum, Function::mean, Function::product, Function::maximum, Function::minimum, Function::argmax,
        Function::argmin, Function::variance, Function::l2_norm, Function::prefix_sum}) {
    const bool selects = Problem{function}.selects();
    if (function == Function::product) {
      add(function, 8, 100, 1, {normal, exact_integer, constant, extreme, special});
      add(function, 5, 37, 6, {normal, exact_integer, special});
      add(function, 3, 1021, 1, {normal});
    } else {
      add(function, 8, 100, 1,
          {normal, uniform, log_uniform, exact_integer, one_hot, constant, canceling, swamping, subnormal, extreme,
           special});
      add(function, 5, 37, 6, {normal, uniform, exact_integer, special});
      add(function, 3, 1021, 1, {normal, uniform, canceling, swamping});
    }
    add(function, 1, 1, 1, {normal, special});
    add(function, 0, 7, 1, {normal});
    if (!selects) add(function, 3, 0, 1, {normal});
    if (function != Function::prefix_sum) add(function, 4, 9, 5, {normal, special}).keep_extent = true;
    if (function != Function::prefix_sum) add(function, 6, 33, 1, {uniform}).keep_extent = true;
    if (selects) add(function, 8, 100, 1, {special, exact_integer}).nan_policy = NanPolicy::number;
    add(function, 1, 8192, 1, {normal});
    add(function, 1, 128, 49, {normal});  // 7 x 7 positions, NHWC
    add(function, 64, 50304, 1, {normal}, true);
    add(function, 1, Index{1} << 24, 1, {normal}, true);
  }
  for (const Function function : {Function::argmax, Function::argmin})
    for (const TiePolicy ties : {TiePolicy::last, TiePolicy::any})
      add(function, 8, 100, 1, {exact_integer, constant, special}).ties = ties;
  add(Function::variance, 8, 100, 1, {normal, constant, canceling, special}).correction = 1;
  add(Function::variance, 4, 1, 1, {normal}).correction = 1;
  add(Function::prefix_sum, 4, 100, 1, {normal, exact_integer, special}).exclusive = true;
  add(Function::prefix_sum, 2, 33, 7, {normal, exact_integer}).exclusive = true;
  return shapes;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> Reduction::derivation(const Problem& problem, RoundingModel model,
                                                                          const Arithmetic& arithmetic) {
  if (problem.selects()) return {operation_of(problem) + " selects one of its inputs: E = 0"};
  const bool squares =
      problem.function == ReductionFunction::variance || problem.function == ReductionFunction::l2_norm;
  const double statements = static_cast<double>(problem.length) * static_cast<double>(problem.outer * problem.inner);
  static constexpr const char* steps[] = {
      "E = g(n)*sum|x|",
      "E = (g(n) + 3u + eps)*sum|x|/n",
      "E = g(n)*|r| + n*eta*(product of all |x| above 1); unknown where partial products may overflow",
      "",
      "",
      "",
      "",
      ("delta = (g(n) + 3u + eps)*sqrt(mean of x^2), S = sum (x - mean)^2: E = ((g(n) + 6u)*S + n*delta^2 + 2 "
       "delta*sqrt(n S))/(n - "
       "correction) "
       "+ eps*r (Chan, Golub, LeVeque 1983)"),
      "E: root at both ends of sum x^2*(1 +- (g(n) + 2u)) +- n*eta, and eps*r",
      "E_k = g(k)*sum_{j<=k}|x_j|"};
  AccumulationModel accumulation = arithmetic.accumulation;
  if (problem.function == ReductionFunction::product) accumulation.promotion = 0;
  return {growth_factor(problem.length, statements, accumulation,
                        squares && model != RoundingModel::exact
                            ? positive_sum_model(problem.length, arithmetic.accumulation, model)
                            : model)
              .explanation,
          steps[static_cast<int>(problem.function)]};
}

ASSAY_DETAIL_HEADER_INLINE bool Reduction::judge(const Problem& problem, const OperandArray& operands,
                                                 const OperandArray&, int, const Arithmetic&, Outcome& outcome) {
  if (!judges(problem, 0)) return false;
  detail::JudgedOutput judged;
  for (Index index = 0; index < problem.outer * problem.inner; ++index) {
    const ReductionRow row(operands[input], problem, index);
    const ReductionSelection found = ReductionSelection::of(problem, row);
    const double named = operands[output].load(index);
    ++judged.elements;
    if (found.index < 0) continue;
    const bool inside = named >= 0 && named < static_cast<double>(problem.length);
    const double value = inside ? row[static_cast<Index>(named)] : 0;
    if (inside && (value == found.value || (is_nan(value) && is_nan(found.value)))) continue;
    judged.refute("row " + std::to_string(index) + " names the element " + detail::number(named) +
                  (inside ? ", which is " + detail::number(value) : ", which does not exist") + "; the one at " +
                  std::to_string(found.index) + " is " + detail::number(found.value));
  }
  judged.describe(outcome);
  return true;
}

}  // namespace assay::inline v0
