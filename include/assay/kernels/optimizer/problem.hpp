#pragma once

#include <cmath>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "assay/core/result.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// Which optimizer steps.
enum class OptimizerKind {
  sgd,   ///< with momentum and weight decay in the gradient
  adam,  ///< weight decay in the gradient
  adamw  ///< weight decay of the weights (Loshchilov and Hutter, "Decoupled weight decay regularization", ICLR 2019)
};

[[nodiscard]] constexpr std::string_view name_of(OptimizerKind kind) noexcept {
  constexpr std::string_view names[] = {"sgd", "adam", "adamw"};
  return names[static_cast<int>(kind)];
}

/// One step of an optimizer on `count` weights. With the gradient g' = g/loss_scale (+ weight_decay·w, not of adamw):
///
/// - sgd: v ← momentum·v + (1 − dampening)·g', w ← w − learning_rate·(nesterov ? g' + momentum·v : v); at step 1 v ←
///   g'. Without momentum v is absent.
/// - adam, adamw: m ← β1·m + (1 − β1)·g', v ← β2·v + (1 − β2)·g'², w ← w·(1 − learning_rate·weight_decay: adamw) −
///   learning_rate·m̂/(√v̂ + ε), m̂ = m/(1 − β1^step), v̂ = v/(1 − β2^step). (Kingma and Ba, "Adam", ICLR 2015.)
///
/// Where there are `half_weights`, w is the master copy, and they become w rounded to their format.
struct OptimizerProblem {
  OptimizerKind kind = OptimizerKind::adamw;
  Index count = 1;
  Index step = 1;  ///< from 1, of bias correction
  double learning_rate = 1e-3;
  double weight_decay = 0;
  double momentum = 0.9, dampening = 0;  ///< of sgd
  bool nesterov = false;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;  ///< of adam and adamw
  double loss_scale = 1;
  bool half_weights = false;
  ElementFormat gradient = element_format<float32>();
  ElementFormat weight = element_format<float32>();  ///< storage format of the weights
  ElementFormat state = element_format<float32>();   ///< storage format of the states
  ElementFormat half = element_format<bfloat16>();   ///< storage format of the copy for computing

  /// Whether it is Adam or AdamW.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool is_adam() const { return kind != OptimizerKind::sgd; }
  /// Whether there is a first state.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool has_first_state() const { return is_adam() || momentum != 0; }
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(OptimizerProblem& problem, Visit&& visit) {
  visit("kind", problem.kind, "count", problem.count, "step", problem.step, "learning_rate", problem.learning_rate,
        "weight_decay", problem.weight_decay, "momentum", problem.momentum, "dampening", problem.dampening, "nesterov",
        problem.nesterov, "beta1", problem.beta1, "beta2", problem.beta2, "epsilon", problem.epsilon, "loss_scale",
        problem.loss_scale, "half_weights", problem.half_weights, "gradient", problem.gradient, "weight",
        problem.weight, "state", problem.state, "half", problem.half);
}

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] Result<void> check(const OptimizerProblem& problem);

/// "1000-step10-lr0.001-decay0.01".
[[nodiscard]] std::string name_of(const OptimizerProblem& problem);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/optimizer/problem.ipp"
#endif
