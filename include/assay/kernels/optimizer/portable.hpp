#pragma once

#include <cmath>
#include <cstddef>

#include "assay/backends/parallel_backend.hpp"
#include "assay/kernels/optimizer/problem.hpp"

namespace assay::inline v0 {

/// One weight in single precision.
struct PortableOptimizer {
  OptimizerProblem problem;
  Operand gradient, weights, first, second, half_weights;
  float first_correction, second_correction;  ///< 1 − β^step

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index i = static_cast<Index>(index);
    const float rate = static_cast<float>(problem.learning_rate), decay = static_cast<float>(problem.weight_decay);
    float w = static_cast<float>(weights.load(i)), g = static_cast<float>(gradient.load(i));
    if (problem.loss_scale != 1) g *= static_cast<float>(1 / problem.loss_scale);
    if (problem.kind != OptimizerKind::adamw && decay != 0) g += decay * w;
    if (problem.is_adam()) {
      const float beta1 = static_cast<float>(problem.beta1), beta2 = static_cast<float>(problem.beta2);
      const float m = beta1 * static_cast<float>(first.load(i)) + (1 - beta1) * g,
                  v = beta2 * static_cast<float>(second.load(i)) + (1 - beta2) * (g * g);
      if (problem.kind == OptimizerKind::adamw) w -= rate * decay * w;
      w -= rate * ((m / first_correction) / (std::sqrt(v / second_correction) + static_cast<float>(problem.epsilon)));
      first.store(i, m);
      second.store(i, v);
    } else {
      float direction = g;
      if (problem.momentum != 0) {
        const float momentum = static_cast<float>(problem.momentum);
        const float velocity = problem.step == 1 ? g
                                                 : momentum * static_cast<float>(first.load(i)) +
                                                       (1 - static_cast<float>(problem.dampening)) * g;
        direction = problem.nesterov ? g + momentum * velocity : velocity;
        first.store(i, velocity);
      }
      w -= rate * direction;
    }
    weights.store(i, w);
    if (problem.half_weights) half_weights.store(i, w);
  }
};

/// An optimizer step for any parallel backend and formats, written to be read. It is validated like everybody else's.
template <ParallelBackend B>
[[nodiscard]] Result<void> portable_optimizer(B& backend, typename B::Stream& stream, const OptimizerProblem& problem,
                                              const OperandArray& operands) {
  const double step = static_cast<double>(problem.step);
  return backend.parallel_for(stream, static_cast<std::size_t>(problem.count),
                              PortableOptimizer{problem, operands[0], operands[1], operands[2], operands[3],
                                                operands[4], static_cast<float>(1 - std::pow(problem.beta1, step)),
                                                static_cast<float>(1 - std::pow(problem.beta2, step))});
}

}  // namespace assay::inline v0
