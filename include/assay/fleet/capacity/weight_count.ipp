#pragma once

#include "assay/fleet/capacity/weight_count.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE double attention_weights(const ModelArchitecture& model) {
  const auto h = static_cast<double>(model.hidden), heads = static_cast<double>(model.heads),
             kv = static_cast<double>(model.kv_heads), d = static_cast<double>(model.head_size);
  double count = 0;
  if (model.latent > 0) {
    const auto latent = static_cast<double>(model.latent), rotary = static_cast<double>(model.rotary),
               query_latent = static_cast<double>(model.query_latent),
               value = static_cast<double>(model.value_head_size);
    count += query_latent > 0 ? h * query_latent + query_latent + query_latent * heads * d : h * heads * d;
    count += h * (latent + rotary) + latent + latent * heads * (d - rotary + value) + heads * value * h;
  } else {
    count += h * heads * d * (model.gated_attention ? 2 : 1) + 2 * h * kv * d + heads * d * h;
    if (model.qkv_bias) count += heads * d + 2 * kv * d;
  }
  if (model.output_bias) count += h;
  if (model.qk_norm) count += 2 * d;
  if (model.attention_sinks) count += heads;
  return count;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE double recurrent_weights(const ModelArchitecture& model) {
  const auto h = static_cast<double>(model.hidden), value_heads = static_cast<double>(model.recurrent_value_heads);
  const double keys = static_cast<double>(model.recurrent_key_heads) * static_cast<double>(model.recurrent_key_size),
               values = value_heads * static_cast<double>(model.recurrent_value_size);
  return h * (2 * keys + 2 * values) + h * 2 * value_heads +
         (2 * keys + values) * static_cast<double>(model.recurrent_kernel) + 2 * value_heads +
         static_cast<double>(model.recurrent_value_size) + values * h;
}

/// Of a feed-forward network: its matrices, and its biases where it has them.
[[nodiscard]] inline double network_weights(const ModelArchitecture& model, Index width, bool bias) {
  const auto h = static_cast<double>(model.hidden), w = static_cast<double>(width);
  const double inner = model.gated ? 2 : 1;
  return (inner + 1) * h * w + (bias ? inner * w + h : 0);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE WeightCount count_weights(const ModelArchitecture& model) {
  WeightCount count;
  const auto h = static_cast<double>(model.hidden), layers = static_cast<double>(model.layers),
             vocabulary = static_cast<double>(model.vocabulary), norm = static_cast<double>(model.norm_parameters);
  const auto recurrent = static_cast<double>(model.layers_with(TokenMixer::recurrent));
  count.embedding = (vocabulary + static_cast<double>(model.positions) + static_cast<double>(model.token_types)) * h;
  count.attention = (layers - recurrent) * detail::attention_weights(model) +
                    (recurrent > 0 ? recurrent * detail::recurrent_weights(model) : 0);
  const auto sparse = static_cast<double>(model.experts > 0 ? model.layers - model.dense_layers : 0),
             experts = static_cast<double>(model.experts);
  count.feed_forward = (layers - sparse) * detail::network_weights(model, model.intermediate, model.feed_forward_bias);
  if (model.shared_intermediate > 0)
    count.feed_forward +=
        sparse * (detail::network_weights(model, model.shared_intermediate, false) + (model.shared_gate ? h : 0));
  const double expert = detail::network_weights(model, model.expert_intermediate, model.expert_bias);
  count.experts = sparse * experts * expert;
  count.router = sparse * (h * experts + (model.router_bias ? experts : 0));
  count.normalization =
      (layers * static_cast<double>(model.norms) + (model.final_norm ? 1 : 0) + (model.embedding_norm ? 1 : 0)) * h *
      norm;
  count.output = (model.tied ? 0 : vocabulary * h) + (model.pooler ? h * h + h : 0);
  count.active = count.total() - count.experts + sparse * static_cast<double>(model.experts_per_token) * expert;
  return count;
}

ASSAY_DETAIL_HEADER_INLINE double megatron_parameters_per_rank(const ModelArchitecture& model, Index tensor,
                                                               Index pipeline) {
  const auto h = static_cast<double>(model.hidden), layers = static_cast<double>(model.layers),
             t = static_cast<double>(tensor), p = static_cast<double>(pipeline),
             norm = static_cast<double>(model.norm_parameters) * h,
             vocabulary = static_cast<double>(model.vocabulary) * h;
  const double attention = 2 * h * static_cast<double>(model.head_size) *
                           (static_cast<double>(model.heads) + static_cast<double>(model.kv_heads)),
               network = detail::network_weights(model, model.intermediate, false);
  double sharded = ((attention + network) * layers / p + vocabulary) / t;
  if (!model.tied && pipeline == 1) sharded += vocabulary / t;
  return sharded + (2 * norm * layers + norm) / p;
}

}  // namespace assay::inline v0
