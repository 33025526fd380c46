#include "assay/validators/explain_gemm.hpp"

#include <cstdio>

#include "assay/validators/gemm_suite.hpp"
#include "testing/catch.hpp"
#include "validators/gemm_checks.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

constexpr AccumulationModel in_f32 = accumulation_in<float32>();

}  // namespace

TEST_CASE("an explanation says what is computed, on what, in which arithmetic, and ends with an element in numbers") {
  GemmProblem problem = gemm_of(32, 48, 3000, 2);
  problem.transpose_b = true;
  problem.alpha = -1;
  problem.beta = 0.5;
  const std::string text = joined(explain_gemm<Bf16Gemm>(problem, FillKind::normal, in_f32, {}, 7));
  CHECK_THAT(text, contains("op(A) 32×3000, op(B) 3000×48, C 32×48, α = -1, β = 0.5, for each of 2 independent "
                            "matrices; row-major, B stored transposed"));
  CHECK_THAT(text, contains("inputs in bf16, output in bf16"));
  CHECK_THAT(text, contains("sums are kept in f32: 24 significand bits, u = 5.96e-08, rounded to nearest"));
  CHECK_THAT(text, contains("normal: A and B from N(0, 1)"));
  CHECK_THAT(text, contains("independent errors: g = λ·√L·u"));
  CHECK_THAT(text, contains("derived: accept iff"));
  CHECK_THAT(text, contains("S = Σ |a·b| = "));
  CHECK_THAT(text, contains("units in the last place of bf16 at r; accepted: "));
}

TEST_CASE("the bound explained is the one that the case is judged by") {
  const GemmProblem problem = gemm_of(20, 24, 300);
  for (const FillKind fill : all_fill_kinds) {
    INFO(name_of(fill));
    const std::vector<std::string> lines = explain_gemm<F32Gemm>(problem, fill, in_f32, {}, 5);
    const Outcome outcome = check(correct<F32Gemm>(), problem, fill, 5);
    for (const std::string& step : outcome.derivation)
      CHECK(std::find(lines.begin(), lines.end(), step) != lines.end());
    CHECK(outcome.derivation.size() >= 4);
    CHECK_THAT(joined(lines), contains("\n" + std::string(name_of(fill)) + ": "));
  }
}

TEST_CASE("the element in numbers is that of the data that the case runs on") {
  const GemmProblem problem = gemm_of(1, 1, 40);
  const GemmData data = gemm_data<Bf16Gemm>(FillKind::normal, problem, in_f32, 11);
  const detail::GemmElement element = detail::typical_gemm_element<Bf16Gemm>(problem, data);
  auto stream = shared_host().make_stream();
  auto operands = detail::GemmOperands<Bf16Gemm, Host>::create(shared_host(), stream.value(), problem,
                                                               lay_out(problem).value(), data);
  const auto arguments = operands.value().arguments();
  double product = 0, magnitude = 0;
  for (Index k = 0; k < problem.k; ++k) {
    const double term = decode(arguments.a(0, 0, k)) * decode(arguments.b(0, k, 0));
    product += term;
    magnitude += term < 0 ? -term : term;
  }
  CHECK(element.product == product);
  CHECK(element.magnitude == magnitude);
}

TEST_CASE("what has no bound in numbers is explained in words") {
  CHECK_THAT(joined(explain_gemm<F32Gemm>(gemm_of(0, 8, 8), FillKind::normal, in_f32, {}, 1)),
             contains("no elements: nothing is compared"));
  GemmProblem wrong = gemm_of(4, 4, 4);
  wrong.leading_dimension_a = 2;
  CHECK_THAT(joined(explain_gemm<F32Gemm>(wrong, FillKind::normal, in_f32, {}, 1)),
             contains("the problem is refused: leading_dimension of A is 2"));
  CHECK_THAT(joined(explain_gemm<F16Gemm>(gemm_of(8, 9, 64), FillKind::exact_integer, in_f32, {}, 1)),
             contains("and nothing else"));
  const std::vector<double> infinite(16, std::numeric_limits<double>::infinity());
  CHECK_THAT(joined(explain_gemm<F32Gemm>(gemm_of(4, 4, 4),
                                          GemmData::given(gemm_of(4, 4, 4), infinite.data(), infinite.data()), in_f32)),
             contains("IEEE 754 decides, not a bound: inf is due"));
  const auto narrow = accumulation_in<bfloat16>();
  CHECK_THAT(joined(explain_gemm<Bf16Gemm>(gemm_of(4, 4, 3000), FillKind::constant, narrow, {}, 1)),
             contains("nothing can be refuted"));
}

TEST_CASE("cases of a suite explain themselves, their kernel never called") {
  GemmSubject<F32Gemm> subject;
  subject.name = "untouchable";
  subject.run = [](const GemmProblem&, const F32Gemm::Arguments&) -> Result<void> { throw std::logic_error("called"); };
  GemmSuiteOptions options;
  options.shapes = {{gemm_of(20, 8, 30), {FillKind::uniform}, false}};
  options.check = with_tolerance("atol=0.5");
  Suite suite;
  add_gemm_cases<F32Gemm>(suite, shared_host(), subject, options);
  auto matrices = std::make_shared<GemmMatrices>();
  matrices->m = matrices->n = 1;
  matrices->k = 2;
  matrices->a = {1, 2};
  matrices->b = {3, 4};
  add_gemm_case<F32Gemm>(suite, shared_host(), subject, matrices);
  REQUIRE(suite.size() == 2);
  CHECK_THAT(joined(suite[0].explain(CaseContext{3, 1})), contains("0.5"));
  CHECK_THAT(joined(suite[1].explain(CaseContext{3, 1})), contains("P = Σ a·b = 11, S = Σ |a·b| = 11, r = 11"));
}
