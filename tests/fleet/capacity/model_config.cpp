#include "assay/fleet/capacity/model_config.hpp"

#include "assay/fleet/capacity/kv_cache.hpp"
#include "assay/fleet/capacity/weight_count.hpp"
#include "assay/report/write_file.hpp"
#include "testing/catch.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

double weights(const std::string& json) {
  const auto config = parse_model_config(json);
  INFO(json << (config ? "" : config.error().message));
  REQUIRE(config.has_value());
  return count_weights(config.value().model).total();
}

const std::string llama = R"({"model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096,
  "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256,
  "torch_dtype": "bfloat16", "tie_word_embeddings": false})";

std::string refusal(const std::string& json) {
  const auto config = parse_model_config(json);
  REQUIRE_FALSE(config.has_value());
  return config.error().message;
}

std::string without(std::string json, const std::string& member, const std::string& instead = "") {
  const auto at = json.find(member);
  REQUIRE(at != std::string::npos);
  return json.replace(at, json.find(',', at) + 1 - at, instead);
}

}  // namespace

TEST_CASE("configurations of families whose sizes were published") {
  CHECK(weights(llama) == 8'030'261'248);
  CHECK(weights(R"({"model_type": "mistral", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32,
    "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 32000, "sliding_window": 4096})") ==
        7'241'732'096);
  CHECK(weights(R"({"model_type": "mixtral", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32,
    "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 32000, "num_local_experts": 8,
    "num_experts_per_tok": 2, "sliding_window": null})") == 46'702'792'704);
  CHECK(weights(R"({"model_type": "qwen2", "num_hidden_layers": 24, "hidden_size": 896, "num_attention_heads": 14,
    "num_key_value_heads": 2, "intermediate_size": 4864, "vocab_size": 151936, "tie_word_embeddings": true,
    "sliding_window": 32768, "use_sliding_window": false})") == 494'032'768);
  CHECK(weights(R"({"model_type": "qwen3", "num_hidden_layers": 28, "hidden_size": 1024, "num_attention_heads": 16,
    "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 3072, "vocab_size": 151936,
    "tie_word_embeddings": true})") == 596'049'920);
  CHECK(weights(R"({"model_type": "gpt2", "n_layer": 12, "n_embd": 768, "n_head": 12, "n_positions": 1024,
    "vocab_size": 50257})") == 124'439'808);
  // With two buffers of 512 positions in 64 bits each, the 433,249,280 bytes that accelerate tells of it.
  CHECK(weights(R"({"model_type": "bert", "num_hidden_layers": 12, "hidden_size": 768, "num_attention_heads": 12,
    "intermediate_size": 3072, "vocab_size": 28996, "max_position_embeddings": 512, "type_vocab_size": 2})") *
                4 +
            2 * 512 * 8 ==
        433'249'280);
}

TEST_CASE("layers that slide, recur or attend are told apart") {
  const auto gpt_oss = parse_model_config(R"({"model_type": "gpt_oss", "num_hidden_layers": 36, "hidden_size": 2880,
    "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64, "intermediate_size": 2880, "vocab_size": 201088,
    "num_local_experts": 128, "num_experts_per_tok": 4, "sliding_window": 128, "attention_bias": true,
    "tie_word_embeddings": false, "quantization_config": {"quant_method": "mxfp4"}})");
  REQUIRE(gpt_oss.has_value());
  CHECK(count_weights(gpt_oss.value().model).total() == 116'829'156'672);
  CHECK(gpt_oss.value().model.layers_with(TokenMixer::sliding_window) == 18);
  CHECK(gpt_oss.value().stored == "mxfp4");
  CHECK(gpt_oss.value().notes.size() == 1);
  const auto hybrid = parse_model_config(R"({"model_type": "qwen3_next", "num_hidden_layers": 48, "hidden_size": 2048,
    "num_attention_heads": 16, "num_key_value_heads": 2, "head_dim": 256, "intermediate_size": 5120,
    "vocab_size": 151936, "num_experts": 512, "num_experts_per_tok": 10, "moe_intermediate_size": 512,
    "shared_expert_intermediate_size": 512, "linear_num_key_heads": 16, "linear_num_value_heads": 32,
    "linear_key_head_dim": 128, "linear_value_head_dim": 128, "linear_conv_kernel_dim": 4})");
  REQUIRE(hybrid.has_value());
  CHECK(hybrid.value().model.layers_with(TokenMixer::recurrent) == 36);
  CHECK(count_weights(hybrid.value().model).total() == testing::Approx(79.67e9).epsilon(1e-3));
  CHECK(kv_bytes_per_token(hybrid.value().model) == 12 * 2 * 2 * 256 * 2);
}

