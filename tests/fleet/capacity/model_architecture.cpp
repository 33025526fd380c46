#include "assay/fleet/capacity/model_architecture.hpp"

#include "fleet/capacity/models.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("models that exist are sound") {
  for (const ModelArchitecture& model : {llama_3_8b(), llama_3_70b(), gpt_3_175b(), gpt_oss_120b(), deepseek_r1(),
                                         qwen3_235b(), hybrid_27b(), gemma_3_270m()}) {
    INFO(model.name);
    CHECK(check(model).has_value());
  }
  CHECK(gemma_3_270m().layers_with(TokenMixer::full_attention) == 3);
  CHECK(llama_3_8b().layers_with(TokenMixer::full_attention) == 32);
}

TEST_CASE("what cannot be is named") {
  const auto refusal = [](auto change) {
    ModelArchitecture model = llama_3_8b();
    change(model);
    const auto checked = check(model);
    return checked ? std::string() : checked.error().message;
  };
  CHECK_THAT(refusal([](auto& m) { m.kv_heads = 5; }), contains("32 heads of queries are no multiple of 5"));
  CHECK_THAT(refusal([](auto& m) { m.layers = 0; }), contains("layers is 0"));
  CHECK_THAT(refusal([](auto& m) { m.hidden = -1; }), contains("hidden is -1"));
  CHECK_THAT(refusal([](auto& m) { m.vocabulary = Index{1} << 60; }), contains("vocabulary"));
  CHECK_THAT(refusal([](auto& m) { m.experts = 8; }), contains("experts_per_token is 0"));
  CHECK_THAT(refusal([](auto& m) { m.intermediate = 0; }), contains("intermediate"));
  CHECK_THAT(refusal([](auto& m) { m.mixers.resize(3); }), contains("3 kinds of layers for 32"));
  CHECK_THAT(refusal([](auto& m) { m.mixers.assign(32, TokenMixer::sliding_window); }), contains("window is missing"));
  CHECK_THAT(refusal([](auto& m) { m.mixers.assign(32, TokenMixer::recurrent); }), contains("state"));
}
