#pragma once

#include "assay/fleet/capacity/model_config.hpp"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

namespace detail {

/// Members of a configuration by name, the first refusal kept.
class ConfigMembers {
 public:
  explicit ConfigMembers(const nlohmann::json& json) : json_(json) {}

  std::string refusal;

  [[nodiscard]] bool has(const char* name) const { return json_.contains(name) && !json_[name].is_null(); }
  [[nodiscard]] const nlohmann::json& operator[](const char* name) const { return json_[name]; }

  /// A whole number of 0 or more. Without `otherwise` it must be there.
  Index whole(const char* name, std::optional<Index> otherwise = std::nullopt) {
    if (!has(name)) {
      if (!otherwise) refuse(std::string("\"") + name + "\" is missing");
      return otherwise.value_or(0);
    }
    const nlohmann::json& value = json_[name];
    if (value.is_number_unsigned() && value.get<std::uint64_t>() <= (std::uint64_t{1} << 40)) return value.get<Index>();
    refuse(std::string("\"") + name + "\" is " + clipped(visible(value.dump()), 40) + "; expected a whole number");
    return 0;
  }
  bool flag(const char* name, bool otherwise) {
    if (!has(name)) return otherwise;
    if (json_[name].is_boolean()) return json_[name].get<bool>();
    refuse(std::string("\"") + name + "\" is neither true nor false");
    return otherwise;
  }
  std::string text(const char* name) const {
    return has(name) && json_[name].is_string() ? json_[name].get<std::string>() : std::string();
  }
  void refuse(const std::string& what) {
    if (refusal.empty()) refusal = what;
  }

