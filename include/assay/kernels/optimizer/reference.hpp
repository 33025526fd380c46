#pragma once

#include <cmath>

#include "assay/kernels/operation.hpp"
#include "assay/kernels/optimizer/problem.hpp"
#include "assay/tolerance/bounded.hpp"

namespace assay::inline v0 {

/// References and bounds of an optimizer step, by running error analysis (tolerance/bounded.hpp) of the formulas in
/// OptimizerProblem:
///
/// - Of constants a rounding each is allowed for, of 1/loss_scale a division more.
/// - β^t is a power in the accumulator's arithmetic or a better one, of a base that is rounded once, so that 1 − β^t is
///   off by (β(1 + u))^t − β^t + ε·β^t + u, about (t·u + ε)·β^t + u.
/// - A state that is stored narrower than the accumulator may be used before or after it is rounded, so that its
///   rounding is part of the weights' error.
/// - The rearrangements (learning_rate/(1 − β1^t))·m/(√v/√(1 − β2^t) + ε) and (learning_rate·m̂)/(√v̂ + ε) round no
///   more often, and lose η/(√v̂ + ε) more where the numerator underflows.
/// - m + (1 − β1)·(g − m) and w − (learning_rate·weight_decay)·w are as right as the products; nothing is known where
///   the two forms give different infinities or NaN.
struct OptimizerExpected {
  OptimizerProblem problem;
  BoundedArithmetic arithmetic;
  double accumulator_unit = 0;
  Operand gradient, weights, first, second;
  int output = 0;  ///< among weights, first state, second state, half weights

  /// What a step makes of one element.
  struct Step {
    /// After the step.
    Bounded weight, first, second;
  };

  /// A constant in the accumulator.
  [[nodiscard]] ASSAY_FUNCTION Bounded constant(double value) const {
    return {value, arithmetic.unit * detail::absolute(value) + (value != 0 ? arithmetic.underflow : 0)};
  }
  /// 1 − β, computed from a rounded β or rounded itself.
  [[nodiscard]] ASSAY_FUNCTION Bounded complement(double beta) const {
    return {1 - beta, beta == 0 ? 0 : arithmetic.unit * (1 + beta)};
  }
  /// 1 − β^t, of a β that is rounded and a power in the accumulator's arithmetic or better ones.
  [[nodiscard]] ASSAY_FUNCTION Bounded correction(double beta) const {
    const double t = static_cast<double>(problem.step), power = std::pow(beta, t), above = beta * (1 + arithmetic.unit);
    const double highest = std::pow(above < 1 ? above : 1, t);
    return {1 - power, highest - power + highest * arithmetic.function_error + arithmetic.unit};
  }
  /// A state as it is stored, with the error of its rounding.
  [[nodiscard]] ASSAY_FUNCTION Bounded stored(Bounded state) const {
    if (!is_finite(state.value)) return state;
    const double u = problem.state.unit_roundoff();
    if (u > accumulator_unit)
      state.error += u * (detail::absolute(state.value) + state.error) + problem.state.min_subnormal();
    return detail::absolute(state.value) + state.error > problem.state.max_finite()
               ? Bounded{state.value, BoundedArithmetic::infinity()}
               : state;
  }

