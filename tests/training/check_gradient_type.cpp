#include "assay/training/check_gradient_type.hpp"

#include "testing/catch.hpp"
#include "training/in_process.hpp"
#include "training/small_training.hpp"

using namespace assay;

TEST_CASE(
    "gradients summed in bfloat16 deviate by its roundings, within the bound, and those in float32 by next to "
    "nothing") {
  for (const StateSharding sharding : {StateSharding::none, StateSharding::gradients})
    for (const int ranks : {2, 4, 8}) {
      TrainingOptions options = testing::small_training();
      options.gradient_type = ElementType::bfloat16;
      options.sharding = sharding;
      const Outcome outcome = check_gradient_type(testing::trained_in_process(ranks), options);
      INFO(outcome.reason);
      CHECK(outcome.verdict == Verdict::pass);
      CHECK(outcome.measurement("relative_deviation").value() > 5e-4);
      CHECK(outcome.measurement("relative_deviation").value() < 2e-2);
      CHECK(outcome.measurement("relative_deviation_f32").value() < 1e-6);
      CHECK(outcome.measurement("relative_deviation_f32").value() > 1e-9);
      CHECK(outcome.measurement("worst_gradient_ratio").value() > 0.05);
      REQUIRE(outcome.tables.size() == 1);
      CHECK(outcome.tables[0].rows.size() == 4);
    }
}

TEST_CASE("a sum in bfloat16 that loses a rank fails; what is not recorded is no pass") {
  TrainingOptions options = testing::small_training();
  options.gradient_type = ElementType::bfloat16;
  options.fault = TrainingFault::dropped_rank;
  const Outcome outcome = check_gradient_type(testing::trained_in_process(3), options);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.label("named") == "dropped_rank");
  options.fault = TrainingFault::none;
  options.audited_first = options.audited_period = 0;
  CHECK(check_gradient_type(testing::trained_in_process(3), options).verdict == Verdict::inconclusive);
}
