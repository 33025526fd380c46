#pragma once

#include <cstddef>
#include <vector>

#include "assay/training/detail/language_model_pass.hpp"
#include "assay/training/training_state.hpp"

namespace assay::inline v0::detail {

/// Sums over samples: of losses, tokens, and gradients.
struct LocalGradient {
  std::vector<float> sum;
  double loss = 0;
  double tokens = 0;

  void add(const std::vector<float>& gradient) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += gradient[i];
  }
};

/// The gradient of sample `index` of the step that `state` stands before; sum of its losses in `loss`, number of
/// predictions in `tokens`.
inline void sample_gradient(const TrainingOptions& options, const TrainingState& state, Index index,
                            std::vector<float>& gradient, double& loss, double& tokens) {
  const TextSample sample =
      text_sample(options.model, options.seed, state.next_sample + static_cast<std::uint64_t>(index));
  gradient.assign(state.weights.size(), 0.0f);
  loss = static_cast<double>(
      sample_loss<float>(options.model, state.weights.data(), sample, state.random_state, gradient.data()));
  tokens = static_cast<double>(sample.predictions());
}

/// Sums over the samples of a rank: gradients in float32, in the order of the samples, so that each sample's are the
/// same wherever it is computed.
[[nodiscard]] inline LocalGradient local_gradient(const TrainingOptions& options, const TrainingState& state,
                                                  RankShare samples) {
  LocalGradient local;
  local.sum.assign(state.weights.size(), 0.0f);
  std::vector<float> gradient;
  for (Index index = samples.begin; index < samples.end; ++index) {
    double loss = 0, tokens = 0;
    sample_gradient(options, state, index, gradient, loss, tokens);
    local.add(gradient);
    local.loss += loss;
    local.tokens += tokens;
  }
  return local;
}

/// The sum of gradients by token, as every trainer here has it: one product.
inline void divide_by_tokens(std::vector<float>& gradient, double tokens) {
  const auto share = static_cast<float>(1 / tokens);
  for (float& value : gradient) value *= share;
}

}  // namespace assay::inline v0::detail
