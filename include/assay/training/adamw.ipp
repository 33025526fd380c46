#pragma once

#include "assay/training/adamw.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE void adamw_step(const AdamW& optimizer, Index step, std::span<const float> gradient,
                                           std::span<float> weights, std::span<float> first, std::span<float> second) {
  expect(gradient.size() == weights.size() && first.size() == weights.size() && second.size() == weights.size(),
         [] { return "adamw_step() was given gradients, weights and moments of unequal extents"; });
  const double power = static_cast<double>(step);
  const float beta1 = static_cast<float>(optimizer.beta1), beta2 = static_cast<float>(optimizer.beta2),
              rate = static_cast<float>(optimizer.learning_rate);
  const float decay = static_cast<float>(optimizer.learning_rate * optimizer.weight_decay),
              epsilon = static_cast<float>(optimizer.epsilon);
  const float first_share = optimizer.bias_correction ? static_cast<float>(1 - std::pow(optimizer.beta1, power)) : 1;
  const float second_share = optimizer.bias_correction ? static_cast<float>(1 - std::pow(optimizer.beta2, power)) : 1;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const float g = gradient[i];
    first[i] = beta1 * first[i] + (1 - beta1) * g;
    second[i] = beta2 * second[i] + (1 - beta2) * (g * g);
    weights[i] = weights[i] - decay * weights[i] -
                 rate * ((first[i] / first_share) / (std::sqrt(second[i] / second_share) + epsilon));
  }
}

}  // namespace assay::inline v0
