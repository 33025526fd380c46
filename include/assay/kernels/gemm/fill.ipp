#pragma once

#include "assay/kernels/gemm/fill.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE GemmData GemmData::make(FillKind kind, const GemmProblem& problem, FloatLayout input,
                                                   FloatLayout output, const AccumulationModel& accumulation,
                                                   std::uint64_t seed) {
  GemmFill fill;
  fill.kind = kind;
  fill.seed = seed;
  fill.k = problem.k;
  fill.input_format = input;
  fill.subnormal_exponent = -input.min_exponent() / 2;
  fill.tie_fraction_bits = least(input.fraction_bits, output.fraction_bits);
  GemmData data;
  data.terms = problem.k;
  const bool scale_is_exact = power_of_two_up_to_2(problem.alpha);
  switch (kind) {
    case FillKind::exact_integer:
      data.model = fit_integers(fill, problem, output, accumulation) ? RoundingModel::exact : RoundingModel::worst_case;
      break;
    case FillKind::one_hot:
    case FillKind::extreme: {
      data.terms = 1;
      const bool held = kind == FillKind::one_hot ? accumulation.min_subnormal <= power_of_two(-23)
                                                  : extremes_are_held(problem.alpha, input, output, accumulation);
      data.model = scale_is_exact && problem.beta == 0 && accumulation.precision >= input.precision() && held
                       ? RoundingModel::exact
                       : RoundingModel::worst_case;
      break;
    }
    case FillKind::near_tie:
      data.terms = 2;
      data.model = scale_is_exact && problem.beta == 0 && accumulation.precision >= fill.tie_fraction_bits + 3
                       ? RoundingModel::exact
                       : RoundingModel::worst_case;
      break;
    case FillKind::constant:
    case FillKind::swamping: data.model = RoundingModel::worst_case; break;
    case FillKind::uniform:
      data.model = bias_is_small(problem.k, accumulation) ? RoundingModel::statistical : RoundingModel::worst_case;
      break;
    default: data.model = RoundingModel::statistical; break;
  }
  if (data.terms > problem.k) data.terms = problem.k;
  data.a = data.b = data.c = fill;
  data.b.operand = GemmOperand::b;
  data.c.operand = GemmOperand::c;
  return data;
}

ASSAY_DETAIL_HEADER_INLINE GemmData GemmData::given(const GemmProblem& problem, const double* a, const double* b) {
  GemmData data;
  data.terms = problem.k;
  data.a.given = a;
  data.a.given_lane_stride = problem.k;
  data.a.given_position_stride = 1;
  data.b.operand = GemmOperand::b;
  data.b.given = b;
  data.b.given_lane_stride = 1;
  data.b.given_position_stride = problem.n;
  data.c.kind = FillKind::one_hot;
  data.c.operand = GemmOperand::c;
  return data;
}

ASSAY_DETAIL_HEADER_INLINE bool GemmData::fit_integers(GemmFill& fill, const GemmProblem& problem, FloatLayout output,
                                                       const AccumulationModel& accumulation) {
  const double output_limit = power_of_two(output.precision());
  const double accumulator_limit = power_of_two(accumulation.precision);
  const auto integral = [](double value) {
    return value == 0 || value == 1 || value == -1 || value == 2 || value == -2;
  };
  if (!integral(problem.alpha) || !integral(problem.beta)) return false;
  fill.largest_c = static_cast<std::uint32_t>(output_limit / 8 < 1024 ? output_limit / 8 : 1024);
  for (const auto& [largest_a, largest_b] : {std::pair{8u, 4u}, std::pair{2u, 1u}, std::pair{1u, 1u}}) {
    if (2 * static_cast<double>(problem.k) * largest_a * (largest_b + 1) + 2 * fill.largest_c > accumulator_limit)
      continue;
    const double disturbed = output_limit / 4 / largest_a - 2;
    if (disturbed < 1) continue;
    fill.largest_a = largest_a;
    fill.largest_b = largest_b;
    fill.disturbed = static_cast<Index>(disturbed < 64 ? disturbed : 64);
    return true;
  }
  // a narrow accumulator does not hold K terms of 1·2: leave most of A zero
  const double pairs = std::floor(((accumulator_limit - 2 * fill.largest_c) / 4 - 1) / 2) - 1;
  if (pairs < 1 || output_limit < 16) return false;
  fill.spacing = static_cast<Index>(std::ceil(static_cast<double>(problem.k / 2) / pairs));
  fill.disturbed = static_cast<Index>(output_limit / 4 - 2 < 64 ? output_limit / 4 - 2 : 64);
  return true;
}

}  // namespace assay::inline v0
