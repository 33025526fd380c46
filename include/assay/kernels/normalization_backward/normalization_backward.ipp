#pragma once

#include "assay/kernels/normalization_backward/normalization_backward.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<OperandSpec>> NormalizationBackward::operands(const Problem& problem) {
  if (auto checked = check(problem); !checked) return checked.propagate();
  const NormalizationProblem& forward = problem.forward;
  std::vector<Index> extents{forward.outer, forward.channels};
  if (forward.inner != 1) extents.push_back(forward.inner);
  const std::vector<Index> channels{forward.channels}, lanes{forward.lanes()};
  return std::vector<OperandSpec>{{"gradient", OperandRole::input, forward.output, extents},
                                  {"input", OperandRole::input, forward.input, extents},
                                  {"gamma", OperandRole::input, forward.parameters, channels, forward.gamma},
                                  {"mean", OperandRole::input, forward.parameters, lanes, forward.centered()},
                                  {"deviation", OperandRole::input, forward.parameters, lanes},
                                  {"input_gradient", OperandRole::output, problem.output, extents},
                                  {"gamma_gradient", OperandRole::output, forward.parameters, channels, forward.gamma},
                                  {"beta_gradient", OperandRole::output, forward.parameters, channels, forward.beta}};
}

ASSAY_DETAIL_HEADER_INLINE OperationData NormalizationBackward::data(const Problem& problem, FillKind kind,
                                                                     const Arithmetic&, std::uint64_t seed) {
  const NormalizationProblem& forward = problem.forward;
  OperandFill dy, x;
  dy.pattern = {kind, seed * 8, forward.lane_length(), forward.output.layout};
  x.pattern = {FillKind::normal, seed * 8 + 1, forward.lane_length(), forward.input.layout};
  OperationData data;
  data.model = RoundingModel::statistical;
  if (kind == FillKind::constant || kind == FillKind::swamping) data.model = RoundingModel::worst_case;
  if (kind == FillKind::canceling || kind == FillKind::subnormal) dy.pattern.kind = FillKind::normal;
  if (kind == FillKind::canceling) x.offset = std::fmin(4096, power_of_two(forward.input.layout.precision() - 2));
  if (kind == FillKind::subnormal) x.scale = std::fmax(std::sqrt(forward.epsilon), 64 * forward.input.min_subnormal());
  const auto parameter = [&](std::uint64_t number, double scale, double offset) {
    OperandFill fill;
    fill.pattern = {FillKind::normal, seed * 8 + number, forward.channels, forward.parameters.layout};
    fill.scale = scale;
    fill.offset = offset;
    return fill;
  };
  const bool inverse = forward.saved == SavedStatistics::inverse_deviation;
  const double typical = inverse ? 1 / x.scale : x.scale * x.scale;
  OperandFill deviation = parameter(4, 0.2 * typical, typical);
  deviation.lowest = std::fmax(typical / 4, 64 * forward.parameters.min_subnormal());
  deviation.highest = forward.parameters.max_finite();
  data.operands = {dy, x, parameter(2, 0.5, 1), parameter(3, 0.1 * x.scale, x.offset), deviation, {}, {}, {}};
  return data;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<OperationShape<NormalizationBackward::Problem>> NormalizationBackward::shapes(
    const ElementFormat& format) {
  using enum FillKind;
  using enum NormalizationKind;
  const std::vector<FillKind> all{normal,   uniform,   log_uniform,   constant, canceling,
                                  swamping, subnormal, exact_integer, special},
      core{normal, canceling, special};
  std::vector<OperationShape<Problem>> shapes;
  const auto add = [&](NormalizationKind kind, Index outer, Index channels, Index inner,
                       const std::vector<FillKind>& fills, bool large = false) -> NormalizationProblem& {
    Problem problem;
    problem.forward.kind = kind;
    problem.forward.outer = outer;
    problem.forward.channels = channels;
    problem.forward.inner = inner;
    problem.forward.saved = kind == batch ? SavedStatistics::none : SavedStatistics::inverse_deviation;
    problem.forward.input = problem.forward.output = problem.output = format;
    problem.forward.beta = kind != rms;
    shapes.push_back({problem, fills, large});
    return shapes.back().problem.forward;
  };
  for (const NormalizationKind kind : {layer, rms}) {
    add(kind, 4, 128, 1, all);
    add(kind, 1, 1, 1, core);
    add(kind, 37, 31, 1, all);
    add(kind, 3, 768, 1, core).saved = SavedStatistics::variance;
    add(kind, 1, 4099, 1, {normal});
    add(kind, 13, 96, 1, {normal, uniform, exact_integer}).saved = SavedStatistics::variance;
    add(kind, 300, 8, 1, core);
    add(kind, 2, 4096, 1, core).parameters = format;
    add(kind, 0, 16, 1, {normal});
    add(kind, 5, 64, 1, core).gamma = false;
    add(kind, 6, 200, 1, core).folded = true;
    add(kind, 4096, 4096, 1, {normal}, true);
  }
  add(group, 2, 12, 35, all).groups = 4;
  add(group, 3, 16, 25, core).groups = 16;
  add(group, 2, 24, 30, core).groups = 3;
  shapes.back().problem.forward.saved = SavedStatistics::variance;
  add(group, 3, 24, 1, core).groups = 6;
  add(group, 2, 16, 64, core).groups = 2;
  shapes.back().problem.forward.folded = true;
  add(batch, 2, 16, 49, all);
  add(batch, 3, 17, 5, core);
  add(batch, 8, 128, 1, core);
  add(batch, 4, 33, 3, core).gamma = false;
  return shapes;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> NormalizationBackward::derivation(const Problem& problem,
                                                                                      RoundingModel model,
                                                                                      const Arithmetic& arithmetic) {
  using detail::number;
  const NormalizationProblem& forward = problem.forward;
  const NormalizationBackwardBound bound = NormalizationBackwardBound::of(problem, model, arithmetic);
  std::vector<std::string> steps{"u = " + number(bound.unit) + ", eps_f = " + number(bound.function_error) +
                                 "; x^ = (x - mean) r is off by rho = dr/r + 3u of itself"};
  if (forward.kind == NormalizationKind::batch) {
    steps.push_back("dx = r dy gamma: E = ((r + dr) 4u + dr + 2u r)|dy gamma|");
  } else {
    steps.push_back(
        "over a mean: " +
        NormalizationBackwardBound::growth_of(forward, forward.lane_length(), model, arithmetic).explanation);
    steps.push_back(
        "c1 = mean(G) is off by (g + eps_f + 2u) mean|G|, c2 = mean(G x^) by (g + eps_f + 3u + rho) mean|G x^|, G = dy "
        "gamma" +
        std::string(forward.folded ? "; folded, by contract: |G x^| + 2r|mean G|" : ""));
    steps.push_back(std::string("E = (r + dr)(dc1 + |x^| dc2 + rho|x^ c2| + 4u (|G| + |c1| + |x^ c2|)") +
                    (forward.folded ? " + 4u (|c2| + dc2)(|x^| + 2r|mean|)" : "") + ") + (dr + 2u r)|G - c1 - x^ c2|");
  }
  steps.push_back(
      "over a channel: " +
      NormalizationBackwardBound::growth_of(forward, forward.outer * forward.inner, model, arithmetic).explanation +
      "; E of dgamma = (g + 2u + rho) sum|dy x^|, of dbeta g sum|dy|");
  return steps;
}

}  // namespace assay::inline v0
