#pragma once

#include "assay/kernels/normalization/problem.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const NormalizationProblem& problem) {
  using enum NormalizationKind;
  if (auto extents =
          check_extents({{"outer", problem.outer}, {"channels", problem.channels}, {"inner", problem.inner}});
      !extents)
    return extents;
  if (problem.inner != 1 && (problem.kind == layer || problem.kind == rms))
    return failure(ErrorKind::invalid, "inner is " + std::to_string(problem.inner) + "; it must be 1 for " +
                                           name_of(problem.kind) + ", whose elements are its channels");
  if (problem.groups < 1 || (problem.groups != 1 && problem.kind != group))
    return failure(ErrorKind::invalid,
                   "groups is " + std::to_string(problem.groups) + "; it must be 1" +
                       (problem.kind == group ? " or more" : std::string(" for ") + name_of(problem.kind)));
  if (problem.channels % problem.groups != 0)
    return failure(ErrorKind::invalid, "groups is " + std::to_string(problem.groups) + "; it must divide the " +
                                           std::to_string(problem.channels) + " channels");
  if (!(problem.epsilon >= 0) || !is_finite(problem.epsilon))
    return failure(ErrorKind::invalid,
                   "epsilon is " + detail::printed_number(problem.epsilon) + "; it must be finite and 0 or more");
  if (problem.kind == rms && problem.variance != VarianceAlgorithm::two_pass)
    return failure(ErrorKind::invalid, "variance must be two_pass for rmsnorm: it has no mean to subtract");
  if (problem.folded && problem.rounded_before_gamma)
    return failure(ErrorKind::invalid,
                   "rounded_before_gamma is true, and so is folded; gamma is part of the factor where it is folded");
  if (problem.kind == batch && problem.saved != SavedStatistics::none)
    return failure(ErrorKind::invalid, "saved must be none for batchnorm: its statistics are given");
  return check_float_formats(
      {{"input", problem.input}, {"parameters", problem.parameters}, {"output", problem.output}});
}

ASSAY_DETAIL_HEADER_INLINE std::string name_of(const NormalizationProblem& problem) {
  std::string name = problem.inner == 1 ? extents_name({problem.outer, problem.channels})
                                        : extents_name({problem.outer, problem.channels, problem.inner});
  if (problem.kind == NormalizationKind::group) name += "-g" + std::to_string(problem.groups);
  if (problem.variance == VarianceAlgorithm::welford) name += "-welford";
  if (problem.variance == VarianceAlgorithm::one_pass) name += "-one_pass";
  if (problem.folded) name += "-folded";
  if (problem.rounded_before_gamma) name += "-rounded_before_gamma";
  if (problem.epsilon != 1e-5) name += "-eps" + plain_number(problem.epsilon);
  if (!problem.gamma) name += "-no_gamma";
  if (!problem.beta) name += "-no_beta";
  if (problem.saved == SavedStatistics::inverse_deviation) name += "-saved";
  if (problem.saved == SavedStatistics::variance) name += "-saved_variance";
  return name;
}

}  // namespace assay::inline v0
