// Matrix products, checked on a device in all three ways.
#include "assay/suite/seed.hpp"
#include "assay/validators/check_gemm.hpp"
#include "assay/validators/check_gemm_residual.hpp"
#include "assay/validators/check_gemm_sampled.hpp"
#include "assay/validators/gemm_shapes.hpp"
#include "devices/device_under_test.hpp"

using namespace assay;
using testing::device_under_test, testing::DeviceUnderTest;

namespace {

enum class Check { full, residual, sampled };

template <class Op>
Outcome check_by(Check check, DeviceUnderTest& device, const GemmSubject<Op>& subject, const GemmProblem& problem,
                 FillKind fill, const CaseContext& context) {
  switch (check) {
    case Check::full: return check_gemm<Op>(device, subject, problem, fill, {}, context);
    case Check::residual: return check_gemm_residual<Op>(device, subject, problem, fill, {}, context);
    default: return check_gemm_sampled<Op>(device, subject, problem, fill, {}, context);
  }
}

/// Drops the last product of every sum.
template <class Op>
GemmSubject<Op> short_by_one(DeviceUnderTest device) {
  return assay::detail::launched_subject<GemmSubject<Op>>(
      std::move(device),
      [](DeviceUnderTest& own, DeviceUnderTest::Stream& stream, GemmProblem problem,
         typename Op::Arguments arguments) -> Result<void> {
        problem.k -= 1;
        arguments.a.extents[2] -= 1;
        arguments.b.extents[1] -= 1;
        return portable_gemm<Op>(own, stream, problem, arguments);
      });
}

template <class Op>
void require_checked() {
  DeviceUnderTest& device = device_under_test();
  const GemmSubject<Op> right = portable_gemm_subject<Op>(device);
  GemmSubject<Op> idle = right;
  idle.run = [](const auto&, const auto&) -> Result<void> { return {}; };
  const GemmSubject<Op> faulty = short_by_one<Op>(device);
  for (const Check check : {Check::full, Check::residual, Check::sampled}) {
    std::size_t passed = 0, caught = 0, problems = 0;
    for (const GemmShape& shape : default_gemm_shapes()) {
      constexpr Index most_products = Index{1} << 20;  // the emulated twin computes them one by one
      if (shape.large || shape.problem.m * shape.problem.n * shape.problem.k > most_products) continue;
      const FillKind fill = problems % 3 == 0   ? FillKind::normal
                            : problems % 3 == 1 ? FillKind::uniform
                                                : FillKind::canceling;
      const CaseContext context{case_seed(1, name_of(shape.problem)), 2};
      INFO(Op::formats() << " " << name_of(shape.problem) << " " << name_of(fill) << ", check "
                         << static_cast<int>(check));
      const Outcome outcome = check_by<Op>(check, device, right, shape.problem, fill, context);
      INFO(outcome.reason);
      CHECK(outcome.verdict != Verdict::fail);
      CHECK(outcome.verdict != Verdict::error);
      CHECK(outcome.verdict != Verdict::unsupported);
      passed += outcome.verdict == Verdict::pass;
      const bool empty = shape.problem.batch * shape.problem.m * shape.problem.n == 0;
      if (!empty && shape.problem.beta == 0)
        CHECK(check_by<Op>(check, device, idle, shape.problem, fill, context).verdict == Verdict::fail);
      if (!empty && shape.problem.k > 1 && shape.problem.alpha != 0)
        caught +=
            check_by<Op>(check, device, faulty, shape.problem, FillKind::normal, context).verdict == Verdict::fail;
      ++problems;
    }
    CHECK(2 * passed > problems);
    CHECK(caught > 0);
  }
}

}  // namespace

TEST_CASE("gemm in bf16 is checked on a device", "[gemm]") {
  require_checked<Gemm<bfloat16, bfloat16, float32, bfloat16>>();
}
TEST_CASE("gemm in f64 is checked on a device", "[gemm]") {
  require_checked<Gemm<float64, float64, float64, float64>>();
}
