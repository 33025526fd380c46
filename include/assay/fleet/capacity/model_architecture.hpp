#pragma once

#include <string>
#include <vector>

#include "assay/core/index.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// What a layer mixes tokens with, and so what it keeps of them.
enum class TokenMixer {
  full_attention,  ///< keys and values of all tokens
  sliding_window,  ///< keys and values of the last `window` tokens
  recurrent        ///< a state of fixed size, whatever the length
};

/// A transformer by its extents: what decides how many weights it has and what it keeps of each token.
struct ModelArchitecture {
  std::string name;        ///< for reports
  Index layers = 0;        ///< of all kinds
  Index hidden = 0;        ///< width of the residual stream
  Index heads = 0;         ///< of queries
  Index kv_heads = 0;      ///< of keys and values: `heads` (MHA), fewer (GQA), 1 (MQA)
  Index head_size = 0;     ///< of queries and keys
  Index intermediate = 0;  ///< width of the dense feed-forward network
  Index vocabulary = 0;    ///< tokens: rows of the embedding
  bool gated = true;       ///< feed-forward networks have a gate: three matrices, not two
  bool tied = false;       ///< the output layer is the embedding
  /// Whether there are biases: of the projections to queries, keys and values, of the one behind attention, of the dense
  /// feed-forward networks.
  bool qkv_bias = false, output_bias = false, feed_forward_bias = false;
  bool qk_norm = false;          ///< queries and keys are normalized a head
  bool gated_attention = false;  ///< the query's projection makes a gate, too
  bool attention_sinks = false;  ///< a learned number a head
  Index norms = 2;               ///< normalizations a layer
  Index norm_parameters = 1;     ///< a channel: 1 (RMS), 2 (with bias)
  bool final_norm = true;        ///< a normalization after the last layer

  Index positions = 0;    ///< learned position embeddings; 0: none
  Index token_types = 0;  ///< learned embeddings of segments
  /// A normalization after the embedding; a square matrix with bias behind the last layer, as BERT has it.
  bool embedding_norm = false, pooler = false;

  /// Mixture of experts; `experts` 0: none.
  Index experts = 0, experts_per_token = 0, expert_intermediate = 0;
  Index shared_intermediate = 0;  ///< of all shared experts together
  Index dense_layers = 0;         ///< layers whose feed-forward network is dense although others have experts
  /// A bias for each expert in the router; biases in each expert; a gate of `hidden` weights on the shared experts.
  bool router_bias = false, expert_bias = false, shared_gate = false;

  /// Multi-head latent attention; `latent` 0: none. A token keeps latent + rotary numbers.
  Index latent = 0, rotary = 0, query_latent = 0, value_head_size = 0;

  /// One a layer; empty: full attention everywhere.
  std::vector<TokenMixer> mixers;
  Index window = 0;  ///< tokens that sliding layers keep

  /// Recurrent layers (gated delta rule): heads and their sizes, and the width of the convolution.
  Index recurrent_key_heads = 0, recurrent_value_heads = 0, recurrent_key_size = 0, recurrent_value_size = 0,
        recurrent_kernel = 0;  ///< width of the convolution, tokens

  /// How many layers mix so. O(layers).
  [[nodiscard]] Index layers_with(TokenMixer mixer) const {
    if (mixers.empty()) return mixer == TokenMixer::full_attention ? layers : 0;
    Index count = 0;
    for (const TokenMixer one : mixers) count += one == mixer ? 1 : 0;
    return count;
  }
};

/// Error `invalid`: an extent that is not above 0, heads that kv_heads does not divide, more experts a token than there
/// are, mixers that are not one a layer, …; the message names the member.
[[nodiscard]] Result<void> check(const ModelArchitecture& model);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/capacity/model_architecture.ipp"
#endif
