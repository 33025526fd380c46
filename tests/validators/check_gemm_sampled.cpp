#include "assay/validators/check_gemm_sampled.hpp"

#include <cmath>

#include "testing/catch.hpp"
#include "validators/quick_gemm_checks.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

template <class Op>
int caught_by_sample(const std::string& fault, const GemmProblem& problem, FillKind fill) {
  return caught<Op>([](const auto& subject, const GemmProblem& of, FillKind kind,
                       std::uint64_t seed) { return check_sampled<Op>(subject, of, kind, seed); },
                    fault, problem, fill);
}

GemmProblem usual() {
  GemmProblem problem = gemm_of(100, 112, 40, 2);
  problem.beta = 1;
  return problem;
}

}  // namespace

TEMPLATE_TEST_CASE("the sampled check accuses no correct kernel, and no pass of it is silent", "", Bf16Gemm, F16Gemm,
                   F32Gemm) {
  const Population population = check_population<TestType>(
      [](const auto& subject, const GemmProblem& problem, FillKind fill, std::uint64_t seed) {
        return check_sampled<TestType>(subject, problem, fill, seed);
      });
  INFO(population.example);
  CHECK(population.accused == 0);
  CHECK(population.silent == 0);
  CHECK(population.checked > 800);
  CHECK(population.inconclusive < population.checked / 20);
  CHECK(population.worst <= 1);
}

TEMPLATE_TEST_CASE("what is wrong everywhere is caught, to the last misrounding", "", Bf16Gemm, F16Gemm) {
  GemmProblem overwritten = usual();
  overwritten.beta = 0;
  for (FillKind fill : {FillKind::normal, FillKind::uniform}) {
    for (const char* fault :
         {"dropped_term", "dropped_tile_of_terms", "repeated_term", "narrow_accumulator", "rounded_partial_sums",
          "truncated_output", "forgotten_beta", "wrong_batch", "nan_written", "zeros_returned", "unwritten_output",
          "canary_overwritten", "input_modified"}) {
      INFO(fault << ' ' << name_of(fill));
      CHECK(caught_by_sample<TestType>(fault, usual(), fill) == trials);
    }
    CHECK(caught_by_sample<TestType>("unwritten_tail", overwritten, fill) == trials);
  }
  CHECK(caught_by_sample<TestType>("swallowed_nan", usual(), FillKind::special) == trials);
  CHECK(caught_by_sample<TestType>("flushed_subnormals", usual(), FillKind::subnormal) >=
        (std::is_same_v<TestType, F16Gemm> ? trials : 0));
}

TEST_CASE("single elements escape, as often as the outcome says") {
  const GemmProblem problem = gemm_of(40, 50, 20);
  const auto subject = spoiled<F32Gemm>([](const GemmProblem&, const auto& arguments, int) {
    for (Index i = 11; i < 15; ++i)
      for (Index j = 20; j < 25; ++j) arguments.c(0, i, j) += 1;  // 20 of 2000 elements, away from edges of tiles
  });
  int missed = 0;
  double told = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Outcome outcome = check_sampled<F32Gemm>(subject, problem, FillKind::normal, seed);
    missed += outcome.verdict == Verdict::pass;
    told += outcome.measurement("chance_to_miss_1_percent").value_or(-1);
    if (outcome.verdict == Verdict::pass)
      CHECK_THAT(outcome.reason, contains("sampled check only"));
    else
      CHECK_THAT(said(outcome), contains("the sampled violations lie in row"));
  }
  CHECK(missed > told / 2);  // some 100 of 200
  CHECK(missed < told * 1.5);
  CHECK(told > 60);
  // a sample of everything misses nothing
  const Outcome all = check_sampled<F32Gemm>(subject, problem, FillKind::normal, 1, {}, 1, 1 << 20);
  CHECK(all.verdict == Verdict::fail);
}

TEST_CASE("corners and tile edges are looked at whatever the seed") {
  const auto corner = spoiled<F32Gemm>([](const GemmProblem& problem, const auto& arguments, int) {
    arguments.c(problem.batch - 1, problem.m - 1, problem.n - 1) += 1;
  });
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Outcome outcome = check_sampled<F32Gemm>(corner, usual(), FillKind::normal, seed);
    CHECK(outcome.verdict == Verdict::fail);
    CHECK_THAT(outcome.reason, contains("at [199, 111]"));  // batches flattened, as in the full check
  }
}