  /// The step of the element of that number.
  [[nodiscard]] ASSAY_FUNCTION Step step(Index i) const {
    const BoundedArithmetic& f = arithmetic;
    const Bounded w = f.exact(weights.load(i)), rate = constant(problem.learning_rate),
                  decay = constant(problem.weight_decay);
    Bounded g = f.exact(gradient.load(i));
    if (problem.loss_scale != 1) g = f.multiply(g, f.divide(f.exact(1), constant(problem.loss_scale)));
    if (problem.weight_decay != 0 && problem.kind != OptimizerKind::adamw) g = f.add(g, f.multiply(decay, w));
    Step result{w, {}, {}};
    if (!problem.is_adam()) {
      Bounded direction = g;
      if (problem.momentum != 0) {
        const Bounded mu = constant(problem.momentum),
                      share = problem.dampening == 0 ? f.exact(1) : complement(problem.dampening);
        result.first = problem.step == 1 ? g : f.add(f.multiply(mu, f.exact(first.load(i))), f.multiply(share, g));
        const Bounded velocity = stored(result.first);
        direction = problem.nesterov ? f.add(g, f.multiply(mu, velocity)) : velocity;
      }
      result.weight = f.subtract(w, f.multiply(rate, direction));
      return result;
    }
    const Bounded m = f.exact(first.load(i)), v = f.exact(second.load(i));
    result.first = either(f.add(f.multiply(constant(problem.beta1), m), f.multiply(complement(problem.beta1), g)),
                          f.add(m, f.multiply(complement(problem.beta1), f.subtract(g, m))));
    result.second =
        f.add(f.multiply(constant(problem.beta2), v), f.multiply(complement(problem.beta2), f.multiply(g, g)));
    Bounded kept = w;
    if (problem.kind == OptimizerKind::adamw && problem.weight_decay != 0) {
      const Bounded share = f.multiply(rate, decay);
      kept = either(f.subtract(w, f.multiply(share, w)), f.multiply(w, remainder(share)));
    }
    const Bounded mean = f.divide(stored(result.first), correction(problem.beta1)),
                  square = f.divide(stored(result.second), correction(problem.beta2));
    const Bounded root = f.add(f.rounded(f.sqrt(square)), constant(problem.epsilon));
    Bounded update = f.rounded(f.multiply(rate, f.divide(mean, root)));
    if (is_finite(update.value)) update.error += f.underflow / (root.value - root.error);
    result.weight = f.subtract(kept, update);
    return result;
  }

  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index, Index i) const {
    const Step result = step(i);
    // outputs that the problem does without are counted, too
    return (output == 0   ? result.weight
            : output == 1 ? result.first
            : output == 2 ? result.second
                          : half_weight(result.weight))
        .expected();
  }

 private:
  /// Of two ways to compute the same: unknown where they give different infinities or NaN.
  [[nodiscard]] ASSAY_FUNCTION static Bounded either(Bounded a, Bounded b) {
    const bool both_finite = is_finite(a.value) && is_finite(b.value),
               alike = a.value == b.value || (is_nan(a.value) && is_nan(b.value));
    if (!both_finite && !alike) return {0, BoundedArithmetic::infinity()};
    return {a.value, a.error > b.error ? a.error : b.error};
  }
  /// 1 − share, rounded once: by u/2 below 1, where numbers lie half as far apart.
  [[nodiscard]] ASSAY_FUNCTION Bounded remainder(Bounded share) const {
    const double size = detail::absolute(1 - share.value);
    return {1 - share.value, share.error + arithmetic.unit * (size > 1 ? size + share.error : 0.5)};
  }
  /// Of the weight before or after it is rounded to its own format.
  [[nodiscard]] ASSAY_FUNCTION Bounded half_weight(Bounded weight) const {
    if (!is_finite(weight.value)) return weight;
    weight.error += problem.weight.unit_roundoff() * (detail::absolute(weight.value) + weight.error) +
                    problem.weight.min_subnormal();
    return weight;
  }
};

/// The reference, which reads the operands as they were before the step.
template <ParallelBackend B>
[[nodiscard]] Result<OperationReference<OptimizerExpected>> optimizer_reference(B&, typename B::Stream&,
                                                                                const OptimizerProblem& problem,
                                                                                const OperandArray& operands,
                                                                                const Arithmetic& arithmetic) {
  return OperationReference<OptimizerExpected>{{problem, BoundedArithmetic(arithmetic), arithmetic.unit_roundoff(),
                                                operands[0], operands[1], operands[2], operands[3]},
                                               nullptr};
}

}  // namespace assay::inline v0
