#include "assay/fleet/capacity/fit_model.hpp"

#include "assay/fleet/capacity/weight_count.hpp"
#include "assay/fleet/chips/chip_catalog.hpp"
#include "fleet/capacity/models.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {
Chip chip(const char* name) {
  return ChipCatalog::known().find(name).value();
}
}  // namespace

TEST_CASE("70B in bf16 fits on no H100, on two of them barely, on one MI300X") {
  InferencePlan plan;
  const ModelFit one = fit_model(llama_3_70b(), plan, chip("H100 SXM")).value();
  CHECK(one.free < 0);
  CHECK(one.sequences == 0);
  CHECK(one.longest == 0);
  CHECK(one.weights == 2 * 70'553'706'496.0);
  plan.tensor = 2;
  const ModelFit two = fit_model(llama_3_70b(), plan, chip("H100 SXM")).value();
  CHECK(two.devices == 2);
  CHECK(two.free < 0);  // 72 GB of 80 may be used, and 70.6 + 2 are needed
  plan.memory_share = 0.95;
  CHECK(fit_model(llama_3_70b(), plan, chip("H100 SXM")).value().free > 0);
  plan = {};
  const ModelFit amd = fit_model(llama_3_70b(), plan, chip("MI300X")).value();
  CHECK(amd.free == Approx(192e9 * 0.9 - 2 * 70'553'706'496.0 - 2e9));
  CHECK(amd.sequences == static_cast<Index>(amd.free / (327'680.0 * 8192)));
  CHECK(amd.longest == static_cast<Index>(amd.free / 327'680.0));
  CHECK(amd.assumptions.size() >= 4);
}

TEST_CASE("ranks hold their part: all of them together hold the model, and copies") {
  InferencePlan plan;
  plan.tensor = 8;
  const double eight = 8 * weight_bytes_per_rank(llama_3_70b(), plan), whole = 2 * count_weights(llama_3_70b()).total();
  CHECK(eight >= whole);
  CHECK(eight < whole * 1.001);
  plan.tensor = 16;  // 8 heads of keys and values: copied
  CHECK(16 * weight_bytes_per_rank(llama_3_70b(), plan) > eight * 1.01);
  plan = {};
  plan.tensor = 8;
  plan.experts = 64;
  CHECK(weight_bytes_per_rank(deepseek_r1(), plan) < 2 * count_weights(deepseek_r1()).experts / 64 * 1.5);
}

TEST_CASE("impossible plans and unknown memories are named") {
  InferencePlan plan;
  plan.tensor = 5;
  CHECK_THAT(fit_model(llama_3_70b(), plan, chip("MI300X")).error().message, contains("64 heads"));
  plan = {};
  plan.pipeline = 81;
  CHECK_THAT(fit_model(llama_3_70b(), plan, chip("MI300X")).error().message, contains("81 stages for 80 layers"));
  plan = {};
  plan.experts = 3;
  CHECK_THAT(fit_model(deepseek_r1(), plan, chip("MI300X")).error().message, contains("256 experts"));
  plan = {};
  plan.memory_share = 1.5;
  CHECK_FALSE(check(llama_3_70b(), plan).has_value());
  CHECK(fit_model(llama_3_8b(), {}, chip("T4")).error().kind == ErrorKind::unsupported);
  CHECK_FALSE(fit_model(llama_3_8b(), {}, chip("WSE-3")).value().reliable);
  CHECK(fit_table({fit_model(llama_3_8b(), {}, chip("MI300X")).value()}, 8192).rows.size() == 1);
}
