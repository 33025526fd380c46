#pragma once

#include "assay/kernels/optimizer/optimizer.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<OperandSpec>> Optimizer::operands(const Problem& problem) {
  if (auto checked = check(problem); !checked) return checked.propagate();
  const std::vector<Index> extents{problem.count};
  return std::vector<OperandSpec>{
      {"gradient", OperandRole::input, problem.gradient, extents},
      {"weights", OperandRole::updated, problem.weight, extents},
      {"first_state", OperandRole::updated, problem.state, extents, problem.has_first_state()},
      {"second_state", OperandRole::updated, problem.state, extents, problem.is_adam()},
      {"half_weights", OperandRole::output, problem.half, extents, problem.half_weights}};
}

ASSAY_DETAIL_HEADER_INLINE OperationData Optimizer::data(const Problem& problem, FillKind kind, const Arithmetic&,
                                                         std::uint64_t seed) {
  const auto fill = [&](FillKind pattern, std::uint64_t stream, const ElementFormat& format, double scale) {
    OperandFill operand;
    operand.pattern = {pattern, seed * 8 + stream, problem.count, format.layout};
    operand.scale = scale;
    return operand;
  };
  OperandFill g = fill(kind, 0, problem.gradient,
                       kind == FillKind::special || kind == FillKind::subnormal ? 1 : 0.01 * problem.loss_scale);
  OperandFill m = fill(FillKind::normal, 2, problem.state, 0.01), v = fill(FillKind::uniform, 3, problem.state, 2e-4);
  v.lowest = 0x1p-20;
  if (problem.step == 1) m.scale = v.scale = v.lowest = 0;
  if (kind == FillKind::canceling) {
    g = fill(FillKind::normal, 2, problem.gradient, -0.01 * problem.loss_scale);
  }
  return {{g, fill(FillKind::normal, 1, problem.weight, 0.05), m, v, {}}, RoundingModel::worst_case};
}

ASSAY_DETAIL_HEADER_INLINE std::vector<OperationShape<Optimizer::Problem>> Optimizer::shapes(
    const ElementFormat& format) {
  using enum FillKind;
  const std::vector<FillKind> all{normal, uniform, log_uniform, constant, canceling, one_hot, subnormal, special},
      core{normal, special};
  std::vector<OperationShape<Problem>> shapes;
  const auto add = [&](OptimizerKind kind, Index count, Index step, const std::vector<FillKind>& fills,
                       bool large = false) -> Problem& {
    Problem problem;
    problem.kind = kind;
    problem.count = count;
    problem.step = step;
    problem.gradient = format;
    problem.half_weights = format.bytes == 2;
    problem.half = format;
    shapes.push_back({problem, fills, large});
    return shapes.back().problem;
  };
  for (const OptimizerKind kind : {OptimizerKind::sgd, OptimizerKind::adam, OptimizerKind::adamw}) {
    add(kind, 1000, 10, all).weight_decay = 0.01;
    add(kind, 1000, 10, core);
    add(kind, 257, 1, {normal, log_uniform, special}).weight_decay = 0.1;
    add(kind, 1031, 2, {normal});
    add(kind, 500, 100000, core).weight_decay = 0.01;
    add(kind, 300, 7, {normal, log_uniform}).learning_rate = 0.3;
    add(kind, 300, 7, {normal}).loss_scale = 1024;
    add(kind, 300, 7, core).half_weights = false;
    add(kind, 1, 3, {normal});
    add(kind, 0, 3, {normal});
    Problem& narrow = add(kind, 600, 12, {normal, log_uniform});  // states in 16 bits
    narrow.state = element_format<bfloat16>();
    narrow.weight_decay = 0.01;
    Problem& whole = add(kind, 600, 12, {normal});  // everything in the storage format
    whole.state = whole.weight = format;
    whole.half_weights = false;
    add(kind, 1 << 24, 10, {normal}, true).weight_decay = 0.01;
  }
  for (const double momentum : {0.0, 0.5}) add(OptimizerKind::sgd, 400, 5, core).momentum = momentum;
  add(OptimizerKind::sgd, 400, 5, core).nesterov = true;
  add(OptimizerKind::sgd, 400, 5, {normal}).dampening = 0.25;
  for (const OptimizerKind kind : {OptimizerKind::adam, OptimizerKind::adamw}) {
    add(kind, 400, 5, {normal, log_uniform, subnormal}).epsilon = 1e-3;
    add(kind, 400, 5, {normal}).beta2 = 0.95;
  }
  return shapes;
}

}  // namespace assay::inline v0
