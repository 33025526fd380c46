#pragma once

#include <string>
#include <vector>

#include "assay/kernels/optimizer/portable.hpp"
#include "assay/kernels/optimizer/reference.hpp"
#include "assay/tolerance/rounding_error.hpp"

namespace assay::inline v0 {

/// One step of SGD, Adam or AdamW. Operands, each of `count` elements: `gradient`; `weights`, `first_state` (momentum or m; absent from sgd without momentum) and `second_state` (v; of
/// adam and adamw) are updated; `half_weights` (absent unless the problem has them) are written.
struct Optimizer {
  using Problem = OptimizerProblem;
  using Arguments = OperandArray;
  /// Positions of the operands.
  enum Position { gradient, weights, first_state, second_state, half_weights };

  [[nodiscard]] static const char* name() { return "optimizer"; }
  [[nodiscard]] static std::string operation_of(const Problem& problem) { return std::string(assay::name_of(problem.kind)) + "_step"; }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) {
    return std::string(problem.gradient.name) + "." + problem.weight.name + "." + problem.state.name +
           (problem.half_weights ? std::string(".") + problem.half.name : "");
  }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem) {
    if (auto checked = check(problem); !checked) return checked.propagate();
    const std::vector<Index> extents{problem.count};
    return std::vector<OperandSpec>{{"gradient", OperandRole::input, problem.gradient, extents},
                                    {"weights", OperandRole::updated, problem.weight, extents},
                                    {"first_state", OperandRole::updated, problem.state, extents, problem.has_first_state()},
                                    {"second_state", OperandRole::updated, problem.state, extents, problem.is_adam()},
                                    {"half_weights", OperandRole::output, problem.half, extents, problem.half_weights}};
  }

  /// What each pattern is for:
  /// - normal: gradients of 0.01 on weights of 0.05: wrong constants, bias correction, decay, a master copy that is rounded; log_uniform: gradients over 12 binades: epsilon's place, squares that underflow in 16 bits;
  /// - constant: all alike; uniform: gradients of one sign; cancelling: gradients against the momentum;
  /// - subnormal: gradients that vanish where they are squared; special: NaN and infinities, which must reach the weights;
  /// - one_hot: most gradients are 0: m and v decay alone.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&, std::uint64_t seed) {
    const auto fill = [&](FillKind pattern, std::uint64_t stream, const ElementFormat& format, double scale) {
      OperandFill operand;
      operand.pattern = {pattern, seed * 8 + stream, problem.count, format.layout};
      operand.scale = scale;
      return operand;
    };
    OperandFill g =
        fill(kind, 0, problem.gradient, kind == FillKind::special || kind == FillKind::subnormal ? 1 : 0.01 * problem.loss_scale);
    OperandFill m = fill(FillKind::normal, 2, problem.state, 0.01), v = fill(FillKind::uniform, 3, problem.state, 2e-4);
    v.lowest = 0x1p-20;
    if (problem.step == 1) m.scale = v.scale = v.lowest = 0;
    if (kind == FillKind::cancelling) {
      g = fill(FillKind::normal, 2, problem.gradient, -0.01 * problem.loss_scale);
    }
    return {{g, fill(FillKind::normal, 1, problem.weight, 0.05), m, v, {}}, RoundingModel::worst_case};
  }

  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format) {
    using enum FillKind;
    const std::vector<FillKind> all{normal, uniform, log_uniform, constant, cancelling, one_hot, subnormal, special}, core{normal, special};
    std::vector<OperationShape<Problem>> shapes;
    const auto add = [&](OptimizerKind kind, Index count, Index step, const std::vector<FillKind>& fills, bool large = false) -> Problem& {
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

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel, const Arithmetic& arithmetic) {
    return {operation_of(problem) + ": the formulas of OptimizerProblem by running error analysis (Higham 2002, section 3.3), u = " +
                detail::number(arithmetic.unit_roundoff()) + ", eps = " + detail::number(arithmetic.function_error()),
            "every constant is rounded once; 1 - beta^t is off by (eps + t*u)*beta^t + u; states are used before or after they are stored"};
  }

  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<OptimizerExpected>> reference(B& backend, typename B::Stream& stream,
                                                                               const Problem& problem, const OperandArray& operands,
                                                                               RoundingModel, const Arithmetic& arithmetic) {
    return optimizer_reference(backend, stream, problem, operands, arithmetic);
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem, const OperandArray& operands) {
    return portable_optimizer(backend, stream, problem, operands);
  }
};

}  // namespace assay::inline v0
