#pragma once

#include "assay/kernels/optimizer/problem.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const OptimizerProblem& problem) {
  if (auto extents = check_extents({{"count", problem.count}}); !extents) return extents;
  const auto refuse = [](const char* field, double value, const char* expected) {
    return failure(ErrorKind::invalid, std::string(field) + " is " + plain_number(value) + "; it must be " + expected);
  };
  if (problem.step < 1) return refuse("step", static_cast<double>(problem.step), "1 or more");
  for (const auto& [field, value] : std::initializer_list<std::pair<const char*, double>>{
           {"learning_rate", problem.learning_rate}, {"weight_decay", problem.weight_decay}})
    if (!(value >= 0) || !is_finite(value)) return refuse(field, value, "finite and 0 or more");
  for (const auto& [field, value] :
       std::initializer_list<std::pair<const char*, double>>{{"beta1", problem.beta1},
                                                             {"beta2", problem.beta2},
                                                             {"momentum", problem.momentum},
                                                             {"dampening", problem.dampening}})
    if (!(value >= 0) || !(value < 1)) return refuse(field, value, "at least 0 and below 1");
  if (!(problem.epsilon >= 0) || !is_finite(problem.epsilon))
    return refuse("epsilon", problem.epsilon, "finite and 0 or more");
  if (!(problem.loss_scale > 0) || !is_finite(problem.loss_scale))
    return refuse("loss_scale", problem.loss_scale, "finite and above 0");
  if (problem.nesterov && (problem.is_adam() || problem.momentum == 0 || problem.dampening != 0))
    return failure(ErrorKind::invalid, "nesterov is set; it needs sgd with momentum and without dampening");
  return check_float_formats(
      {{"gradient", problem.gradient}, {"weight", problem.weight}, {"state", problem.state}, {"half", problem.half}});
}

ASSAY_DETAIL_HEADER_INLINE std::string name_of(const OptimizerProblem& problem) {
  std::string name = std::to_string(problem.count) + "-step" + std::to_string(problem.step) + "-lr" +
                     plain_number(problem.learning_rate);
  if (problem.weight_decay != 0) name += "-decay" + plain_number(problem.weight_decay);
  if (!problem.is_adam() && problem.momentum != 0.9) name += "-momentum" + plain_number(problem.momentum);
  if (problem.dampening != 0) name += "-dampening" + plain_number(problem.dampening);
  if (problem.nesterov) name += "-nesterov";
  if (problem.is_adam() && problem.epsilon != 1e-8) name += "-epsilon" + plain_number(problem.epsilon);
  if (problem.loss_scale != 1) name += "-loss_scale" + plain_number(problem.loss_scale);
  if (problem.half_weights) name += "-master";
  return name;
}

}  // namespace assay::inline v0
