#pragma once

#include "assay/fleet/capacity/model_architecture.hpp"

namespace assay::inline v0 {

/// Parameters of a model by what they are for. Exact below 2^53.
struct WeightCount {
  double embedding = 0;      ///< tokens, positions, segments
  double attention = 0;      ///< of all layers, recurrent ones included
  double feed_forward = 0;   ///< dense networks and shared experts
  double experts = 0;        ///< routed ones
  double router = 0;         ///< what chooses the experts, of all layers
  double normalization = 0;  ///< of layers, the embedding, the end; what is within attention counts there
  double output = 0;         ///< the output layer unless it is the embedding; the pooler
  double active = 0;         ///< of all of them, those that one token passes; embeddings are looked up, and counted

  /// All.
  [[nodiscard]] double total() const noexcept {
    return embedding + attention + feed_forward + experts + router + normalization + output;
  }
};

/// By the extents of every matrix, as the models of Hugging Face transformers have them. Precondition: `check(model)`
/// is well. O(layers).
[[nodiscard]] WeightCount count_weights(const ModelArchitecture& model);

/// Parameters of the most loaded rank after Megatron-LM's theoretical memory (biases are not counted): layers and the
/// embedding over `tensor`, layers over `pipeline`. Precondition: `check(model)`; both divide what they divide.
[[nodiscard]] double megatron_parameters_per_rank(const ModelArchitecture& model, Index tensor, Index pipeline);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/capacity/weight_count.ipp"
#endif
