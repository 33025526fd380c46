#include "assay/validators/check_gemm_residual.hpp"

#include <cmath>

#include "testing/catch.hpp"
#include "validators/quick_gemm_checks.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

template <class Op>
int caught_by_residual(const std::string& fault, const GemmProblem& problem, FillKind fill) {
  return caught<Op>([](const auto& subject, const GemmProblem& of, FillKind kind,
                       std::uint64_t seed) { return check_residual<Op>(subject, of, kind, seed); },
                    fault, problem, fill);
}

GemmProblem usual() {
  GemmProblem problem = gemm_of(100, 112, 40, 2);
  problem.beta = 1;
  return problem;
}

}  // namespace

TEMPLATE_TEST_CASE("the residual check accuses no correct kernel, and no pass of it is silent", "", Bf16Gemm, F16Gemm,
                   F32Gemm) {
  const Population population = check_population<TestType>(
      [](const auto& subject, const GemmProblem& problem, FillKind fill, std::uint64_t seed) {
        return check_residual<TestType>(subject, problem, fill, seed);
      });
  INFO(population.example);
  CHECK(population.accused == 0);
  CHECK(population.silent == 0);
  CHECK(population.checked > 800);
  CHECK(population.inconclusive < population.checked / 4);  // the fills special and extreme
  CHECK(population.worst <= 1);
}

TEMPLATE_TEST_CASE("what is wrong by far is caught on any data", "", Bf16Gemm, F16Gemm, F32Gemm) {
  GemmProblem overwritten = usual();
  overwritten.beta = 0;
  for (FillKind fill : {FillKind::normal, FillKind::uniform, FillKind::exact_integer}) {
    for (const char* fault :
         {"dropped_term", "dropped_tile_of_terms", "repeated_term", "stale_tile", "forgotten_beta", "wrong_batch",
          "nan_written", "zeros_returned", "unwritten_output", "canary_overwritten", "input_modified"}) {
      const bool one_term = std::string(fault) == "dropped_term" || std::string(fault) == "repeated_term";
      if (std::is_same_v<TestType, Bf16Gemm> && fill == FillKind::uniform && one_term)
        continue;  // one term of large sums in bf16 is no more than its rounding, row by row
      INFO(fault << ' ' << name_of(fill));
      CHECK(caught_by_residual<TestType>(fault, usual(), fill) == trials);
    }
    CHECK(caught_by_residual<TestType>("unwritten_tail", overwritten, fill) == trials);
  }
}

TEMPLATE_TEST_CASE("on exact integers every numeric fault is caught that changes an output", "", Bf16Gemm, F16Gemm,
                   F32Gemm) {
  CHECK(caught_by_residual<TestType>("neighbor_element", usual(), FillKind::exact_integer) == trials);
  CHECK(caught_by_residual<TestType>("rounded_partial_sums", gemm_of(64, 64, 1000), FillKind::exact_integer) >=
        (std::is_same_v<TestType, F16Gemm> ? 0 : trials));
}

TEST_CASE("precision that the format's own rounding does not hide is missed by nobody") {
  for (FillKind fill : {FillKind::normal, FillKind::uniform}) {
    CHECK(caught_by_residual<F32Gemm>("narrow_accumulator", usual(), fill) == trials);
    CHECK(caught_by_residual<F32Gemm>("rounded_partial_sums", usual(), fill) == trials);
    CHECK(caught_by_residual<F32Gemm>("narrow_inputs", usual(), fill) == trials);
    CHECK(caught_by_residual<F32Gemm>("neighbor_element", usual(), fill) == trials);
  }
}

TEST_CASE("a truncating output is not seen, and the outcome says so") {
  CHECK(caught_by_residual<Bf16Gemm>("truncated_output", usual(), FillKind::normal) == 0);
  CHECK(caught_by_residual<F16Gemm>("truncated_output", usual(), FillKind::normal) == 0);
  CHECK(caught_by_residual<F16Gemm>("rounded_partial_sums", usual(), FillKind::normal) ==
        0);  // below the rounding of the output
  const Outcome missed = check_residual<Bf16Gemm>(faulty<Bf16Gemm>("truncated_output"), usual(), FillKind::normal);
  CHECK(missed.verdict == Verdict::pass);
  CHECK_THAT(missed.reason, contains("residual check only"));
  CHECK_THAT(missed.derivation.back(),
             contains("cannot see: errors below a row's allowance, such as outputs rounded the wrong way"));
  CHECK(check(faulty<Bf16Gemm>("truncated_output"), usual(), FillKind::normal).verdict ==
        Verdict::fail);  // the full check does
}

