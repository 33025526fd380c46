#pragma once

#include "assay/kernels/softmax/softmax.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<OperandSpec>> Softmax::operands(const Problem& problem) {
  if (auto checked = check(problem); !checked) return checked.propagate();
  std::vector<Index> extents{problem.outer, problem.length};
  if (problem.inner != 1) extents.push_back(problem.inner);
  return std::vector<OperandSpec>{{"input", OperandRole::input, problem.input, extents},
                                  {"mask", OperandRole::input, element_format<std::uint8_t>(), extents, problem.masked},
                                  {"output", OperandRole::output, problem.output, extents}};
}

namespace detail {

/// −∞ in three quarters of every second row, more than a tile: whoever rescales by exp(m − m') makes NaN of −∞ − −∞.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE OperandFill after_tiles_of_infinity(const SoftmaxProblem& problem,
                                                                             const OperandFill& fill) {
  const OperandValues values = fill.values();
  const Fill normal{FillKind::normal, fill.pattern.seed, problem.length, problem.input.layout};
  std::vector<double> drawn;
  for (Index row = 0; row < problem.outer; ++row)
    for (Index j = 0; j < problem.length; ++j)
      drawn.push_back(row % 2 != 0                 ? values(row * problem.length + j)
                      : j < problem.length / 4 * 3 ? -double_of(binary64_layout.infinity_bits())
                                                   : normal(row, j));
  return OperandFill::of(std::move(drawn));
}

/// The same data, with −∞ throughout the first outer index.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE OperandFill with_row_of_infinity(const SoftmaxProblem& problem,
                                                                          const OperandFill& fill) {
  const OperandValues values = fill.values();
  const Index row = problem.length * problem.inner;
  std::vector<double> drawn;
  for (Index e = 0; e < problem.outer * row; ++e)
    drawn.push_back(e < row ? -double_of(binary64_layout.infinity_bits()) : values(e));
  return OperandFill::of(std::move(drawn));
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE OperationData Softmax::data(const Problem& problem, FillKind kind, const Arithmetic&,
                                                       std::uint64_t seed) {
  OperandFill x;
  x.pattern = {kind, seed * 4, problem.length, problem.input.layout};
  x.inner = problem.inner;
  const double limit = problem.input.max_finite() / 4;
  OperationData data;
  data.model = RoundingModel::statistical;
  switch (kind) {
    case FillKind::normal: x.scale = 3; break;
    case FillKind::constant:
    case FillKind::near_tie: data.model = RoundingModel::worst_case; break;
    case FillKind::canceling:
      x.pattern.kind = FillKind::normal;
      x.offset = limit < 200 ? limit : 200;
      break;
    case FillKind::swamping:
      x.pattern.kind = FillKind::one_hot;
      x.scale = 4.5;
      data.model = RoundingModel::worst_case;
      break;
    case FillKind::exact_integer:
      x.pattern.kind = FillKind::uniform;
      x.scale = 8;
      x.offset = -4;
      break;
    case FillKind::special:
      if (problem.length > 1024 && problem.inner == 1) x = detail::after_tiles_of_infinity(problem, x);
      if (problem.fully_masked == FullyMasked::zeros && !problem.masked) x = detail::with_row_of_infinity(problem, x);
      break;
    default: break;
  }
  OperandFill mask;
  mask.pattern = {FillKind::uniform, seed * 4 + 1, problem.length};
  mask.inner = problem.inner;
  mask.scale = 1.5;
  mask.offset = -0.35;  // a tenth of the row is masked, and so is the whole of some short rows
  mask.lowest = 0;
  mask.highest = 1;
  data.operands = {x, mask, {}};
  return data;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<OperationShape<Softmax::Problem>> Softmax::shapes(const ElementFormat& format) {
  using enum FillKind;
  const std::vector<FillKind> all{normal,   uniform,       log_uniform, constant, canceling,
                                  swamping, exact_integer, extreme,     special},
      core{normal, canceling, special};
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
  add(3, 1000, 1, all);       // ImageNet's classes
  add(2, 4099, 1, core);      // prime
  add(1, 32000, 1, core);     // vocabulary of Llama 2
  add(12, 197, 1, {normal});  // a row of attention scores of ViT-B/16
  add(3, 64, 5, all);
  add(2, 21, 33, core);
  add(0, 16, 1, {normal});
  add(4, 0, 1, {normal});
  for (const double temperature : {0.7, 3.0}) add(5, 257, 1, core).temperature = temperature;
  if (exponential_tells_subnormals(format)) add(3, 100, 1, {subnormal}).temperature = 0x1p-8;
  for (const bool logarithm : {false, true}) {
    if (logarithm) {
      add(4, 128, 1, all).logarithm = true;
      add(3, 1000, 1, all).logarithm = true;
      add(2, 40, 7, core).logarithm = true;
    }
    add(6, 100, 1, core).masked = true;
    shapes.back().problem.logarithm = logarithm;
    add(64, 3, 1, {normal, special}).masked = true;
    shapes.back().problem.logarithm = logarithm;
    shapes.back().problem.fully_masked = FullyMasked::zeros;
  }
  add(512, 32000, 1, {normal}, true);
  add(4096, 4096, 1, {normal}, true);
  return shapes;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> Softmax::derivation(const Problem& problem, RoundingModel model,
                                                                        const Arithmetic& arithmetic) {
  using detail::number;
  const SoftmaxBound bound = SoftmaxBound::of(problem, model, arithmetic);
  return {"z = x/temperature, m = max z, y_i = exp(z_i - m)/s; exp of one element is off by d_j = 2u|z_j - m| + eps" +
              std::string(problem.temperature != 1 ? " + 2u|z_j|" : "") + ", u = " + number(bound.unit) + ", eps = " +
              number(bound.function_error) + " (" + number(arithmetic.function_errors) + " u of a function)",
          "rel_i = d_i + sum y_j d_j + g(n) + eps + R(eps + u) + u*range; R(eps + u) = " + number(bound.rescaling) +
              " for kernels that rescale as they go",
          SoftmaxBound::growth_of(problem, model, arithmetic).explanation,
          problem.logarithm
              ? "E = rel without d_i + 2u(|z - m| + |m| + |log s| + |y|) + eps |log s| (Blanchard, Higham, Higham 2021)"
              : "E = y*(exp(rel) - 1) + underflow (Blanchard, Higham, Higham 2021)"};
}

}  // namespace assay::inline v0