 private:
  const nlohmann::json& json_;
};

[[nodiscard]] inline bool is_one_of(const std::string& text, std::initializer_list<const char*> list) {
  return std::any_of(list.begin(), list.end(), [&](const char* one) { return text == one; });
}

/// What decoders of the Llama kind have in common.
ASSAY_DETAIL_HEADER_INLINE void read_decoder(ConfigMembers& members, const std::string& type,
                                             ModelArchitecture& model) {
  model.layers = members.whole("num_hidden_layers");
  model.hidden = members.whole("hidden_size");
  model.heads = members.whole("num_attention_heads");
  model.kv_heads = members.whole("num_key_value_heads", model.heads);
  if (!members.has("head_dim") && model.heads > 0 && model.hidden % model.heads != 0)
    members.refuse("hidden_size " + std::to_string(model.hidden) + " is no multiple of " + std::to_string(model.heads) +
                   " heads, and there is no \"head_dim\"");
  model.head_size = members.whole("head_dim", model.heads > 0 ? model.hidden / model.heads : 0);
  model.vocabulary = members.whole("vocab_size");
  model.tied = members.flag("tie_word_embeddings", is_one_of(type, {"gemma", "gemma2", "gemma3_text"}));
  const bool qwen2 = is_one_of(type, {"qwen2", "qwen2_moe"}), bias = members.flag("attention_bias", type == "gpt_oss");
  model.qkv_bias = bias || qwen2;
  model.output_bias = bias && !qwen2;
  model.feed_forward_bias = members.flag("mlp_bias", false);
  model.qk_norm = is_one_of(type, {"qwen3", "qwen3_moe", "qwen3_next", "gemma3_text"});
  model.norms = is_one_of(type, {"gemma2", "gemma3_text"}) ? 4 : 2;
}

ASSAY_DETAIL_HEADER_INLINE void read_experts(ConfigMembers& members, const std::string& type,
                                             ModelArchitecture& model) {
  if (type == "mixtral" || type == "gpt_oss") {
    model.experts = members.whole("num_local_experts");
    model.experts_per_token = members.whole("num_experts_per_tok");
    model.expert_intermediate = members.whole("intermediate_size");
    model.router_bias = model.expert_bias = type == "gpt_oss";
  } else if (is_one_of(type, {"qwen2_moe", "qwen3_moe", "qwen3_next"})) {
    model.experts = members.whole("num_experts");
    model.experts_per_token = members.whole("num_experts_per_tok");
    model.expert_intermediate = members.whole("moe_intermediate_size");
    model.intermediate = members.whole("intermediate_size", 0);
    if (type != "qwen3_moe") {
      model.shared_intermediate = members.whole("shared_expert_intermediate_size", 0);
      model.shared_gate = model.shared_intermediate > 0;
    }
    if (members.whole("decoder_sparse_step", 1) != 1)
      members.refuse("\"decoder_sparse_step\" is not 1: which layers are dense is not known here");
    if (members.has("mlp_only_layers")) model.dense_layers = static_cast<Index>(members["mlp_only_layers"].size());
  } else if (is_one_of(type, {"deepseek_v2", "deepseek_v3"})) {
    model.intermediate = members.whole("intermediate_size");
    model.experts = members.whole("n_routed_experts", 0);
    if (model.experts > 0) {
      model.experts_per_token = members.whole("num_experts_per_tok");
      model.expert_intermediate = members.whole("moe_intermediate_size");
      model.shared_intermediate = members.whole("n_shared_experts", 0) * model.expert_intermediate;
      model.dense_layers = members.whole("first_k_dense_replace", 0);
      model.router_bias = type == "deepseek_v3";
    }
  } else {
    model.intermediate = members.whole("intermediate_size");
  }
}

ASSAY_DETAIL_HEADER_INLINE void read_mixers(ConfigMembers& members, const std::string& type, ModelArchitecture& model) {
  if (members.has("layer_types") && members["layer_types"].is_array()) {
    for (const nlohmann::json& one : members["layer_types"]) {
      const std::string kind = one.is_string() ? one.get<std::string>() : std::string();
      if (kind == "full_attention")
        model.mixers.push_back(TokenMixer::full_attention);
      else if (kind == "sliding_attention")
        model.mixers.push_back(TokenMixer::sliding_window);
      else if (kind == "linear_attention")
        model.mixers.push_back(TokenMixer::recurrent);
      else
        members.refuse(
            unknown_name("kind of layer", kind, {"full_attention", "sliding_attention", "linear_attention"}));
    }
  } else if (model.layers > 0 && model.layers <= 100'000) {
    const auto every = [&](Index period, TokenMixer others) {
      for (Index layer = 0; layer < model.layers; ++layer)
        model.mixers.push_back((layer + 1) % period == 0 ? TokenMixer::full_attention : others);
    };
    const Index pattern = members.whole("sliding_window_pattern", type == "gemma2" ? 2 : 6);
    if (type == "gemma2" || type == "gemma3_text") every(std::max<Index>(1, pattern), TokenMixer::sliding_window);
    if (type == "gpt_oss")
      for (Index layer = 0; layer < model.layers; ++layer)
        model.mixers.push_back(layer % 2 == 0 ? TokenMixer::sliding_window : TokenMixer::full_attention);
    if (type == "qwen3_next")
      every(std::max<Index>(1, members.whole("full_attention_interval", 4)), TokenMixer::recurrent);
    if (type == "mistral" && members.has("sliding_window"))
      model.mixers.assign(static_cast<std::size_t>(model.layers), TokenMixer::sliding_window);
  }
  if (model.layers_with(TokenMixer::sliding_window) > 0) model.window = members.whole("sliding_window");
  if (model.layers_with(TokenMixer::recurrent) > 0) {
    model.recurrent_key_heads = members.whole("linear_num_key_heads");
    model.recurrent_value_heads = members.whole("linear_num_value_heads");
    model.recurrent_key_size = members.whole("linear_key_head_dim");
    model.recurrent_value_size = members.whole("linear_value_head_dim");
    model.recurrent_kernel = members.whole("linear_conv_kernel_dim", 4);
  }
}

ASSAY_DETAIL_HEADER_INLINE void read_older(ConfigMembers& members, const std::string& type, ModelArchitecture& model) {
  const bool gpt = type == "gpt2";
  model.layers = members.whole(gpt ? "n_layer" : "num_hidden_layers");
  model.hidden = members.whole(gpt ? "n_embd" : "hidden_size");
  model.heads = model.kv_heads = members.whole(gpt ? "n_head" : "num_attention_heads");
  if (model.heads > 0 && model.hidden % model.heads != 0)
    members.refuse("width " + std::to_string(model.hidden) + " is no multiple of " + std::to_string(model.heads) +
                   " heads");
  model.head_size = model.heads > 0 ? model.hidden / model.heads : 0;
  model.intermediate = gpt ? members.whole("n_inner", 4 * model.hidden) : members.whole("intermediate_size");
  model.vocabulary = members.whole("vocab_size");
  model.positions = members.whole(gpt ? "n_positions" : "max_position_embeddings");
  model.gated = false;
  model.qkv_bias = model.output_bias = model.feed_forward_bias = model.tied = true;
  model.norm_parameters = 2;
  if (!gpt) {
    model.token_types = members.whole("type_vocab_size", 2);
    model.embedding_norm = model.pooler = true;
    model.final_norm = false;
  }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> known_model_types() {
  return {"bert",  "deepseek_v2", "deepseek_v3", "gemma", "gemma2",    "gemma3_text", "gpt2",      "gpt_oss",
          "llama", "mistral",     "mixtral",     "qwen2", "qwen2_moe", "qwen3",       "qwen3_moe", "qwen3_next"};
}

ASSAY_DETAIL_HEADER_INLINE Result<ModelConfig> parse_model_config(std::string_view text, const std::string& as) {
  const auto json = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
  if (!json.is_object())
    return failure(ErrorKind::malformed, "this is no config.json: expected a JSON object, as transformers writes it");
  ModelConfig config;
  const bool nested = json.contains("text_config") && json["text_config"].is_object();
  const nlohmann::json& described = nested ? json["text_config"] : json;
  if (nested) config.notes.push_back("the language model alone is counted, not what \"text_config\" stands beside");
  detail::ConfigMembers members(described);
  config.model_type = members.text("model_type");
  if (config.model_type == "gemma3") config.model_type = "gemma3_text";
  const std::string type = as.empty() ? config.model_type : as;
  const std::vector<std::string> known = known_model_types();
  if (std::find(known.begin(), known.end(), type) == known.end())
    return failure(ErrorKind::not_found, unknown_name("model_type", type, known) +
                                             "; another family with the same layers can be named to read it by");
  ModelArchitecture& model = config.model;
  model.name = json.value("_name_or_path", std::string());
  if (type == "bert" || type == "gpt2") {
    detail::read_older(members, type, model);
  } else {
    detail::read_decoder(members, type, model);
    detail::read_experts(members, type, model);
    detail::read_mixers(members, type, model);
    if (detail::is_one_of(type, {"deepseek_v2", "deepseek_v3"})) {
      model.latent = members.whole("kv_lora_rank");
      model.query_latent = members.whole("q_lora_rank", 0);
      model.rotary = members.whole("qk_rope_head_dim");
      model.head_size = members.whole("qk_nope_head_dim") + model.rotary;
      model.value_head_size = members.whole("v_head_dim");
      model.kv_heads = model.heads;
      if (members.whole("num_nextn_predict_layers", 0) > 0)
        config.notes.push_back("layers that predict further tokens are not counted");
    }
    model.attention_sinks = type == "gpt_oss";
    model.gated_attention = type == "qwen3_next";
  }
  for (const char* name : {"torch_dtype", "dtype"}) {
    std::string dtype = members.text(name);
    if (dtype.empty()) dtype = json.contains(name) && json[name].is_string() ? json[name].get<std::string>() : "";
    if (dtype == "bfloat16") config.stored = "bf16";
    if (dtype == "float16") config.stored = "f16";
    if (dtype == "float32") config.stored = "f32";
  }
  if (json.contains("quantization_config") && json["quantization_config"].is_object()) {
    const nlohmann::json& method = json["quantization_config"];
    config.stored = method.contains("quant_method") && method["quant_method"].is_string()
                        ? method["quant_method"].get<std::string>()
                        : "quantized";
    config.notes.push_back("weights are quantized (" + visible(config.stored) +
                           "): which of them, and with which scales, the file does not say exactly");
  }
  if (!members.refusal.empty()) return failure(ErrorKind::malformed, members.refusal);
  if (const auto sound = check(model); !sound) return sound.propagate();
  return config;
}

ASSAY_DETAIL_HEADER_INLINE Result<ModelConfig> read_model_config(const std::filesystem::path& path,
                                                                 const std::string& as) {
  std::error_code code;
  const bool folder = std::filesystem::is_directory(path, code);
  const std::filesystem::path file = folder ? path / "config.json" : path;
  const auto text = read_file(file, "a config.json, or the folder that holds one");
  if (!text) return text.propagate();
  auto config = parse_model_config(text.value(), as);
  if (!config) return failure(config.error().kind, "'" + file.string() + "': " + config.error().message);
  if (config.value().model.name.empty())
    config.value().model.name = (folder ? std::filesystem::weakly_canonical(path, code) : file).filename().string();
  return config;
}

}  // namespace assay::inline v0
