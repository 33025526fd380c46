#include "assay/validators/gemm_subject.hpp"

#include "testing/catch.hpp"
#include "validators/gemm_checks.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

struct Accelerator : Host {
  using Host::Host;
  std::string_view name() const noexcept { return "accelerator"; }
};

}  // namespace

template <>
struct assay::kernel<Accelerator, F32Gemm> {
  static Result<void> run(Accelerator& backend, Host::Stream& stream, const GemmProblem& problem,
                          const F32Gemm::Arguments& arguments) {
    return portable_gemm<F32Gemm>(backend, stream, problem, arguments);
  }
  static AccumulationModel accumulation(const GemmProblem&) {
    AccumulationModel model = accumulation_in<float32>();
    model.block = 4;
    return model;
  }
};

TEST_CASE("the trait's kernel becomes a subject, with the arithmetic that it declares") {
  const auto subject = gemm_subject<F32Gemm>(Accelerator(1));
  CHECK(subject.name == "accelerator");
  CHECK(subject.accumulation(gemm_of(1, 1, 1)).block == 4);
  CHECK(check(subject, gemm_of(9, 8, 7), FillKind::normal).verdict == Verdict::pass);
}

TEST_CASE("a backend without a kernel is unsupported") {
  const Outcome outcome = check(gemm_subject<Bf16Gemm>(Accelerator(1)), gemm_of(9, 8, 7), FillKind::normal);
  CHECK(outcome.verdict == Verdict::unsupported);
  CHECK_THAT(outcome.reason, contains("accelerator has no kernel for gemm"));
}

TEST_CASE("the portable kernel is a subject on any parallel backend, with the operation's accumulator") {
  const auto subject = portable_gemm_subject<F16Gemm>(Host(2));
  CHECK(subject.name == "host");
  CHECK(subject.accumulation(gemm_of(1, 1, 1)).precision == 24);
  for (FillKind fill : all_fill_kinds) CHECK(check(subject, gemm_of(9, 8, 70), fill).verdict == Verdict::pass);
}
