#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include "assay/core/index.hpp"
#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

/// AdamW: m ← β1·m + (1 − β1)·g, v ← β2·v + (1 − β2)·g², w ← w·(1 − rate·decay) − rate·m̂/(√v̂ + ε), m̂ = m/(1 − β1^step), v̂ = v/(1 − β2^step).
/// Source: Loshchilov, Hutter, "Decoupled weight decay regularization", ICLR 2019.
struct AdamW {
  double learning_rate = 3e-3;  ///< "rate"
  /// Β1, β2, ε.
  double beta1 = 0.9, beta2 = 0.95, epsilon = 1e-8;
  double weight_decay = 0.01;   ///< "decay"
  bool bias_correction = true;  ///< false: m̂ = m, v̂ = v
};

/// Step `step`, from 1, of the weights given, in float32. Each weight's new bits depend on its own old ones only, so that any part of the weights may
/// be updated alone. O(weights). Misuse: extents that differ.
inline void adamw_step(const AdamW& optimizer, Index step, std::span<const float> gradient, std::span<float> weights,
                       std::span<float> first, std::span<float> second) {
  expect(gradient.size() == weights.size() && first.size() == weights.size() && second.size() == weights.size(),
         [] { return "adamw_step() was given gradients, weights and moments of unequal extents"; });
  const double power = static_cast<double>(step);
  const float beta1 = static_cast<float>(optimizer.beta1), beta2 = static_cast<float>(optimizer.beta2),
              rate = static_cast<float>(optimizer.learning_rate);
  const float decay = static_cast<float>(optimizer.learning_rate * optimizer.weight_decay), epsilon = static_cast<float>(optimizer.epsilon);
  const float first_share = optimizer.bias_correction ? static_cast<float>(1 - std::pow(optimizer.beta1, power)) : 1;
  const float second_share = optimizer.bias_correction ? static_cast<float>(1 - std::pow(optimizer.beta2, power)) : 1;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const float g = gradient[i];
    first[i] = beta1 * first[i] + (1 - beta1) * g;
    second[i] = beta2 * second[i] + (1 - beta2) * (g * g);
    weights[i] = weights[i] - decay * weights[i] - rate * ((first[i] / first_share) / (std::sqrt(second[i] / second_share) + epsilon));
  }
}

}  // namespace assay::inline v0