TEST_CASE("a pass says what a single error would have to be to be seen") {
  const Outcome outcome = check_residual<Bf16Gemm>(correct<Bf16Gemm>(), usual(), FillKind::normal);
  REQUIRE(outcome.verdict == Verdict::pass);
  CHECK(outcome.label("check") == "residual");
  CHECK(outcome.measurement("residual_vectors").value_or(0) == 4);
  CHECK(outcome.measurement("rows").value_or(0) == 200);
  CHECK(outcome.measurement("failing_rows").value_or(-1) == 0);
  CHECK(outcome.measurement("undecided_rows").value_or(-1) == 0);
  const double visible = outcome.measurement("visible_error_worst_row").value_or(0);
  CHECK(visible >= outcome.measurement("visible_error").value_or(HUGE_VAL));
  // and it is true: an element that is further off is caught
  const auto off = spoiled<Bf16Gemm>([=](const GemmProblem&, const auto& arguments, int) {
    auto& element = arguments.c(1, 60, 33);
    element = bfloat16(decode(element) + 1.05 * visible);
  });
  const Outcome caught = check_residual<Bf16Gemm>(off, usual(), FillKind::normal);
  CHECK(caught.verdict == Verdict::fail);
  CHECK_THAT(caught.reason, contains("1 of 200 rows disagree"));
  CHECK_THAT(caught.reason, contains("row 60 of batch 1"));
  CHECK_THAT(said(caught), contains("1 of 112 elements lie outside their acceptance interval (row 60, column 33)"));
  REQUIRE(caught.tables.size() == 1);
  CHECK(caught.tables[0].rows[0][0] == "160");  // batches flattened, as in the full check
  CHECK(caught.tables[0].rows[0][1] == "33");
}

TEST_CASE("more vectors leave less to chance") {
  // equal and opposite errors in one row
  const auto swapped = spoiled<F32Gemm>([](const GemmProblem&, const auto& arguments, int) {
    arguments.c(0, 3, 5) += 100;
    arguments.c(0, 3, 9) -= 100;
  });
  int missed = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed)
    missed += check_residual<F32Gemm>(swapped, gemm_of(8, 16, 8), FillKind::normal, seed).verdict == Verdict::pass;
  CHECK(missed > 2);  // 12.5 expected
  CHECK(missed < 30);
  missed = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed)
    missed +=
        check_residual<F32Gemm>(swapped, gemm_of(8, 16, 8), FillKind::normal, seed, {}, 1, 20).verdict == Verdict::pass;
  CHECK(missed == 0);
}

TEST_CASE("swapped tiles and rows are caught") {
  const auto rows = spoiled<Bf16Gemm>([](const GemmProblem& problem, const auto& arguments, int) {
    for (Index j = 0; j < problem.n; ++j) std::swap(arguments.c(0, 3, j), arguments.c(0, 70, j));
  });
  const auto tiles = spoiled<Bf16Gemm>([](const GemmProblem&, const auto& arguments, int) {
    for (Index i = 0; i < 16; ++i)
      for (Index j = 0; j < 16; ++j) std::swap(arguments.c(0, 16 + i, 32 + j), arguments.c(0, 16 + i, 96 + j));
  });
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Outcome swapped = check_residual<Bf16Gemm>(rows, usual(), FillKind::normal, seed);
    CHECK(swapped.verdict == Verdict::fail);
    CHECK_THAT(swapped.reason, contains("2 of 200 rows"));
    CHECK(check_residual<Bf16Gemm>(tiles, usual(), FillKind::normal, seed).verdict == Verdict::fail);
  }
}

TEST_CASE("rows that cannot be judged are told of, never passed") {
  const Outcome special = check_residual<F32Gemm>(correct<F32Gemm>(), usual(), FillKind::special);
  CHECK(special.verdict == Verdict::inconclusive);
  CHECK_THAT(special.reason, contains("because A, B or the old C hold NaN or infinities"));
  CHECK(!special.measurement(measurement::worst_error_ratio).has_value());
  using Narrow = Gemm<bfloat16, bfloat16, bfloat16, bfloat16>;
  const Outcome undecided = check_residual<Narrow>(correct<Narrow>(), gemm_of(4, 4, 3000), FillKind::constant);
  CHECK(undecided.verdict == Verdict::inconclusive);
  CHECK_THAT(undecided.reason, contains("4 of 4 rows cannot be judged: 4 because so long a sum"));
  CHECK(check_residual<Narrow>(faulty<Narrow>("canary_overwritten"), gemm_of(4, 4, 3000), FillKind::constant).verdict ==
        Verdict::fail);
}

TEST_CASE("NaN in the output is a failure even in one element, and is named") {
  const auto subject = spoiled<F16Gemm>([](const GemmProblem&, const auto& arguments, int) {
    arguments.c(1, 99, 111) = FormatTraits<float16>::from_bits(0x7e00);
  });
  const Outcome outcome = check_residual<F16Gemm>(subject, usual(), FillKind::normal);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK_THAT(outcome.reason, contains("row 99 of batch 1: an output is not finite, though no sum can overflow"));
  CHECK_THAT(said(outcome), contains("column 111"));
}

