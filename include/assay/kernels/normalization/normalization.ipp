#pragma once

#include "assay/kernels/normalization/normalization.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<OperandSpec>> Normalization::operands(const Problem& problem) {
  if (auto checked = check(problem); !checked) return checked.propagate();
  std::vector<Index> extents{problem.outer, problem.channels};
  if (problem.inner != 1) extents.push_back(problem.inner);
  const bool given = problem.kind == NormalizationKind::batch, saved = problem.saved != SavedStatistics::none;
  const std::vector<Index> channels{problem.channels}, lanes{problem.lanes()};
  return std::vector<OperandSpec>{
      {"input", OperandRole::input, problem.input, extents},
      {"gamma", OperandRole::input, problem.parameters, channels, problem.gamma},
      {"beta", OperandRole::input, problem.parameters, channels, problem.beta},
      {"mean", OperandRole::input, problem.parameters, channels, given},
      {"variance", OperandRole::input, problem.parameters, channels, given},
      {"output", OperandRole::output, problem.output, extents},
      {"saved_mean", OperandRole::output, problem.parameters, lanes, saved && problem.centered()},
      {"saved_deviation", OperandRole::output, problem.parameters, lanes, saved}};
}

ASSAY_DETAIL_HEADER_INLINE OperationData Normalization::data(const Problem& problem, FillKind kind,
                                                             const Arithmetic& arithmetic, std::uint64_t seed) {
  OperandFill x;
  x.pattern = {kind, seed * 8, problem.lane_length(), problem.input.layout};
  OperationData data;
  data.model = RoundingModel::statistical;
  switch (kind) {
    case FillKind::constant: data.model = RoundingModel::worst_case; break;
    case FillKind::canceling:
      x.pattern.kind = FillKind::normal;
      x.offset = std::fmin(4096, power_of_two(problem.input.layout.precision() - 2));
      break;
    case FillKind::swamping:
      x.scale = 1024;
      data.model = RoundingModel::worst_case;
      break;
    case FillKind::subnormal:
      x.pattern.kind = FillKind::normal;
      x.scale = std::fmax(std::sqrt(problem.epsilon), 64 * problem.input.min_subnormal());
      break;
    case FillKind::extreme: {
      const double count = static_cast<double>(problem.lane_length() > 0 ? problem.lane_length() : 1);
      x.highest = std::fmin(problem.input.max_finite(), std::sqrt(arithmetic.accumulation.max_finite / count) / 16);
      x.lowest = -x.highest;
      data.model = RoundingModel::worst_case;
      break;
    }
    default: break;
  }
  const auto parameter = [&](std::uint64_t number, double scale, double offset) {
    OperandFill fill;
    fill.pattern = {FillKind::normal, seed * 8 + number, problem.channels, problem.parameters.layout};
    fill.scale = scale;
    fill.offset = offset;
    return fill;
  };
  OperandFill variance = parameter(4, 0.5 * x.scale * x.scale, x.scale * x.scale);
  variance.lowest = std::fmax(x.scale * x.scale / 64, 64 * problem.parameters.min_subnormal());
  variance.highest = problem.parameters.max_finite();
  data.operands = {
      x, parameter(1, 0.5, 1), parameter(2, 0.5, 0), parameter(3, 0.1 * x.scale, x.offset), variance, {}, {}, {}};
  return data;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> Normalization::derivation(const Problem& problem,
                                                                              RoundingModel model,
                                                                              const Arithmetic& arithmetic) {
  using detail::number;
  const NormalizationBound bound = NormalizationBound::of(problem, model, arithmetic);
  std::vector<std::string> steps;
  const std::string units = "u = " + number(bound.unit) + ", eps_f = " + number(bound.function_error) + " (" +
                            number(arithmetic.function_errors) + " u of a function)";
  if (problem.kind == NormalizationKind::batch) {
    steps.push_back("mean and variance are given: r = 1/sqrt(var + epsilon) is off by dr = (u + 2 eps_f) r; " + units);
  } else {
    steps.push_back(NormalizationBound::growth_of(problem, model, arithmetic).explanation);
    if (problem.centered()) steps.push_back("|d mean| <= g q + (eps_f + 2u)|mean|, q = sqrt(var + mean^2), " + units);
    switch (problem.variance) {
      case VarianceAlgorithm::two_pass:
        steps.push_back(problem.centered() ? "two-pass: d var <= h (var + dmean^2) + dmean^2, h = g + eps_f + 4u"
                                           : "d mean(x^2) <= h mean(x^2), h = g + eps_f + 4u, " + units);
        break;
      case VarianceAlgorithm::welford:
        steps.push_back(
            "Welford: d var <= h var + 2 sqrt(var) h q + (h q)^2, h = g + eps_f + 4u (Chan, Golub, LeVeque 1983)");
        break;
      case VarianceAlgorithm::one_pass:
        steps.push_back(
            "one-pass, by contract: d var <= h (var + mean^2) + 2|mean| dmean + dmean^2, h = g + eps_f + 4u");
        break;
    }
    steps.push_back(
        "r = 1/sqrt(var + epsilon) at both ends of [max(var - dvar, 0), var + dvar], and 2 eps_f of it: dr");
  }
  if (problem.rounded_before_gamma) {
    steps.push_back(
        std::string("n = (x - mean) r is off by dn = (r + dr) dmean + (dr + 5u (r + dr))|x - mean| and rounded to ") +
        problem.output.name + ", by contract: one number, or those of both ends of n +- dn");
    steps.push_back("E = |gamma| (half the distance of these two) + u (|n gamma| + |y|)");
    return steps;
  }
  steps.push_back(
      "E = |gamma|((r + dr) dmean + (dr + 5u (r + dr))|x - mean|) + u|y|" +
      std::string(problem.folded ? "; folded, by contract: + |gamma|(r + dr) 2u (|x| + |mean|) + u|y|" : ""));
  return steps;
}

}  // namespace assay::inline v0
