#include "assay/release/certification_policy.hpp"

#include "assay/release/check_policy.hpp"
#include "assay/release/gate.hpp"
#include "assay/release/policy_file.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("the checklist is a sound policy of which nothing is green without results") {
  const auto policy = parse_policy(certification_policy);
  REQUIRE(policy);
  CHECK(check(policy.value()));
  CHECK(policy.value().gates.size() >= 25);
  for (const Gate& gate : policy.value().gates) {
    CHECK_FALSE(gate.why.empty());
    CHECK_FALSE(gate.remedy.empty());
  }
  const auto report = judge_release(policy.value(), {});
  REQUIRE(report);
  CHECK(report.value().exit_code() == 2);
}
