#pragma once

#include "assay/kernels/gemm/bound.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE ExplainedGemmBound gemm_bound(const GemmProblem& problem,
                                                         const AccumulationModel& accumulation, RoundingModel model,
                                                         Index terms, bool reference_is_double_double, double risk) {
  using detail::number;
  const double alpha_error = model == RoundingModel::exact ? 0 : detail::factor_error(problem.alpha, accumulation),
               beta_error = model == RoundingModel::exact ? 0 : detail::factor_error(problem.beta, accumulation),
               larger_error = std::fmax(alpha_error, beta_error);
  const bool alpha_rounds = alpha_error > 0 || !detail::factor_is_exact(problem.alpha);
  const Index roundings = terms + (alpha_rounds ? 1 : 0) + (problem.beta != 0 ? 1 : 0);
  const double outputs =
      static_cast<double>(problem.batch) * static_cast<double>(problem.m) * static_cast<double>(problem.n);
  const GrowthFactor growth =
      growth_factor(roundings, outputs * static_cast<double>(roundings > 1 ? roundings : 1), accumulation, model, risk);

  ExplainedGemmBound explained;
  GemmBound& bound = explained.bound;
  bound.alpha = problem.alpha;
  bound.beta = problem.beta;
  bound.growth = growth.value;
  const bool scaling_rounds = model != RoundingModel::exact && (alpha_rounds || problem.beta != 0);
  bound.scaling = scaling_rounds ? 3 * accumulation.unit_roundoff : 0;
  bound.underflow = model == RoundingModel::exact ? 0
                                                  : static_cast<double>(2 * terms + 2) * accumulation.min_subnormal *
                                                        std::fmax(1.0, std::fabs(problem.alpha));
  if (std::isfinite(larger_error)) {
    bound.alpha_error = alpha_error;
    bound.beta_error = beta_error;
    bound.growth *= 1 + larger_error;
    bound.scaling *= 1 + larger_error;
  } else {
    bound.underflow = larger_error;
  }
  bound.accumulator_max = accumulation.max_finite;
  const double u64 = unit_roundoff<float64>();
  bound.reference_growth = model == RoundingModel::exact ? 0
                           : reference_is_double_double  ? 2 * gamma_bound(static_cast<double>(terms + 3), u64) *
                                                              gamma_bound(static_cast<double>(terms + 3), u64)
                                                        : gamma_bound(static_cast<double>(terms + 3), u64);
  explained.derivation = {
      "E = g*(|alpha|*S + |beta*C|) + 3u*(|alpha*P| + |beta*C|) + underflow + the reference's own error, with S = sum "
      "|a||b| per element",
      "data: " + std::string(name_of(model)) + ", at most " + std::to_string(terms) + " non-zero products a sum",
      growth.explanation,
      std::string("scaling by alpha, beta: ") + (scaling_rounds ? "3u = " + number(bound.scaling) : "exact") +
          "; underflow: " + number(bound.underflow) + " absolute; reference (" +
          (reference_is_double_double ? "double-double" : "float64") + "): " + number(bound.reference_growth) +
          " relative to S"};
  if (larger_error > 0)
    explained.derivation.push_back("alpha, beta outside the accumulator's normal numbers: " + number(alpha_error) +
                                   "*|alpha*P| + " + number(beta_error) + "*|beta*C| more");
  return explained;
}

}  // namespace assay::inline v0
