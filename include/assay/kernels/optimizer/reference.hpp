#pragma once

#include <cmath>

#include "assay/kernels/operation.hpp"
#include "assay/kernels/optimizer/problem.hpp"
#include "assay/tolerance/bounded.hpp"

namespace assay::inline v0 {

/// References and bounds of an optimizer step, by running error analysis (tolerance/bounded.hpp) of the formulas in OptimizerProblem. Of
/// constants a rounding each is allowed for, of 1/loss_scale a division more, of 1 − β^step one of ε_pow·β^step + u; a state that is stored narrower than the accumulator may be used before or after it is rounded, so that its
/// rounding is part of the weights' error. Both m̂/(√v̂ + ε) and the rearrangement (learning_rate/(1 − β1^t))·m/(√v/√(1 − β2^t) + ε) round no more often.
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
  [[nodiscard]] ASSAY_FUNCTION Bounded complement(double beta) const { return {1 - beta, beta == 0 ? 0 : arithmetic.unit * (1 + beta)}; }
  /// 1 − β^t, of double precision or better where β^t is computed on the host.
  [[nodiscard]] ASSAY_FUNCTION Bounded correction(double beta) const {
    const double power = std::pow(beta, static_cast<double>(problem.step));
    return {1 - power, power * (arithmetic.function_error + static_cast<double>(problem.step < 4 ? problem.step : 4) * arithmetic.unit) +
                           arithmetic.unit};
  }
  /// A state as it is stored, with the error of its rounding.
  [[nodiscard]] ASSAY_FUNCTION Bounded stored(Bounded state) const {
    const double u = problem.state.unit_roundoff();
    if (u > accumulator_unit) state.error += u * (detail::absolute(state.value) + state.error) + problem.state.min_subnormal();
    return detail::absolute(state.value) + state.error > problem.state.max_finite() ? Bounded{state.value, BoundedArithmetic::infinity()}
                                                                                    : state;
  }

  /// The step of the element of that number.
  [[nodiscard]] ASSAY_FUNCTION Step step(Index i) const {
    const BoundedArithmetic& f = arithmetic;
    const Bounded w = f.exact(weights.load(i)), rate = constant(problem.learning_rate), decay = constant(problem.weight_decay);
    Bounded g = f.exact(gradient.load(i));
    if (problem.loss_scale != 1) g = f.multiply(g, f.divide(f.exact(1), constant(problem.loss_scale)));
    if (problem.weight_decay != 0 && problem.kind != OptimizerKind::adamw) g = f.add(g, f.multiply(decay, w));
    Step result{w, {}, {}};
    if (!problem.is_adam()) {
      Bounded direction = g;
      if (problem.momentum != 0) {
        const Bounded mu = constant(problem.momentum), share = problem.dampening == 0 ? f.exact(1) : complement(problem.dampening);
        result.first = problem.step == 1 ? g : f.add(f.multiply(mu, f.exact(first.load(i))), f.multiply(share, g));
        const Bounded velocity = stored(result.first);
        direction = problem.nesterov ? f.add(g, f.multiply(mu, velocity)) : velocity;
      }
      result.weight = f.subtract(w, f.multiply(rate, direction));
      return result;
    }
    const Bounded m = f.exact(first.load(i)), v = f.exact(second.load(i));
    result.first = difference_form(f.add(f.multiply(constant(problem.beta1), m), f.multiply(complement(problem.beta1), g)), m, g);
    result.second = f.add(f.multiply(constant(problem.beta2), v), f.multiply(complement(problem.beta2), f.multiply(g, g)));
    if (is_infinite(g.value)) {  // 0·∞ where the accumulator rounds β to 1
      if (lost(problem.beta1)) result.first = unknown();
      if (lost(problem.beta2)) result.second = unknown();
      if (lost(problem.beta1) || lost(problem.beta2)) {
        result.weight = unknown();
        return result;
      }
    }
    Bounded kept = w;
    if (problem.kind == OptimizerKind::adamw && problem.weight_decay != 0) kept = f.subtract(w, f.multiply(f.multiply(rate, decay), w));
    const Bounded mean = f.divide(stored(result.first), correction(problem.beta1)),
                  square = f.divide(stored(result.second), correction(problem.beta2));
    const Bounded root = f.add(f.rounded(f.sqrt(square)), constant(problem.epsilon));
    result.weight = f.subtract(kept, f.rounded(f.multiply(rate, f.divide(mean, root))));
    return result;
  }

  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index, Index i) const {
    const Step result = step(i);
    // outputs that the problem does without are counted, too
    return (output == 0 ? result.weight : output == 1 ? result.first : output == 2 ? result.second : half_weight(result.weight)).expected();
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION static Bounded unknown() { return {0, BoundedArithmetic::infinity()}; }
  [[nodiscard]] ASSAY_FUNCTION bool lost(double beta) const { return complement(beta).value <= complement(beta).error; }
  /// Also by m + (1 − β1)·(g − m).
  [[nodiscard]] ASSAY_FUNCTION Bounded difference_form(Bounded a, Bounded m, Bounded g) const {
    const BoundedArithmetic& f = arithmetic;
    const Bounded b = f.add(m, f.multiply(complement(problem.beta1), f.subtract(g, m)));
    return {a.value, a.error > b.error ? a.error : b.error};
  }
  /// Of the weight before or after it is rounded to its own format.
  [[nodiscard]] ASSAY_FUNCTION Bounded half_weight(Bounded weight) const {
    weight.error += problem.weight.unit_roundoff() * (detail::absolute(weight.value) + weight.error) + problem.weight.min_subnormal();
    return weight;
  }
};

/// The reference, which reads the operands as they were before the step.
template <ParallelBackend B>
[[nodiscard]] Result<OperationReference<OptimizerExpected>> optimizer_reference(B&, typename B::Stream&, const OptimizerProblem& problem,
                                                                                const OperandArray& operands,
                                                                                const Arithmetic& arithmetic) {
  return OperationReference<OptimizerExpected>{
      {problem, BoundedArithmetic(arithmetic), arithmetic.unit_roundoff(), operands[0], operands[1], operands[2], operands[3]}, nullptr};
}

}  // namespace assay::inline v0
