#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "assay/training/detail/local_gradient.hpp"
#include "assay/training/training_fault.hpp"

namespace assay::inline v0 {
namespace detail {

/// One stage of a pipeline: some layers in a row; the first has the embeddings as well, the last the logits. A microbatch is one sample.
class PipelineStage {
 public:
  PipelineStage(const TrainingOptions& options, const TrainingState& state, int rank, int size, PipelineFault fault)
      : gradient(state.weights.size(), 0.0f),
        options_(options),
        state_(&state),
        layout_(options.model),
        layers_(samples_of(options.model.layers, rank, size)),
        first_(rank == 0),
        last_(rank == size - 1),
        fault_(fault) {
    if (fault == PipelineFault::skipped_layer && layers_.count() > 0) ++layers_.begin;
    blocks_.resize(static_cast<std::size_t>(options.global_batch));
  }

  std::vector<float> gradient;  ///< of the whole model's parameters; 0 where they are another stage's
  double loss = 0;              ///< of the last stage, added up

  /// The activations that the next stage is sent. `x` is what this one was sent; that of the first is not looked at.
  [[nodiscard]] std::vector<float> forward(Index microbatch, std::vector<float> x) {
    const TextSample sample = sample_of(microbatch);
    if (first_) x = embed(options_.model, state_->weights.data(), sample);
    if (fault_ == PipelineFault::stale_activations && microbatch > 0) {
      std::swap(x, stale_);
      x.resize(static_cast<std::size_t>(sample.predictions() * options_.model.width), 0.0f);
    } else {
      stale_ = x;
    }
    for (Index layer = layers_.begin; layer < layers_.end; ++layer)
      blocks_[static_cast<std::size_t>(microbatch)].emplace_back().forward(options_.model, state_->weights.data() + layout_.block_at(layer),
                                                                           x, state_->random_state, sample.number, layer);
    if (last_) outputs_.push_back(x);
    return x;
  }
  /// The gradients that the stage before is sent. `dx` is what this one was sent; that of the last is not looked at.
  [[nodiscard]] std::vector<float> backward(Index microbatch, std::vector<float> dx) {
    const TextSample sample = sample_of(microbatch);
    std::vector<float> own(gradient.size());
    if (last_) {
      dx = outputs_[static_cast<std::size_t>(microbatch)];
      loss += static_cast<double>(predict(options_.model, state_->weights.data(), sample, dx, own.data()));
    }
    for (Index layer = layers_.end; layer-- > layers_.begin;)
      blocks_[static_cast<std::size_t>(microbatch)][static_cast<std::size_t>(layer - layers_.begin)].backward(
          options_.model, state_->weights.data() + layout_.block_at(layer), own.data() + layout_.block_at(layer), dx);
    if (first_) embed_backward(options_.model, sample, dx, own.data());
    const bool chosen = microbatch == options_.global_batch / 2;
    const int times = chosen && fault_ == PipelineFault::lost_microbatch       ? 0
                      : chosen && fault_ == PipelineFault::repeated_microbatch ? 2
                                                                               : 1;
    for (int time = 0; time < times; ++time)
      for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += own[i];
    return dx;
  }

  [[nodiscard]] Index activations_of(Index microbatch) const { return sample_of(microbatch).predictions() * options_.model.width; }

 private:
  [[nodiscard]] TextSample sample_of(Index microbatch) const {
    return text_sample(options_.model, options_.seed, state_->next_sample + static_cast<std::uint64_t>(microbatch));
  }

  TrainingOptions options_;
  const TrainingState* state_;
  LanguageModelLayout layout_;
  RankShare layers_;
  bool first_, last_;
  PipelineFault fault_;
  std::vector<std::vector<TransformerBlock<float>>> blocks_;  ///< of each microbatch
  std::vector<std::vector<float>> outputs_;
  std::vector<float> stale_;
};

/// The stage that a parameter belongs to.
[[nodiscard]] inline int stage_of(const LanguageModel& model, Index parameter, int stages) {
  const LanguageModelLayout layout(model);
  if (parameter < layout.blocks) return 0;
  if (parameter >= layout.last_gain) return stages - 1;
  const Index layer = (parameter - layout.blocks) / layout.block.count;
  int stage = 0;
  while (samples_of(model.layers, stage, stages).end <= layer) ++stage;
  return stage;
}

}  // namespace detail
}  // namespace assay::inline v0
