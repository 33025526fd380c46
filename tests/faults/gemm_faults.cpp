#include "assay/faults/gemm_faults.hpp"

#include <set>
#include <string>
#include <vector>

#include "assay/faults/gemm_kernels.hpp"
#include "assay/faults/unseen_faults.hpp"
#include "testing/catch.hpp"
#include "validators/gemm_checks.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// The fills of the suite, those first that show most.
const std::vector<FillKind> fills{FillKind::uniform,   FillKind::exact_integer, FillKind::special,  FillKind::extreme,
                                  FillKind::subnormal, FillKind::log_uniform,   FillKind::near_tie, FillKind::swamping,
                                  FillKind::one_hot,   FillKind::canceling,     FillKind::constant, FillKind::normal};

/// What the outcome must say of a fault.
std::vector<std::string> telling(const std::string& fault) {
  if (fault == "nan_written" || fault == "c_read_for_zero_beta") return {"elements are NaN where a number is due"};
  if (fault == "swallowed_nan") return {"a number where NaN is due"};
  if (fault == "saturated_overflow") return {"finite where an infinity is due"};
  if (fault == "zeros_returned") return {"looks like all zeros"};
  if (fault == "unwritten_output" || fault == "unwritten_tail") return {"were never written"};
  if (fault == "canary_overwritten") return {"canary of C overwritten", "1 behind"};
  if (fault == "input_modified") return {"input A was modified"};
  if (fault == "wrong_batch") return {"the first violation is in batch 1"};
  return {"elements"};
}

GemmProblem problem_for(const std::string& fault, Index k) {
  GemmProblem problem = gemm_of(18, 16, k);
  if (fault == "wrong_batch") problem.batch = 2;
  if (fault == "forgotten_beta" || fault == "rounded_before_beta") problem.beta = 1;
  if (fault == "forgotten_alpha") problem.alpha = 0.75;
  if (fault == "tail_of_terms" || fault == "terms_beyond_the_end") problem.k += 3;
  return problem;
}

template <class Op>
void check_all_faults(Index k) {
  std::set<std::string> caught;
  for (const Fault& fault : gemm_faults()) {
    INFO(fault.name << ' ' << Op::formats() << " K = " << k);
    const GemmProblem problem = problem_for(fault.name, k);
    if (!proof_of_invisibility("gemm", fault.name, Op::formats()).empty()) continue;
    const bool depends_on_k =
        fault.fault_class == FaultClass::missing_work || fault.fault_class == FaultClass::repeated_work;
    if (k != 3000 && !depends_on_k) continue;
    for (FillKind fill : fills) {
      const Outcome outcome = check(faulty<Op>(fault.name), problem, fill);
      REQUIRE(outcome.verdict != Verdict::error);
      if (outcome.verdict != Verdict::fail) continue;
      caught.insert(fault.name);
      for (const std::string& part : telling(fault.name)) CHECK_THAT(said(outcome), contains(part));
      // the same settings without the fault
      INFO(name_of(fill));
      const Outcome control = check(correct<Op>(), problem, fill);
      CHECK(control.verdict == Verdict::pass);
      INFO(said(control));
      break;
    }
    CHECK(caught.count(fault.name) == 1);
  }
}

}  // namespace

TEST_CASE("every fault is caught by name at K of real models, and the same kernel without it passes: bf16") {
  for (Index k : {3000, 6144, 11008, 14336}) check_all_faults<Bf16Gemm>(k);
}
TEST_CASE("every fault is caught by name at K of real models, and the same kernel without it passes: f16") {
  for (Index k : {3000, 6144, 11008, 14336}) check_all_faults<F16Gemm>(k);
}
TEST_CASE("every fault is caught by name at K of real models, and the same kernel without it passes: f32") {
  for (Index k : {3000, 6144, 11008, 14336}) check_all_faults<F32Gemm>(k);
}

TEST_CASE("a fault that is proved invisible is not refuted") {
  const auto expect_pass = [&]<class Op>(const UnseenFaults& entry, const std::string& fault) {
    if (entry.formats != Op::formats()) return;
    INFO(fault << ' ' << entry.formats << ": " << entry.why);
    for (FillKind fill : fills)
      CHECK(check(faulty_gemm_subject<Op>(fault, Host(1)), gemm_of(8, 8, 60), fill).verdict == Verdict::pass);
  };
  for (const UnseenFaults& entry : invisible_faults())
    for (const std::string_view fault : entry.faults) {
      expect_pass.operator()<Bf16Gemm>(entry, std::string(fault));
      expect_pass.operator()<F16Gemm>(entry, std::string(fault));
      expect_pass.operator()<F32Gemm>(entry, std::string(fault));
    }
}

TEST_CASE("one dropped product is found wherever it is, and by uniform data alone") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (Index k : {3000, 14336}) {
      INFO("seed " << seed << " K = " << k);
      CHECK(check(faulty<Bf16Gemm>("dropped_term", seed), gemm_of(32, 32, k), FillKind::uniform, seed).verdict ==
            Verdict::fail);
    }
}

TEST_CASE("faults have names of their own, a class and an effect, and fit the operation") {
  std::set<std::string> names;
  for (const Fault& fault : gemm_faults()) {
    CHECK(names.insert(fault.name).second);
    CHECK(!fault.effect.empty());
    CHECK(fault.fits("gemm"));
    CHECK(!fault.fits("softmax"));
  }
}
