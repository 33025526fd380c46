#include "assay/release/ready_plans.hpp"

#include <string>

#include "assay/release/certification_plan.hpp"
#include "assay/release/certification_policy.hpp"
#include "assay/release/policy_file.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("every ready plan is read, fits its time, and has a stage for each row but those of a person") {
  const auto policy = parse_policy(certification_policy);
  REQUIRE(policy);
  for (const ReadyPlan& ready : ready_plans) {
    INFO(std::string(ready.name));
    const auto plan = parse_plan(ready.text);
    REQUIRE(plan);
    double minutes = 0;
    for (const PlanStage& stage : plan.value().stages) minutes += stage.minutes;
    CHECK(minutes <= 1.5 * plan.value().minutes);  // limits are for the worst case
    const auto counted = policy_for(plan.value(), policy.value());
    REQUIRE(counted);
    for (const Gate& gate : counted.value().gates)
      if (gate.group != "stages" && gate.name != "release/notes") {
        INFO(gate.name);
        CHECK_FALSE(stages_that_answer(plan.value(), gate.name).empty());
      }
  }
}
