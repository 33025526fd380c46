#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "assay/faults/operation_faults.hpp"
#include "assay/kernels/optimizer/optimizer.hpp"

namespace assay::inline v0 {

namespace detail {

/// Optimizer steps in which every result is rounded to `Accumulator`, right or with a fault.
template <FloatFormat Accumulator>
struct EmulatedOptimizer {
  /// textbook: by m̂ and v̂; folded: corrections folded into rate and root; fused: products and sums in one rounding;
  /// differences: m + (1 − β)(g − m), states used as stored.
  enum class Form { textbook, folded, fused, differences };
  Form form = Form::textbook;
  std::string_view fault = "";

  static double round(double value) { return round_to<Accumulator>(value); }
  [[nodiscard]] double multiply_add(double x, double y, double z) const {
    return form == Form::fused ? round(std::fma(x, y, z)) : round(round(x * y) + z);
  }

  void operator()(const OptimizerProblem& problem, const OperandArray& operands) const {
    const Operand &gradients = operands[Optimizer::gradient], &weights = operands[Optimizer::weights],
                  &first = operands[Optimizer::first_state], &second = operands[Optimizer::second_state];
    const double rate = round(problem.learning_rate),
                 decay = fault == "decay_ignored" ? 0 : round(problem.weight_decay),
                 step = static_cast<double>(fault == "step_from_zero" ? problem.step - 1 : problem.step);
    const bool coupled =
        problem.is_adam() && (problem.kind == OptimizerKind::adam) != (fault == "decay_coupled_wrongly");
    for (Index i = 0; i < problem.count; ++i) {
      const double before = weights.load(i);
      double w = before, g = gradients.load(i);
      if (fault == "narrow_master") w = problem.half.round(w);
      if (fault == "nan_gradient_skipped" && is_nan(g)) g = 0;
      if (problem.loss_scale != 1 && fault != "loss_scale_ignored") g = round(g * round(1 / problem.loss_scale));
      if (decay != 0 && (!problem.is_adam() || coupled)) g = multiply_add(decay, w, g);
      if (!problem.is_adam()) {
        double direction = g;
        if (problem.momentum != 0) {
          const double mu = round(problem.momentum),
                       share = fault == "dampening_ignored" ? 1 : round(1 - problem.dampening), old = first.load(i);
          const double velocity = problem.step == 1 && fault != "first_step_damped" ? g
                                  : fault == "momentum_of_gradient"                 ? multiply_add(mu, g, old)
                                                                    : multiply_add(mu, old, round(share * g));
          const double used = form == Form::differences ? problem.state.round(velocity) : velocity;
          direction = problem.nesterov && fault != "nesterov_ignored" ? multiply_add(mu, used, g) : used;
          first.store(i, velocity);
        }
        w = fault == "ascent" ? multiply_add(rate, direction, w) : multiply_add(-rate, direction, w);
      } else {
        const double beta1 = round(problem.beta1), beta2 = round(problem.beta2), old_m = first.load(i),
                     old_v = second.load(i);
        double m = form == Form::differences ? round(old_m + round(round(1 - beta1) * round(g - old_m)))
                                             : multiply_add(beta1, old_m, round(round(1 - beta1) * g));
        double v = multiply_add(beta2, old_v, round(round(1 - beta2) * round(g * g)));
        if (fault == "betas_exchanged") {
          m = multiply_add(beta2, old_m, round(round(1 - beta2) * g));
          v = multiply_add(beta1, old_v, round(round(1 - beta1) * round(g * g)));
        }
        if (fault == "narrow_square")
          v = multiply_add(beta2, old_v, round(round(1 - beta2) * round_to<float16>(round_to<float16>(g) * g)));
        first.store(i, m);
        if (fault != "second_state_stale") second.store(i, v);
        if (form == Form::differences) m = problem.state.round(m), v = problem.state.round(v);
        const double c1 = fault == "correction_missing" ? 1 : round(1 - std::pow(problem.beta1, step)),
                     c2 = fault == "correction_missing" ? 1 : round(1 - std::pow(problem.beta2, step));
        const double epsilon = round(problem.epsilon);
        if (problem.kind == OptimizerKind::adamw && decay != 0 && !coupled)
          w = form == Form::textbook || form == Form::differences ? round(w - round(round(rate * decay) * w))
                                                                  : multiply_add(-round(rate * decay), w, w);
        if (form == Form::folded) {
          w = round(w - round(round(rate / c1) *
                              round(m / round(round(round(std::sqrt(v)) / round(std::sqrt(c2))) + epsilon))));
        } else {
          const double square = round(v / c2), root = fault == "epsilon_inside_root"
                                                          ? round(std::sqrt(round(square + epsilon)))
                                                          : round(round(std::sqrt(square)) + epsilon);
          w = multiply_add(-rate, round(round(m / c1) / root), w);
        }
      }
      weights.store(i, w);
      if (!problem.half_weights) continue;
      const double half = fault == "half_weights_of_before" ? before : weights.load(i);
      operands[Optimizer::half_weights].store(
          i, fault == "truncated_half" ? problem.half.round(half, Rounding::toward_zero) : half);
    }
  }
};

}  // namespace detail

template <>
struct OperationFaults<Optimizer> {
  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    return {
        {"correction_missing", missing_work, "leaves the bias correction out", {"optimizer"}},
        {"step_from_zero", addressing, "counts steps from 0, so that the first correction divides by 0", {"optimizer"}},
        {"decay_ignored", missing_work, "leaves the weight decay out", {"optimizer"}},
        {"decay_coupled_wrongly",
         addressing,
         "adds AdamW's decay to the gradient, or Adam's to the weights",
         {"optimizer"}},
        {"epsilon_inside_root", precision, "adds epsilon under the root", {"optimizer"}},
        {"betas_exchanged", addressing, "exchanges beta1 and beta2", {"optimizer"}},
        {"narrow_square", precision, "squares gradients in float16", {"optimizer"}},
        {"second_state_stale", missing_work, "does not store the second moment", {"optimizer"}},
        {"narrow_master", precision, "steps from the rounded copy of the weights instead of the master", {"optimizer"}},
        {"half_weights_of_before", state, "writes the 16-bit weights of before the step", {"optimizer"}},
        {"truncated_half", rounding, "cuts the 16-bit weights off instead of rounding them", {"optimizer"}},
        {"loss_scale_ignored", missing_work, "does not undo the loss scale", {"optimizer"}},
        {"nan_gradient_skipped", special_value, "takes NaN gradients for 0", {"optimizer"}},
        {"momentum_of_gradient",
         addressing,
         "multiplies the gradient by the momentum instead of the velocity",
         {"optimizer"}},
        {"dampening_ignored", missing_work, "ignores the dampening", {"optimizer"}},
        {"nesterov_ignored",
         missing_work,
         "steps along the velocity where Nesterov's direction is asked for",
         {"optimizer"}},
        {"ascent", addressing, "steps up the gradient", {"optimizer"}}};
  }
  [[nodiscard]] static OperationSubject<Optimizer> faulty(std::string_view name) {
    return host_subject<Optimizer>(std::string(name), Kernel{Kernel::Form::textbook, own_fault<Optimizer>(name)});
  }
  [[nodiscard]] static std::vector<OperationSubject<Optimizer>> correct() {
    using Narrow = detail::EmulatedOptimizer<bfloat16>;
    using Half = detail::EmulatedOptimizer<float16>;
    return {host_subject<Optimizer>("textbook", Kernel{Kernel::Form::textbook}),
            host_subject<Optimizer>("folded", Kernel{Kernel::Form::folded}),
            host_subject<Optimizer>("fused", Kernel{Kernel::Form::fused}),
            host_subject<Optimizer>("differences", Kernel{Kernel::Form::differences}),
            host_subject<Optimizer>("in_bf16", Narrow{Narrow::Form::textbook}, arithmetic_in<bfloat16>()),
            host_subject<Optimizer>("in_f16", Half{Half::Form::textbook}, arithmetic_in<float16>())};
  }

 private:
  using Kernel = detail::EmulatedOptimizer<float32>;
};

}  // namespace assay::inline v0
