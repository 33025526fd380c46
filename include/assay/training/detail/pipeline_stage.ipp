#pragma once

#include "assay/training/detail/pipeline_stage.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE PipelineStage::PipelineStage(const TrainingOptions& options, const TrainingState& state,
                                                        int rank, int size, PipelineFault fault)
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

ASSAY_DETAIL_HEADER_INLINE std::vector<float> PipelineStage::forward(Index microbatch, std::vector<float> x) {
  const TextSample sample = sample_of(microbatch);
  if (first_) x = embed(options_.model, state_->weights.data(), sample);
  if (fault_ == PipelineFault::stale_activations && microbatch > 0) {
    std::swap(x, stale_);
    x.resize(static_cast<std::size_t>(sample.predictions() * options_.model.width), 0.0f);
  } else {
    stale_ = x;
  }
  for (Index layer = layers_.begin; layer < layers_.end; ++layer)
    blocks_[static_cast<std::size_t>(microbatch)].emplace_back().forward(
        options_.model, state_->weights.data() + layout_.block_at(layer), x, state_->random_state, sample.number,
        layer);
  if (last_) outputs_.push_back(x);
  return x;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<float> PipelineStage::backward(Index microbatch, std::vector<float> dx) {
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

ASSAY_DETAIL_HEADER_INLINE int stage_of(const LanguageModel& model, Index parameter, int stages) {
  const LanguageModelLayout layout(model);
  if (parameter < layout.blocks) return 0;
  if (parameter >= layout.last_gain) return stages - 1;
  const Index layer = (parameter - layout.blocks) / layout.block.count;
  int stage = 0;
  while (samples_of(model.layers, stage, stages).end <= layer) ++stage;
  return stage;
}

}  // namespace assay::inline v0::detail
