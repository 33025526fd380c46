#pragma once

#include "assay/kernels/softmax_backward/softmax_backward.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<OperandSpec>> SoftmaxBackward::operands(const Problem& problem) {
  if (auto checked = check(problem); !checked) return checked.propagate();
  std::vector<Index> extents{problem.outer, problem.length};
  if (problem.inner != 1) extents.push_back(problem.inner);
  return std::vector<OperandSpec>{{"saved", OperandRole::input, problem.saved, extents},
                                  {"gradient", OperandRole::input, problem.gradient, extents},
                                  {"output", OperandRole::output, problem.output, extents}};
}

ASSAY_DETAIL_HEADER_INLINE OperationData SoftmaxBackward::data(const Problem& problem, FillKind kind, const Arithmetic&,
                                                               std::uint64_t seed) {
  const double length = static_cast<double>(problem.length > 0 ? problem.length : 1);
  OperandFill y, dy;
  y.pattern = {FillKind::uniform, seed * 4, problem.length, problem.saved.layout};
  dy.pattern = {kind, seed * 4 + 1, problem.length, problem.gradient.layout};
  y.inner = dy.inner = problem.inner;
  y.scale = 2 / length;
  OperationData data;
  data.model = RoundingModel::statistical;
  switch (kind) {
    case FillKind::constant: data.model = RoundingModel::worst_case; break;
    case FillKind::canceling:
      dy.pattern.kind = FillKind::normal;
      dy.offset = 64;
      break;
    case FillKind::swamping:
      y.pattern.kind = FillKind::swamping;
      y.scale = 1;
      data.model = RoundingModel::worst_case;
      break;
    case FillKind::extreme:
      dy.lowest = -power_of_two(10);
      dy.highest = power_of_two(10);
      data.model = RoundingModel::worst_case;
      break;
    default: break;
  }
  if (problem.logarithm) {
    y.pattern.kind = FillKind::uniform;
    y.scale = -6;
    y.offset = kind == FillKind::swamping ? 0 : -1;
  }
  data.operands = {kind == FillKind::special ? with_nan_in_one_row(problem, y) : y, dy, {}};
  return data;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<OperationShape<SoftmaxBackward::Problem>> SoftmaxBackward::shapes(
    const ElementFormat& format) {
  using enum FillKind;
  const std::vector<FillKind> all{normal,   uniform,       log_uniform, constant, canceling,
                                  swamping, exact_integer, extreme,     special},
      core{normal, canceling, special};
  std::vector<OperationShape<Problem>> shapes;
  const auto add = [&](Index outer, Index length, Index inner, bool logarithm, const std::vector<FillKind>& fills,
                       bool large = false) -> Problem& {
    Problem problem;
    problem.outer = outer;
    problem.length = length;
    problem.inner = inner;
    problem.logarithm = logarithm;
    problem.saved = problem.gradient = problem.output = format;
    shapes.push_back({problem, fills, large});
    return shapes.back().problem;
  };
  for (const bool logarithm : {false, true}) {
    add(4, 128, 1, logarithm, all);
    add(1, 1, 1, logarithm, core);
    add(7, 31, 1, logarithm, all);
    add(3, 1000, 1, logarithm, all);        // ImageNet's classes
    add(1, 4099, 1, logarithm, core);       // prime
    add(1, 32000, 1, logarithm, {normal});  // vocabulary of Llama 2
    add(12, 197, 1, logarithm, core);       // attention scores of ViT-B/16
    add(2, 21, 33, logarithm, core);
    add(0, 16, 1, logarithm, {normal});
    add(4, 0, 1, logarithm, {normal});
    add(5, 257, 1, logarithm, core).temperature = 0.7;
    add(4096, 4096, 1, logarithm, {normal}, true);
  }
  return shapes;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> SoftmaxBackward::derivation(const Problem& problem,
                                                                                RoundingModel model,
                                                                                const Arithmetic& arithmetic) {
  using detail::number;
  const SoftmaxBackwardBound bound = SoftmaxBackwardBound::of(problem, model, arithmetic);
  return {SoftmaxBackwardBound::growth_of(problem, model, arithmetic).explanation,
          (problem.logarithm ? "s = sum dy, |ds| <= g sum |dy|" : "s = sum y dy, |ds| <= (g + u) sum |y dy|") +
              std::string("; u = ") + number(bound.unit) + ", eps = " + number(bound.function_error),
          std::string(problem.logarithm ? "E = exp(y)(ds + (eps + 2u|y| + 2u)(|s| + ds)) + u|dx|"
                                        : "E = |y|(ds + 2u(|dy| + |s|)) + 2u|dx|") +
              (problem.temperature != 1 ? ", and (eps + u)|dx| of the division" : "") +
              "; what is subnormal on the way adds eta (1 + |s|)" + (problem.temperature != 1 ? " / T + eta" : "")};
}

ASSAY_DETAIL_HEADER_INLINE OperandFill SoftmaxBackward::with_nan_in_one_row(const Problem& problem,
                                                                            const OperandFill& fill) {
  const Index rows = problem.outer * problem.inner;
  if (rows < 2 || problem.length < 1) return fill;
  const Index row = rows / 2;
  return fill.with_nan_at(
      (row / problem.inner * problem.length + problem.length / 2) * problem.inner + row % problem.inner,
      rows * problem.length);
}

}  // namespace assay::inline v0