TEST_CASE("a single NaN or infinity anywhere is found by the scan, and one that is due is not accused") {
  for (double wrong : {std::nan(""), HUGE_VAL}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const auto subject = spoiled<Bf16Gemm>([=](const GemmProblem&, const auto& arguments, int) {
        arguments.c(1, static_cast<Index>(seed) * 7, static_cast<Index>(seed) * 5 + 2) = bfloat16(wrong);
      });
      const Outcome outcome = check_sampled<Bf16Gemm>(subject, usual(), FillKind::normal, seed);
      CHECK(outcome.verdict == Verdict::fail);
      CHECK(outcome.measurement("nonfinite_elements").value_or(0) == 1);
    }
  }
  const Outcome special = check_sampled<F32Gemm>(correct<F32Gemm>(), usual(), FillKind::special);
  CHECK(special.verdict == Verdict::pass);
  CHECK(special.measurement("nonfinite_elements").value_or(0) > 1000);
  CHECK_THAT(said(special), contains("NaN and infinities in the output were judged"));
}

TEST_CASE("a pass says what was looked at") {
  const Outcome outcome = check_sampled<Bf16Gemm>(correct<Bf16Gemm>(), usual(), FillKind::normal, 1, {}, 1, 100);
  REQUIRE(outcome.verdict == Verdict::pass);
  CHECK(outcome.label("check") == "sampled");
  CHECK(outcome.measurement("output_elements").value_or(0) == 22400);
  const double looked_at = outcome.measurement("sampled_elements").value_or(0);
  CHECK(looked_at > 90);
  CHECK(looked_at <= 100);
  CHECK(outcome.measurement(measurement::elements).value_or(0) == looked_at);
  CHECK(outcome.heat_maps.empty());
  CHECK_THAT(outcome.derivation.back(), contains("not seen: wrong numbers anywhere else"));
}

TEST_CASE("the sample is judged by the chosen tolerance, and elements without a bound are undecided") {
  const auto off_by_a_little =
      spoiled<F32Gemm>([](const GemmProblem&, const auto& arguments, int) { arguments.c(0, 0, 0) *= 1.00005F; });
  const auto verdict = [&](const char* tolerance) {
    return check_sampled<F32Gemm>(off_by_a_little, gemm_of(8, 8, 50), FillKind::uniform, 1, with_tolerance(tolerance))
        .verdict;
  };
  CHECK(verdict("derived") == Verdict::fail);
  CHECK(verdict("strict") == Verdict::fail);
  CHECK(verdict("normal") == Verdict::pass);
  using Narrow = Gemm<bfloat16, bfloat16, bfloat16, bfloat16>;
  const Outcome undecided = check_sampled<Narrow>(correct<Narrow>(), gemm_of(4, 4, 3000), FillKind::constant);
  CHECK(undecided.verdict == Verdict::inconclusive);
  CHECK_THAT(undecided.reason, contains("no bound holds"));
}

TEST_CASE("memory, repetitions and refusals of the sampled check are as in the full one") {
  const auto canary =
      spoiled<F32Gemm>([](const GemmProblem&, const auto& arguments, int) { arguments.c.data[-1] = 0; });
  CHECK_THAT(check_sampled<F32Gemm>(canary, gemm_of(4, 4, 4), FillKind::normal).reason,
             contains("canary of C overwritten"));
  const auto later = spoiled<F32Gemm>([](const GemmProblem&, const auto& arguments, int run) {
    if (run == 2) arguments.c(0, 0, 0) += 1;
  });
  const Outcome outcome = check_sampled<F32Gemm>(later, gemm_of(20, 20, 4), FillKind::normal, 1, {}, 3);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK_THAT(outcome.reason, contains("run 2 of 3"));
  GemmProblem wrong = gemm_of(4, 4, 4);
  wrong.leading_dimension_b = 2;
  CHECK(check_sampled<F32Gemm>(correct<F32Gemm>(), wrong, FillKind::normal).verdict == Verdict::error);
  for (const GemmProblem& empty : {gemm_of(0, 5, 5), gemm_of(5, 0, 5), gemm_of(5, 5, 5, 0)}) {
    const Outcome nothing = check_sampled<F32Gemm>(correct<F32Gemm>(), empty, FillKind::normal);
    CHECK(nothing.verdict == Verdict::pass);
    CHECK_THAT(nothing.reason, contains("0 of 0 elements"));
  }
}
