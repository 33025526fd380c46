#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "assay/training/detail/local_gradient.hpp"
#include "assay/training/training_fault.hpp"

namespace assay::inline v0 {
namespace detail {

/// One stage of a pipeline: some layers in a row; the first has the embeddings as well, the last the logits. A
/// microbatch is one sample.
class PipelineStage {
 public:
  PipelineStage(const TrainingOptions& options, const TrainingState& state, int rank, int size, PipelineFault fault);

  std::vector<float> gradient;  ///< of the whole model's parameters; 0 where they are another stage's
  double loss = 0;              ///< of the last stage, added up

  /// The activations that the next stage is sent. `x` is what this one was sent; that of the first is not looked at.
  [[nodiscard]] std::vector<float> forward(Index microbatch, std::vector<float> x);
  /// The gradients that the stage before is sent. `dx` is what this one was sent; that of the last is not looked at.
  [[nodiscard]] std::vector<float> backward(Index microbatch, std::vector<float> dx);

  [[nodiscard]] Index activations_of(Index microbatch) const {
    return sample_of(microbatch).predictions() * options_.model.width;
  }

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
[[nodiscard]] int stage_of(const LanguageModel& model, Index parameter, int stages);

}  // namespace detail
}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/training/detail/pipeline_stage.ipp"
#endif
