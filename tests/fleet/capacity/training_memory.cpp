#include "assay/fleet/capacity/training_memory.hpp"

#include "fleet/capacity/models.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {
constexpr double gibibyte = 1073741824;
}

TEST_CASE("DeepSpeed's own examples: 2851M parameters, 32M in the largest layer, 8 devices") {
  const double n = 2851e6, largest = 32e6;
  CHECK(state_bytes(StatePartitioning::zero3_deepspeed, n, 8, largest) / gibibyte == Approx(6.09).epsilon(1e-3));
  CHECK(state_bytes(StatePartitioning::zero2_documented, n, 8) / gibibyte == Approx(15.93).epsilon(1e-3));
  CHECK(state_bytes(StatePartitioning::zero2_deepspeed, n, 8) / gibibyte == Approx(11.28).epsilon(1e-3));
  Zero3Offload none;
  none.devices_per_node = 8;
  CHECK(zero3_host_bytes(n, largest, none) / gibibyte == Approx(127.45).epsilon(1e-4));
  none.zero_init = true;
  CHECK(zero3_host_bytes(n, largest, none) / gibibyte == Approx(1.43).epsilon(1e-3));
  Zero3Offload all{true, true, true, 8, 1};
  CHECK(zero3_host_bytes(n, largest, all) / gibibyte == Approx(71.69).epsilon(1e-3));
}

TEST_CASE("with one rank nothing is sharded, with more there is less") {
  for (const StatePartitioning sharding : all_state_partitionings) {
    INFO(name_of(sharding));
    CHECK(state_partitioning_named(name_of(sharding)).value() == sharding);
    const double one = state_bytes(sharding, 1e9, 1), many = state_bytes(sharding, 1e9, 64);
    CHECK(one >= 16e9);
    CHECK(one <= 20e9);
    CHECK((many < one) == (sharding != StatePartitioning::replicated && sharding != StatePartitioning::megatron));
  }
  CHECK_THAT(state_partitioning_named("zero4").error().message, contains("nearest"));
  CHECK_THROWS_AS(static_cast<void>(state_bytes(StatePartitioning::zero1, 1, 0)), Misuse);
}

TEST_CASE("Adam in 32 bits: four times the weights") {
  CHECK(4 * 433'249'280.0 / gibibyte == Approx(1.61).epsilon(3e-3));
}

TEST_CASE("activations of GPT-3 with sequence parallelism, as Megatron-LM has them") {
  ActivationPlan plan;
  plan.sequence = 2048, plan.tensor = 8, plan.pipeline = 16, plan.micro_batches = 16;
  CHECK(static_cast<long long>(activation_bytes(gpt_3_175b(), plan)) == 10'318'020'608);
}

TEST_CASE("recomputation and sequence parallelism save what Korthikanti's formulas say") {
  const ModelArchitecture model = gpt_3_175b();
  ActivationPlan plan;
  plan.sequence = 2048, plan.tensor = 8;
  const double sbh = 2048.0 * 12288;
  CHECK(layer_activation_bytes(model, plan) == Approx(sbh * 34 / 8));
  plan.recomputation = Recomputation::none;
  CHECK(layer_activation_bytes(model, plan) == Approx(sbh * (34 + 5.0 * 96 * 2048 / 12288) / 8));
  plan.sequence_parallel = false;
  CHECK(layer_activation_bytes(model, plan) == Approx(sbh * (10 + (24 + 5.0 * 96 * 2048 / 12288) / 8)));
  plan.recomputation = Recomputation::full;
  CHECK(layer_activation_bytes(model, plan) == Approx(2 * sbh));
  plan.sequence = 0;
  CHECK_THROWS_AS(static_cast<void>(layer_activation_bytes(model, plan)), Misuse);
}
