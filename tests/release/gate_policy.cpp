#include "assay/release/gate_policy.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("which outcomes a gate takes") {
  Outcome outcome;
  outcome.id = "gemm/openblas/f32/64x64x64/normal";
  outcome.labels = {{"operation", "gemm"}, {"device", "H100"}};
  CHECK(GateSelection().takes(outcome));
  CHECK(GateSelection{{"softmax/*", "gemm/*"}, {}, {}}.takes(outcome));
  CHECK_FALSE(GateSelection{{"softmax/*"}, {}, {}}.takes(outcome));
  CHECK_FALSE(GateSelection{{"gemm/*"}, {"*/normal"}, {}}.takes(outcome));
  CHECK_FALSE(GateSelection{{}, {"gemm/*"}, {}}.takes(outcome));
  CHECK(GateSelection{{}, {}, {{"operation", {"conv", "gemm"}}, {"device", {"H*"}}}}.takes(outcome));
  CHECK_FALSE(GateSelection{{}, {}, {{"operation", {"gemm"}}, {"device", {"MI300X"}}}}.takes(outcome));
  CHECK_FALSE(GateSelection{{}, {}, {{"driver", {"*"}}}}.takes(outcome));  // a label that is not there is not "*"
}

TEST_CASE("no treatment makes a pass, and errors are never ignored") {
  GateTreatments treatments;
  CHECK(treatments.of(Verdict::error) == GateTreatment::bad);
  CHECK(treatments.of(Verdict::skipped) == GateTreatment::undecided);
  CHECK(treatments.of(Verdict::inconclusive) == GateTreatment::undecided);
  CHECK(treatments.of(Verdict::new_baseline) == GateTreatment::undecided);
  CHECK(treatments.of(Verdict::unsupported) == GateTreatment::ignored);
  treatments.error = GateTreatment::ignored;
  CHECK(treatments.of(Verdict::error) == GateTreatment::bad);
}
