#pragma once

#include <cstddef>
#include <span>

#include "assay/core/index.hpp"
#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

/// AdamW: m ← β1·m + (1 − β1)·g, v ← β2·v + (1 − β2)·g², w ← w·(1 − rate·decay) − rate·m̂/(√v̂ + ε), m̂ = m/(1 −
/// β1^step), v̂ = v/(1 − β2^step). Source: Loshchilov, Hutter, "Decoupled weight decay regularization", ICLR 2019.
struct AdamW {
  double learning_rate = 3e-3;  ///< "rate"
  /// Β1, β2, ε.
  double beta1 = 0.9, beta2 = 0.95, epsilon = 1e-8;
  double weight_decay = 0.01;   ///< "decay"
  bool bias_correction = true;  ///< false: m̂ = m, v̂ = v
};

/// Step `step`, from 1, of the weights given, in float32. Each weight's new bits depend on its own old ones only, so
/// that any part of the weights may be updated alone. O(weights). Misuse: extents that differ.
void adamw_step(const AdamW& optimizer, Index step, std::span<const float> gradient, std::span<float> weights,
                std::span<float> first, std::span<float> second);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/training/adamw.ipp"
#endif
