#pragma once

#include <string>

#include "assay/fleet/capacity/model_architecture.hpp"

/// Models whose sizes were published, as their config.json describes them.
namespace assay::testing {

inline ModelArchitecture llama_3_8b() {
  ModelArchitecture model;
  model.name = "Llama-3-8B";
  model.layers = 32, model.hidden = 4096, model.heads = 32, model.kv_heads = 8, model.head_size = 128;
  model.intermediate = 14336, model.vocabulary = 128256;
  return model;
}
inline ModelArchitecture llama_3_70b() {
  ModelArchitecture model = llama_3_8b();
  model.name = "Llama-3-70B";
  model.layers = 80, model.hidden = 8192, model.heads = 64, model.intermediate = 28672;
  return model;
}
inline ModelArchitecture gpt_3_175b() {
  ModelArchitecture model;
  model.name = "GPT-3";
  model.layers = 96, model.hidden = 12288, model.heads = 96, model.kv_heads = 96, model.head_size = 128;
  model.intermediate = 49152, model.vocabulary = 51200, model.gated = false, model.tied = true;
  model.norm_parameters = 2;
  return model;
}
inline ModelArchitecture gpt_oss_120b() {
  ModelArchitecture model;
  model.name = "gpt-oss-120b";
  model.layers = 36, model.hidden = 2880, model.heads = 64, model.kv_heads = 8, model.head_size = 64;
  model.vocabulary = 201088, model.experts = 128, model.experts_per_token = 4, model.expert_intermediate = 2880;
  model.qkv_bias = model.output_bias = model.router_bias = model.expert_bias = model.attention_sinks = true;
  model.window = 128;
  for (int layer = 0; layer < 36; ++layer)
    model.mixers.push_back(layer % 2 == 0 ? TokenMixer::sliding_window : TokenMixer::full_attention);
  return model;
}
inline ModelArchitecture deepseek_r1() {
  ModelArchitecture model;
  model.name = "DeepSeek-R1";
  model.layers = 61, model.hidden = 7168, model.heads = 128, model.kv_heads = 128, model.head_size = 192;
  model.intermediate = 18432, model.vocabulary = 129280, model.experts = 256, model.experts_per_token = 8;
  model.expert_intermediate = 2048, model.shared_intermediate = 2048, model.dense_layers = 3, model.router_bias = true;
  model.latent = 512, model.rotary = 64, model.query_latent = 1536, model.value_head_size = 128;
  return model;
}
inline ModelArchitecture qwen3_235b() {
  ModelArchitecture model;
  model.name = "Qwen3-235B-A22B";
  model.layers = 94, model.hidden = 4096, model.heads = 64, model.kv_heads = 4, model.head_size = 128;
  model.vocabulary = 151936, model.experts = 128, model.experts_per_token = 8, model.expert_intermediate = 1536;
  model.qk_norm = true;
  return model;
}
/// 16 layers of 64 attend, 4 heads of 256; the others keep a state.
inline ModelArchitecture hybrid_27b() {
  ModelArchitecture model;
  model.name = "hybrid-27B";
  model.layers = 64, model.hidden = 5120, model.heads = 24, model.kv_heads = 4, model.head_size = 256;
  model.intermediate = 17408, model.vocabulary = 248320;
  for (int layer = 0; layer < 64; ++layer)
    model.mixers.push_back(layer % 4 == 3 ? TokenMixer::full_attention : TokenMixer::recurrent);
  model.recurrent_key_heads = 16, model.recurrent_value_heads = 48, model.recurrent_key_size = 128;
  model.recurrent_value_size = 128, model.recurrent_kernel = 4;
  return model;
}
/// 18 layers, of which 15 slide over 512 tokens.
inline ModelArchitecture gemma_3_270m() {
  ModelArchitecture model;
  model.name = "gemma-3-270m";
  model.layers = 18, model.hidden = 640, model.heads = 4, model.kv_heads = 1, model.head_size = 256;
  model.intermediate = 2048, model.vocabulary = 262144, model.tied = true, model.qk_norm = true, model.norms = 4;
  model.window = 512;
  for (int layer = 0; layer < 18; ++layer)
    model.mixers.push_back((layer + 1) % 6 == 0 ? TokenMixer::full_attention : TokenMixer::sliding_window);
  return model;
}

}  // namespace assay::testing