TEST_CASE("latent attention, and a language model inside of a larger one") {
  const std::string deepseek = R"({"model_type": "deepseek_v3", "num_hidden_layers": 61, "hidden_size": 7168,
    "num_attention_heads": 128, "num_key_value_heads": 128, "intermediate_size": 18432, "vocab_size": 129280,
    "n_routed_experts": 256, "num_experts_per_tok": 8, "moe_intermediate_size": 2048, "n_shared_experts": 1,
    "first_k_dense_replace": 3, "kv_lora_rank": 512, "q_lora_rank": 1536, "qk_rope_head_dim": 64,
    "qk_nope_head_dim": 128, "v_head_dim": 128, "num_nextn_predict_layers": 1})";
  CHECK(weights(deepseek) == 671'026'419'200);
  CHECK(kv_bytes_per_token(parse_model_config(deepseek).value().model) == 70'272);
  CHECK(parse_model_config(deepseek).value().notes.size() == 1);
  const auto nested = parse_model_config("{\"model_type\": \"llava\", \"text_config\": " + llama + "}");
  REQUIRE(nested.has_value());
  CHECK(nested.value().notes.size() == 1);
  CHECK(nested.value().stored == "bf16");
}

TEST_CASE("what is missing or strange is named, and nothing is guessed") {
  CHECK_THAT(refusal("[]"), contains("no config.json"));
  CHECK_THAT(refusal("{"), contains("no config.json"));
  CHECK_THAT(refusal(R"({"model_type": "lama"})"), contains("unknown model_type 'lama'; nearest: llama"));
  CHECK_THAT(refusal(R"({})"), contains("unknown model_type ''"));
  CHECK_THAT(refusal(without(llama, "\"vocab_size\"")), contains("\"vocab_size\" is missing"));
  CHECK_THAT(refusal(without(llama, "\"vocab_size\"", "\"vocab_size\": -5,")), contains("expected a whole number"));
  CHECK_THAT(refusal(without(llama, "\"vocab_size\"", "\"vocab_size\": 1e30,")), contains("expected a whole number"));
  CHECK_THAT(refusal(without(llama, "\"num_attention_heads\"", "\"num_attention_heads\": 30,")),
             contains("no multiple of 30 heads"));
  CHECK_THAT(refusal(without(llama, "\"num_attention_heads\"", "\"num_attention_heads\": 0,")), contains("heads is 0"));
  CHECK_THAT(refusal(without(llama, "\"num_key_value_heads\"", "\"num_key_value_heads\": 5,")),
             contains("no multiple of 5"));
  CHECK(parse_model_config(without(llama, "\"llama\"", "\"mine\","), "llama").has_value());
}

TEST_CASE("from a folder as it is downloaded") {
  const testing::TemporaryFolder folder;
  REQUIRE(write_file(folder.path / "config.json", llama).has_value());
  CHECK(read_model_config(folder.path).value().model.name == folder.path.filename().string());
  CHECK(read_model_config(folder.path / "config.json").has_value());
  CHECK_THAT(read_model_config(folder.path / "none").error().message, contains("none"));
}
