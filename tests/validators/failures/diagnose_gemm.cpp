#include "assay/validators/failures/diagnose_gemm.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "assay/diagnosis/diagnose.hpp"
#include "assay/faults/emulated_gemm.hpp"
#include "assay/validators/check_gemm.hpp"

using namespace assay;

namespace {

using F32Gemm = Gemm<float32, float32, float32, float32>;

using Bf16Gemm = Gemm<bfloat16, bfloat16, float32, float32>;

template <class Op = F32Gemm>
Outcome checked(const std::string& fault, bool may_rerun, double beta = 0, FillKind fill = FillKind::normal,
                Index k = 200, double alpha = 1) {
  Host host(1);
  GemmProblem problem;
  problem.m = 40;
  problem.n = 36;
  problem.k = k;
  problem.alpha = alpha;
  problem.beta = beta;
  GemmCheckOptions options;
  options.diagnosis = {&diagnose, 2, may_rerun};
  return check_gemm<Op>(host, emulated_gemm_subject<Op>(SummationOrder::sequential, fault, 5, host), problem, fill,
                        options, CaseContext{3, 1});
}

}  // namespace

TEST_CASE("a GEMM that drops or repeats a term is told which") {
  const Index place = static_cast<Index>((std::uint64_t{5} * 0x9E3779B97F4A7C15u >> 20) % 200);
  const Outcome dropped = checked("dropped_term", false);
  REQUIRE(dropped.verdict == Verdict::fail);
  INFO(dropped.diagnosis.front());
  CHECK(dropped.diagnosis.front().find("terms_missing: the terms k = " + std::to_string(place) + " of 200") !=
        std::string::npos);
  const Outcome repeated = checked("repeated_term", false);
  INFO(repeated.diagnosis.front());
  CHECK(repeated.diagnosis.front().find("twice the terms k = " + std::to_string(place) + " of 200") !=
        std::string::npos);
}

TEMPLATE_TEST_CASE("subnormal inputs that are flushed are not named as terms left out, though none is left", "",
                   F32Gemm, Bf16Gemm) {
  for (const Index k : {2, 5, 16, 200})
    for (const double beta : {0.0, 1.0}) {
      const double alpha = beta != 0 ? 0x1p66 : 1;  // so that the product is seen beside C
      const Outcome flushed = checked<TestType>("flushed_subnormals", false, beta, FillKind::subnormal, k, alpha);
      REQUIRE(flushed.verdict == Verdict::fail);
      INFO(k << " terms, beta " << beta << ": " << flushed.diagnosis.front());
      CHECK(flushed.label("fault_class") == "special_value");
      CHECK(flushed.diagnosis.front().find("subnormals_flushed") != std::string::npos);
      CHECK(flushed.diagnosis.front().find("certain") ==
            std::string::npos);  // what reads nothing at all looks the same
      const Outcome dropped = checked<TestType>("dropped_term", false, beta, FillKind::subnormal, k, alpha);
      REQUIRE(dropped.verdict == Verdict::fail);
      INFO(dropped.diagnosis.front());
      CHECK(dropped.diagnosis.front().find("certain: missing_work, terms_missing: the terms k = ") !=
            std::string::npos);
    }
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
