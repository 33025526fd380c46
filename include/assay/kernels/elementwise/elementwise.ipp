#pragma once

#include "assay/kernels/elementwise/elementwise.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<OperandSpec>> Elementwise::operands(const Problem& problem) {
  if (auto checked = check(problem); !checked) return checked.propagate();
  const int inputs = problem.inputs();
  const std::vector<Index> all(problem.extents, problem.extents + problem.rank);
  return std::vector<OperandSpec>{
      {"x", OperandRole::input, problem.input, problem.extents_of(0)},
      {problem.backward ? "dy" : "y", OperandRole::input, problem.second, problem.extents_of(1), inputs > 1},
      {"z", OperandRole::input, problem.second, problem.extents_of(2), inputs > 2},
      {"output", OperandRole::output, problem.output, all}};
}

ASSAY_DETAIL_HEADER_INLINE OperationData Elementwise::data(const Problem& problem, FillKind kind, const Arithmetic&,
                                                           std::uint64_t seed) {
  OperationData data;
  data.model = RoundingModel::worst_case;
  const bool positive = problem.function == ElementwiseFunction::log || problem.function == ElementwiseFunction::sqrt ||
                        problem.function == ElementwiseFunction::rsqrt;
  const bool periodic = problem.function == ElementwiseFunction::sin || problem.function == ElementwiseFunction::cos;
  for (int i = 0; i < 3; ++i) {
    const ElementFormat& format = i == 0 ? problem.input : problem.second;
    OperandFill fill;
    const std::vector<Index> extents = problem.extents_of(i);
    Index count = 1;
    for (const Index extent : extents) count *= extent;
    fill.pattern = {kind, seed * 4 + static_cast<std::uint64_t>(i), count,
                    format.is_float() ? format.layout : FormatTraits<float32>::layout};
    const auto given = [&](auto&& value) {
      std::vector<double> values(static_cast<std::size_t>(i < problem.inputs() ? count : 0));
      for (std::size_t e = 0; e < values.size(); ++e) values[e] = value(static_cast<Index>(e));
      fill = OperandFill::of(std::move(values));
    };
    const bool second = i > 0;
    switch (kind) {
      case FillKind::normal:
        fill.scale = problem.backward && second ? 1 : 3;
        if (positive || !format.is_float()) {
          fill.pattern.kind = FillKind::uniform;
          fill.scale = 60;
        }
        break;
      case FillKind::uniform:
        if (problem.function == ElementwiseFunction::log)
          fill.offset = 0.5;
        else if (!positive)
          fill.offset = -0.5;
        break;
      case FillKind::log_uniform:
        if (positive) given([pattern = fill.pattern](Index e) { return detail::absolute(pattern(0, e)); });
        break;
      case FillKind::canceling:
        if (periodic)
          given([&](Index e) { return 1.5707963267948966 * static_cast<double>(e + 1); });
        else
          given([&](Index e) {
            const double common = Fill{FillKind::normal, seed, 1}(e, 0),
                         small = i == 0 ? 0 : 0x1p-6 * Fill{FillKind::normal, seed + 7, 1}(e, i);
            const bool negated = second && (problem.function == ElementwiseFunction::add || i == 2);
            return problem.function == ElementwiseFunction::multiply_add ? (i == 2 ? -common * common : common)
                                                                         : (negated ? -common : common) + small;
          });
        break;
      case FillKind::near_tie:
        given([&](Index e) { return detail::tie_value(format, problem.output, e, seed); });
        break;
      case FillKind::extreme:
        given([&](Index e) {
          return suited(problem,
                        detail::code_value(format, e, second ? 0 : count, seed + static_cast<std::uint64_t>(i)));
        });
        break;
      case FillKind::special:
        given([&](Index e) {
          if (problem.backward && e % 2 == i)
            return 0.5 + 0.25 * static_cast<double>(e % 7);  // special numbers of x and dy in turn
          return suited(problem, detail::special_value(format, problem.backward ? e / 2
                                                               : i == 0         ? e
                                                               : i == 1         ? e / detail::special_values + e
                                                                                : e / 5));
        });
        break;
      default: break;
    }
    data.operands.push_back(std::move(fill));
  }
  data.operands.emplace_back();
  return data;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> Elementwise::derivation(const Problem& problem, RoundingModel,
                                                                            const Arithmetic& arithmetic) {
  const ElementwiseFormula formula(problem, arithmetic);
  std::vector<std::string> steps{
      operation_of(problem) + " of each element: u = " + detail::number(formula.arithmetic.unit) + ", eps = " +
      detail::number(formula.arithmetic.function_error) + " (" + detail::number(arithmetic.function_errors) +
      " u of an elementary function), eta = " + detail::number(formula.arithmetic.underflow)};
  if (problem.backward)
    steps.push_back("E by running error analysis of f'(x)*dy (Higham 2002, section 3.3)");
  else if (formula.one_rounding && operands_of(problem.function) > 1)
    steps.push_back("the one rounding of the accumulator is the output's: E = 0 for one operation");
  else
    steps.push_back(
        "E = |condition number| * (eps + roundings of the argument * u) * |r| + eta, the larger of the usual ways to "
        "compute it");
  return steps;
}

}  // namespace assay::inline v0
