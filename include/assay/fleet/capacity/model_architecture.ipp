#pragma once

#include "assay/fleet/capacity/model_architecture.hpp"

#include <utility>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const ModelArchitecture& model) {
  const auto refused = [&](const std::string& what) {
    return failure(ErrorKind::invalid, (model.name.empty() ? "the model" : "'" + model.name + "'") + ": " + what);
  };
  constexpr Index most = Index{1} << 31;
  const std::pair<const char*, Index> positive[] = {{"layers", model.layers},       {"hidden", model.hidden},
                                                    {"heads", model.heads},         {"kv_heads", model.kv_heads},
                                                    {"head_size", model.head_size}, {"vocabulary", model.vocabulary}};
  for (const auto& [name, value] : positive)
    if (value < 1 || value > most)
      return refused(std::string(name) + " is " + std::to_string(value) + "; expected 1 to 2^31");
  const std::pair<const char*, Index> counts[] = {{"intermediate", model.intermediate},
                                                  {"experts", model.experts},
                                                  {"experts_per_token", model.experts_per_token},
                                                  {"expert_intermediate", model.expert_intermediate},
                                                  {"shared_intermediate", model.shared_intermediate},
                                                  {"dense_layers", model.dense_layers},
                                                  {"latent", model.latent},
                                                  {"rotary", model.rotary},
                                                  {"query_latent", model.query_latent},
                                                  {"value_head_size", model.value_head_size},
                                                  {"positions", model.positions},
                                                  {"token_types", model.token_types},
                                                  {"window", model.window}};
  for (const auto& [name, value] : counts)
    if (value < 0 || value > most)
      return refused(std::string(name) + " is " + std::to_string(value) + "; expected 0 to 2^31");
  if (model.layers > 100'000) return refused("layers is " + std::to_string(model.layers) + "; expected 100000 at most");
  if (model.heads % model.kv_heads != 0)
    return refused(std::to_string(model.heads) + " heads of queries are no multiple of " +
                   std::to_string(model.kv_heads) + " of keys and values");
  if (model.experts > 0 && (model.experts_per_token < 1 || model.experts_per_token > model.experts))
    return refused("experts_per_token is " + std::to_string(model.experts_per_token) + " of " +
                   std::to_string(model.experts) + " experts");
  if (model.experts > 0 && model.expert_intermediate < 1) return refused("expert_intermediate is missing");
  if (model.intermediate < 1 && (model.experts == 0 || model.dense_layers > 0))
    return refused("intermediate is missing");
  if (model.dense_layers > model.layers)
    return refused("dense_layers is " + std::to_string(model.dense_layers) + " of " + std::to_string(model.layers) +
                   " layers");
  if (model.latent > 0 && (model.rotary < 0 || model.rotary > model.head_size || model.value_head_size < 1))
    return refused("latent attention needs rotary within head_size, and value_head_size");
  if (!model.mixers.empty() && static_cast<Index>(model.mixers.size()) != model.layers)
    return refused(std::to_string(model.mixers.size()) + " kinds of layers for " + std::to_string(model.layers) +
                   " layers");
  if (model.layers_with(TokenMixer::sliding_window) > 0 && model.window < 1)
    return refused("layers slide over a window, and window is missing");
  if (model.layers_with(TokenMixer::recurrent) > 0 &&
      (model.recurrent_key_heads < 1 || model.recurrent_value_heads < 1 || model.recurrent_key_size < 1 ||
       model.recurrent_value_size < 1 || model.recurrent_kernel < 1))
    return refused("layers are recurrent, and the extents of their state are missing");
  return {};
}

}  // namespace assay::inline v0
