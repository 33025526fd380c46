#include "assay/fleet/capacity/weight_count.hpp"

#include "fleet/capacity/models.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("parameters as they were published, to the last one") {
  CHECK(count_weights(llama_3_8b()).total() == 8'030'261'248);
  CHECK(count_weights(llama_3_70b()).total() == 70'553'706'496);
  CHECK(count_weights(gpt_oss_120b()).total() == 116'829'156'672);
  CHECK(count_weights(deepseek_r1()).total() == 671'026'419'200);
  CHECK(count_weights(qwen3_235b()).total() == 235'093'634'560);
  CHECK(count_weights(gemma_3_270m()).total() == 268'098'176);
}

TEST_CASE("a token passes few of many experts") {
  CHECK(count_weights(deepseek_r1()).active == Approx(37.5e9).epsilon(0.02));
  CHECK(count_weights(qwen3_235b()).active == Approx(22e9).epsilon(0.02));
  CHECK(count_weights(llama_3_8b()).active == count_weights(llama_3_8b()).total());
}

TEST_CASE("Megatron's count of the most loaded rank") {
  CHECK(megatron_parameters_per_rank(gpt_3_175b(), 8, 16) * 18 == 25'882'094'592);
  CHECK(static_cast<long long>(megatron_parameters_per_rank(gpt_3_175b(), 8, 16) * (6 + 12.0 / 8)) == 10'784'206'080);
  CHECK(static_cast<long long>(megatron_parameters_per_rank(llama_3_8b(), 1, 1) * (6 + 12.0 / 8)) == 60'226'959'360);
  CHECK(static_cast<long long>(megatron_parameters_per_rank(llama_3_70b(), 8, 4) * (6 + 12.0 / 4)) == 20'436'830'208);
}
