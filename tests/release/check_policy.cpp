#include "assay/release/check_policy.hpp"

#include "release/sample_gate.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

GatePolicy sound() {
  GatePolicy policy = policy_of({gate_of("no fail", "kernels"), gate_of("no fail", "models")});
  policy.waivers = {waiver_of({"gemm/*"})};
  policy.quarantine = {quarantine_of({"conv/*"})};
  return policy;
}

template <class Change>
std::string refusal(Change change) {
  GatePolicy policy = sound();
  change(policy);
  const auto checked = check(policy);
  REQUIRE_FALSE(checked);
  CHECK(checked.error().kind == ErrorKind::invalid);
  CHECK_FALSE(judge_release(policy, {}, release_day));
  return checked.error().message;
}

}  // namespace

TEST_CASE("a sound policy") {
  CHECK(check(sound()));
}

TEST_CASE("gates that cannot be meant") {
  CHECK_THAT(refusal([](GatePolicy& policy) { policy.gates.clear(); }), contains("no hard gate"));
  CHECK_THAT(refusal([](GatePolicy& policy) { policy.gates[0].hard = policy.gates[1].hard = false; }),
             contains("no hard gate"));
  CHECK_THAT(refusal([](GatePolicy& policy) { policy.gates[1].name = "kernels"; }),
             contains("'kernels' is given twice"));
  CHECK_THAT(refusal([](GatePolicy& policy) { policy.gates[1].name = " "; }), contains("no name"));
  CHECK_THAT(refusal([](GatePolicy& policy) { policy.gates[1].minimum = 0; }),
             contains("'models'") && contains("minimum is 0"));
  CHECK_THAT(refusal([](GatePolicy& policy) { policy.gates[1].treatments.error = GateTreatment::ignored; }),
             contains("error cannot be ignored"));
  CHECK_THAT(refusal([](GatePolicy& policy) { policy.gates[1].cover["device"] = {}; }), contains("'device'"));
}

TEST_CASE("waivers that nobody answers for, or that waive everything") {
  CHECK_THAT(refusal([](GatePolicy& policy) { policy.waivers[0].owner = ""; }),
             contains("waiver 1") && contains("no owner"));
  CHECK_THAT(refusal([](GatePolicy& policy) { policy.waivers[0].reason = "  "; }), contains("no reason"));
  CHECK_THAT(refusal([](GatePolicy& policy) { policy.waivers[0].expires = CalendarDate(); }), contains("no date"));
  CHECK_THAT(refusal([](GatePolicy& policy) { policy.waivers[0].ids = {}; }), contains("neither ids nor gates"));
  CHECK_THAT(refusal([](GatePolicy& policy) { policy.waivers[0].ids = {"**"}; }), contains("waives everything"));
  CHECK_THAT(refusal([](GatePolicy& policy) { policy.waivers[0].ids = {}, policy.waivers[0].gates = {"*"}; }),
             contains("every gate"));
  CHECK_THAT(refusal([](GatePolicy& policy) { policy.waivers[0].ids = {""}; }), contains("empty"));
  CHECK_THAT(refusal([](GatePolicy& policy) { policy.waivers[0].gates = {"kernel"}; }),
             contains("unknown gate 'kernel'; nearest: kernels"));
  CHECK_THAT(refusal([](GatePolicy& policy) { policy.waivers[0].missing_results = true; }),
             contains("missing results have no ids"));
}

TEST_CASE("a quarantine of everything, or of what always fails") {
  CHECK_THAT(refusal([](GatePolicy& policy) { policy.quarantine[0].ids = {"*"}; }), contains("not all"));
  CHECK_THAT(refusal([](GatePolicy& policy) { policy.quarantine[0].ids = {}; }), contains("not all"));
  CHECK_THAT(refusal([](GatePolicy& policy) { policy.quarantine[0].maximum_failure_rate = 1; }),
             contains("always fails"));
  CHECK_THAT(refusal([](GatePolicy& policy) { policy.quarantine[0].maximum_failure_rate = 0; }),
             contains("between 0 and 1"));
  CHECK_THAT(refusal([](GatePolicy& policy) { policy.quarantine[0].maximum_failure_rate = std::nan(""); }),
             contains("between 0 and 1"));
  CHECK_THAT(refusal([](GatePolicy& policy) { policy.quarantine[0].owner.clear(); }),
             contains("entry 1 of the quarantine") && contains("no owner"));
}