TEST_CASE("memory, repetitions and refusals of the residual check are as in the full one") {
  GemmProblem spaced = gemm_of(6, 7, 20, 3);
  spaced.leading_dimension_c = 11;
  spaced.batch_stride_c = 80;
  const auto gap = spoiled<F32Gemm>([](const GemmProblem&, const auto& arguments, int) { arguments.c.data[8] = 0; });
  CHECK_THAT(check_residual<F32Gemm>(gap, spaced, FillKind::normal).reason,
             contains("1 elements between the rows or matrices of C were overwritten"));
  CHECK(check_residual<F32Gemm>(correct<F32Gemm>(), spaced, FillKind::normal).verdict == Verdict::pass);

  for (int wrong : {1, 2, 4}) {
    const auto subject = spoiled<F32Gemm>([=](const GemmProblem&, const auto& arguments, int run) {
      if (run == wrong) arguments.c(0, 1, 2) += 1;
    });
    const Outcome outcome = check_residual<F32Gemm>(subject, gemm_of(4, 4, 4), FillKind::normal, 1, {}, 4);
    CHECK(outcome.verdict == Verdict::fail);
    CHECK(outcome.label("check") == "residual");
    if (wrong > 1) CHECK_THAT(outcome.reason, contains("run " + std::to_string(wrong) + " of 4"));
  }
  const auto modified = spoiled<F32Gemm>([](const GemmProblem&, const auto& arguments, int run) {
    if (run == 2) const_cast<float&>(arguments.a.data[0]) += 1;
  });
  CHECK_THAT(check_residual<F32Gemm>(modified, gemm_of(4, 4, 4), FillKind::normal, 1, {}, 3).reason,
             contains("input A was modified"));
  GemmCheckOptions strict;
  strict.require_determinism = true;
  const auto jitter = spoiled<Bf16Gemm>([](const GemmProblem&, const auto& arguments, int run) {
    if (run == 3) arguments.c(0, 0, 0).bits ^= 1;
  });
  const Outcome differs = check_residual<Bf16Gemm>(jitter, gemm_of(30, 30, 40), FillKind::normal, 1, strict, 4);
  CHECK(differs.verdict == Verdict::fail);
  CHECK_THAT(differs.reason, contains("1 of 3 repeated runs differ"));

  GemmSubject<F32Gemm> refusing;
  refusing.run = [](const GemmProblem&, const F32Gemm::Arguments&) -> Result<void> {
    return failure(ErrorKind::unsupported, "K is odd");
  };
  CHECK(check_residual<F32Gemm>(refusing, gemm_of(4, 4, 3), FillKind::normal).verdict == Verdict::unsupported);
  const Outcome tolerance =
      check_residual<F32Gemm>(correct<F32Gemm>(), gemm_of(4, 4, 3), FillKind::normal, 1, with_tolerance("atol=1"));
  CHECK(tolerance.verdict == Verdict::unsupported);
  CHECK_THAT(tolerance.reason, contains("use the full or the sampled check"));
  for (const GemmProblem& empty : {gemm_of(0, 5, 5), gemm_of(5, 0, 5), gemm_of(5, 5, 5, 0)}) {
    const Outcome nothing = check_residual<F32Gemm>(correct<F32Gemm>(), empty, FillKind::normal);
    CHECK(nothing.verdict == Verdict::pass);
    CHECK_THAT(nothing.reason, contains("the output is empty"));
  }
}

TEST_CASE("the user's own matrices and float64 are checked too") {
  const std::vector<double> a{1, 2, 3, 4}, b{5, 6, 7, 8};
  const GemmProblem problem = gemm_of(2, 2, 2);
  const GemmData data = GemmData::given(problem, a.data(), b.data());
  CHECK(check_gemm_residual<F32Gemm>(shared_host(), correct<F32Gemm>(), problem, data, {}, CaseContext{}).verdict ==
        Verdict::pass);
  CHECK(check_gemm_residual<F32Gemm>(shared_host(), faulty<F32Gemm>("dropped_term"), problem, data, {}, CaseContext{})
            .verdict == Verdict::fail);

  using F64Gemm = Gemm<float64, float64, float64, float64>;
  const auto subject = [](double error) {
    GemmSubject<F64Gemm> made = portable_gemm_subject<F64Gemm>(shared_host());
    const auto right = made.run;
    made.run = [=](const GemmProblem& of, const F64Gemm::Arguments& arguments) -> Result<void> {
      if (auto run = right(of, arguments); !run) return run;
      arguments.c(0, 2, 1) *= 1 + error;
      return {};
    };
    return made;
  };
  for (FillKind fill : {FillKind::normal, FillKind::uniform, FillKind::exact_integer, FillKind::constant}) {
    CHECK(check_residual<F64Gemm>(subject(0), gemm_of(50, 60, 300), fill).verdict == Verdict::pass);
    CHECK(check_residual<F64Gemm>(subject(1e-9), gemm_of(50, 60, 300), fill).verdict == Verdict::fail);
  }
}
