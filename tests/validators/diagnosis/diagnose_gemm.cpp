#include "assay/validators/diagnosis/diagnose_gemm.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "assay/validators/check_gemm.hpp"
#include "assay/validators/diagnosis/diagnose.hpp"
#include "assay/validators/faults/emulated_gemm.hpp"
#include "testing/host_comparison.hpp"

using namespace assay;

namespace {

using F32Gemm = Gemm<float32, float32, float32, float32>;

Outcome checked(const std::string& fault, bool may_rerun, double beta = 0) {
  Host host(1);
  GemmProblem problem;
  problem.m = 40;
  problem.n = 36;
  problem.k = 200;
  problem.beta = beta;
  GemmCheckOptions options;
  options.diagnosis = {&diagnose, 2, may_rerun};
  return check_gemm<F32Gemm>(host, emulated_gemm_subject<F32Gemm>(SummationOrder::sequential, fault, 5, host), problem, FillKind::normal, options, CaseContext{3, 1});
}

}  // namespace

TEST_CASE("a GEMM that drops or repeats a term is told which") {
  const Index place = static_cast<Index>((std::uint64_t{5} * 0x9E3779B97F4A7C15u >> 20) % 200);
  const Outcome dropped = checked("dropped_term", false);
  REQUIRE(dropped.verdict == Verdict::fail);
  INFO(dropped.diagnosis.front());
  CHECK(dropped.diagnosis.front().find("terms_missing: the terms k = " + std::to_string(place) + " of 200") != std::string::npos);
  const Outcome repeated = checked("repeated_term", false);
  INFO(repeated.diagnosis.front());
  CHECK(repeated.diagnosis.front().find("twice the terms k = " + std::to_string(place) + " of 200") != std::string::npos);
}

TEST_CASE("members that a GEMM ignores are named") {
  const Outcome outcome = checked("forgotten_beta", true, 1);
  REQUIRE(outcome.verdict == Verdict::fail);
  INFO(outcome.diagnosis.front());
  CHECK(outcome.diagnosis.front().find("beta_ignored") != std::string::npos);
  CHECK(outcome.label("fault_class") == "missing_work");
}

TEST_CASE("inputs that a GEMM rounds are named") {
  const Outcome outcome = checked("narrow_inputs", false);
  REQUIRE(outcome.verdict == Verdict::fail);
  INFO(outcome.diagnosis.front());
  CHECK(outcome.label("fault_class") == "precision");
}
