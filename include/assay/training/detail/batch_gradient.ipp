#pragma once

#include "assay/training/detail/batch_gradient.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE double BatchGradient::allowed(std::size_t i, int ranks, bool narrow) const {
  const double n = ranks, roundings = static_cast<double>(samples.size()) + n;
  double error = gamma_of(roundings + 2, float32_unit) * magnitude[i] + roundings * 0x1p-126;
  if (narrow) {
    double parts = 0;
    for (int rank = 0; rank < ranks; ++rank)
      parts += std::fabs(of_samples(samples_of(static_cast<Index>(samples.size()), rank, ranks), i));
    error += gamma_of(n + 1, bfloat16_unit) * (parts + error);
  }
  return error / all_tokens;
}

ASSAY_DETAIL_HEADER_INLINE BatchGradient batch_gradient(const TrainingOptions& options, const TrainingState& state) {
  BatchGradient batch;
  batch.sum.assign(state.weights.size(), 0);
  batch.magnitude.assign(state.weights.size(), 0);
  for (Index index = 0; index < options.global_batch; ++index) {
    double loss = 0, tokens = 0;
    std::vector<float> gradient;
    sample_gradient(options, state, index, gradient, loss, tokens);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      batch.sum[i] += static_cast<double>(gradient[i]);
      batch.magnitude[i] += std::fabs(static_cast<double>(gradient[i]));
    }
    batch.samples.push_back(std::move(gradient));
    batch.tokens.push_back(tokens);
    batch.losses.push_back(loss);
    batch.all_tokens += tokens;
    batch.all_losses += loss;
  }
  return batch;
}

}  // namespace assay::inline v0::detail
