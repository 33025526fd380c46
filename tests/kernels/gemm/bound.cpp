#include "assay/kernels/gemm/bound.hpp"

#include <algorithm>
#include <cmath>

#include "assay/faults/summation_order.hpp"
#include "assay/kernels/gemm/reference.hpp"
#include "kernels/gemm_operands.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// One correct output before it is rounded; α is applied to the sum, or to each term.
template <class Op>
double computed(const typename Op::Arguments& arguments, const GemmProblem& problem, SummationOrder order,
                bool alpha_into_terms, Index s, Index i, Index j) {
  using Accumulator = typename Op::Accumulator;
  const double alpha = round_to<Accumulator>(problem.alpha), beta = round_to<Accumulator>(problem.beta);
  const auto products = [&](Index k) -> std::pair<double, double> {
    const double a = decode(arguments.a(s, i, k)), b = decode(arguments.b(s, k, j));
    return {alpha_into_terms ? round_to<Accumulator>(alpha * a) : a, b};
  };
  double result = sum_in_order<Accumulator>(order, products, problem.k);
  if (!alpha_into_terms) result = round_to<Accumulator>(alpha * result);
  if (problem.beta != 0)
    result = round_to<Accumulator>(result + round_to<Accumulator>(beta * decode(arguments.c(s, i, j))));
  return result;
}

struct Ratios {
  double largest = 0;
  std::size_t decided = 0, undetermined = 0;
};

/// |computed − r| ≤ E for every element, order and way to apply α.
template <class Op>
void check_orders(const GemmProblem& problem, FillKind kind, std::uint64_t seed, Ratios& ratios) {
  for (SummationOrder order : all_summation_orders) {
    if (order == SummationOrder::truncating_blocks && !std::is_same_v<typename Op::Accumulator, float32>)
      continue;  // the unit keeps 24 bits
    const AccumulationModel accumulation = accumulation_of<typename Op::Accumulator>(order);
    const GemmData data = gemm_data<Op>(kind, problem, seed, accumulation);
    GemmVectors<Op> operands(problem, data);
    const ExplainedGemmBound explained =
        gemm_bound(problem, accumulation, data.model, data.terms, gemm_needs_double_double<Op>);
    Host host(1);
    auto stream = host.make_stream();
    auto reference = gemm_reference<Op>(host, stream.value(), problem, operands.arguments(), explained.bound);
    REQUIRE(reference.has_value());
    for (bool alpha_into_terms : {false, true}) {
      for (Index i = 0; i < problem.m; ++i)
        for (Index j = 0; j < problem.n; ++j) {
          const ExpectedElement expected = reference.value().expected()(i, j);
          if (!is_finite(expected.value)) continue;
          if (!is_finite(expected.error)) {
            ++ratios.undetermined;
            continue;
          }
          const double result = computed<Op>(operands.arguments(), problem, order, alpha_into_terms, 0, i, j);
          if (is_infinite(result)) continue;  // overflow is judged with the output's rounding: tests/validators
          const double error = std::fabs(result - expected.value);
          INFO(Op::formats() << ' ' << name_of(problem) << ' ' << name_of(kind) << ' ' << name_of(order)
                             << " alpha into terms: " << alpha_into_terms << " element " << i << ' ' << j << ": "
                             << result << " for " << expected.value);
          REQUIRE(error <= expected.error);
          ++ratios.decided;
          if (expected.error > 0) ratios.largest = std::max(ratios.largest, error / expected.error);
        }
      if (problem.alpha == 1 || (kind == FillKind::extreme && std::fabs(problem.alpha) > 1))
        break;  // 2·max overflows before b halves it
    }
  }
}

template <class Op>
Ratios check_all() {
  Ratios ratios;
  for (FillKind kind : all_fill_kinds)
    for (Index k : {1, 2, 3, 17, 64, 300, 1000}) {
      GemmProblem problem = gemm_of(3, 4, k);
      check_orders<Op>(problem, kind, 1, ratios);
      problem.alpha = 0.7;  // no number of these formats
      problem.beta = -1.3;
      check_orders<Op>(problem, kind, 2, ratios);
      problem.alpha = -2;
      problem.beta = 0;
      check_orders<Op>(problem, kind, 3, ratios);
    }
  return ratios;
}

}  // namespace

TEST_CASE("no order of a correct sum in f32 leaves the bound") {
  const Ratios half = check_all<Gemm<bfloat16, bfloat16, float32, bfloat16>>(),
               whole = check_all<Gemm<float32, float32, float32, float32>>();
  INFO("largest error / E: " << half.largest << " with bf16 inputs, " << whole.largest << " with f32 inputs");
  CHECK(half.decided > 15000);
  CHECK(whole.decided > 15000);
  CHECK(half.undetermined < half.decided / 20);
  CHECK(whole.largest > 0.05);  // or the bound would be of no use
}

TEST_CASE("no order of a correct sum in f16 or bf16 leaves the bound") {
  const Ratios f16 = check_all<Gemm<float16, float16, float16, float16>>(),
               bf16 = check_all<Gemm<bfloat16, bfloat16, bfloat16, bfloat16>>();
  INFO("largest error / E: " << f16.largest << " in f16, " << bf16.largest << " in bf16");
  CHECK(f16.decided > 10000);
  CHECK(bf16.decided > 5000);
  CHECK(bf16.undetermined > 100);  // γ is void at K·u ≥ 1
}

TEST_CASE("an output wider than the accumulator") {
  const Ratios ratios = check_all<Gemm<float16, float16, float16, float32>>();
  CHECK(ratios.decided > 10000);
}

TEST_CASE("the worst-case bound is nearly attained where every rounding errs the same way") {
  using Op = Gemm<float32, float32, float32, float32>;
  const GemmProblem problem = gemm_of(1, 1, 4096);
  GemmVectors<Op> operands(problem);
  operands.set([](Index, Index, Index k) { return k == 0 ? 1.0 : 0x1.fffffep-25; },
               [](Index, Index, Index) { return 1.0; }, [](Index, Index, Index) { return 0.0; });
  const auto explained = gemm_bound(problem, accumulation_in<float32>(), RoundingModel::worst_case, problem.k, false);
  Host host(1);
  auto stream = host.make_stream();
  auto reference = gemm_reference<Op>(host, stream.value(), problem, operands.arguments(), explained.bound);
  REQUIRE(reference.has_value());
  const double result = computed<Op>(operands.arguments(), problem, SummationOrder::sequential, false, 0, 0, 0);
  const double error = std::fabs(result - reference.value().expected()(0, 0).value);
  CHECK(result == 1);
  CHECK(error <= reference.value().expected()(0, 0).error);
  CHECK(error > 0.99 * reference.value().expected()(0, 0).error);
}

TEST_CASE("long positive sums stagnate: no statistical bound is claimed for them") {
  constexpr Index k = Index{1} << 22;
  const GemmProblem problem = gemm_of(1, 1, k);
  using Op = Gemm<float32, float32, float32, float32>;
  const GemmData data = gemm_data<Op>(FillKind::uniform, problem, 3);
  double exact = 0;
  const double result = sum_in_order<float32>(
      SummationOrder::sequential,
      [&](Index position) -> std::pair<double, double> {
        const double a = round_to<float32>(data.a(0, position)), b = round_to<float32>(data.b(0, position));
        exact += a * b;
        return {a, b};
      },
      k);
  const double error = std::fabs(result - exact);
  CHECK(error > gemm_bound(problem, accumulation_in<float32>(), RoundingModel::statistical, k, false)
                    .bound.error(exact, exact, 0));
  REQUIRE(data.model == RoundingModel::worst_case);
  CHECK(error <= gemm_bound(problem, accumulation_in<float32>(), data.model, k, false).bound.error(exact, exact, 0));
  CHECK(gemm_data<Op>(FillKind::uniform, gemm_of(1, 1, 14336), 3).model == RoundingModel::statistical);
}

TEST_CASE("exact data leave no room") {
  GemmProblem problem = gemm_of(4, 4, 100);
  problem.alpha = -2;
  problem.beta = 1;
  const auto explained = gemm_bound(problem, accumulation_in<float32>(), RoundingModel::exact, 100, false);
  CHECK(explained.bound.error(7, 1000, 3) == 0);
}

TEST_CASE("alpha and beta cost their own roundings") {
  GemmProblem problem = gemm_of(4, 4, 100);
  const AccumulationModel accumulation = accumulation_in<float32>();
  const auto error = [&](double alpha, double beta) {
    problem.alpha = alpha;
    problem.beta = beta;
    return gemm_bound(problem, accumulation, RoundingModel::worst_case, 100, false).bound.error(10, 10, 0);
  };
  CHECK(error(1, 0) < error(1, 1));
  CHECK(error(2, 0) == Approx(2 * error(1, 0)));
  CHECK(error(0.75, 0) >= 7.5 * (100 + 1 + 3) * 0x1p-24);  // K products, α among the terms; α, α·P and the sum
}

TEST_CASE("alpha and beta among the accumulator's subnormal numbers err by more than u") {
  const double p = 0x1p100, u = 0x1p-24, least = min_subnormal<float32>();
  GemmProblem problem = gemm_of(4, 4, 4);
  const auto bound = [&](double alpha, double beta) {
    problem.alpha = alpha;
    problem.beta = beta;
    return gemm_bound(problem, accumulation_in<float32>(), RoundingModel::worst_case, 4, false).bound;
  };
  for (const double factor : {1e-39, -3e-42, 1e-44, 0.3 * least, -0x1p-150, 1.6 * least}) {
    INFO("factor " << factor);
    const double off = std::fabs(round_to<float32>(factor) - factor) * p, size = std::fabs(factor) * p;
    const double of_alpha = bound(factor, 0).error(p, p, 0), of_beta = bound(0, factor).error(0, 0, p);
    CHECK(off * (1 + u) <= of_alpha);
    CHECK(off * (1 + u) <= of_beta);
    CHECK(of_alpha <= 1.01 * std::fmin(size, least / 2 * p) + 20 * u * size + 1e-40);
    CHECK(of_beta <= 1.01 * std::fmin(size, least / 2 * p) + 20 * u * size + 1e-40);
    // the other's share stays what it is
    CHECK(bound(factor, 1).error(0, 0, p) <= 20 * u * p);
    CHECK(bound(1, factor).error(p, p, 0) <= 20 * u * p);
  }
  CHECK(bound(0x1p-140, 0).error(p, p, 0) <= 20 * u * 0x1p-40);  // one of them
  CHECK(bound(1.3e-37, 0).error(p, p, 0) <= 20 * u * 1.3e-37 * p);
  CHECK(is_infinite(bound(1e39, 0).error(1, 1, 0)));
  CHECK(is_infinite(bound(1e39, 0).error(0, 0, 0)));  // ∞·0
  CHECK(is_infinite(bound(1, -1e39).error(1, 1, 1)));
}

TEST_CASE("where an intermediate sum may overflow nothing is refuted, where all must it is due") {
  GemmBound bound;
  bound.growth = 0x1p-20;
  bound.accumulator_max = max_finite<float32>();
  const double max = max_finite<float32>();
  CHECK(is_finite(bound.error(max / 4, max / 2, 0)));
  CHECK(is_infinite(bound.error(0, 2 * max, 0)));      // canceling terms, each large
  CHECK(is_finite(bound.error(2 * max, 2 * max, 0)));  // one sign
  CHECK(is_finite(bound.error(-2 * max, 2 * max, 0)));
  CHECK(is_infinite(
      bound.error(2 * max, 2 * max, 0, max_finite<float64>())));  // the output could hold what the sum cannot
  CHECK(is_infinite(bound.error(0, max * (1 - 0x1p-21), 0)));     // the sum of magnitudes may be rounded over the edge
  bound.beta = 1;
  CHECK(is_infinite(bound.error(2 * max, 2 * max, -max)));
  bound.beta = 0;
  bound.alpha = 0.25;
  CHECK(is_infinite(bound.error(2 * max, 2 * max, 0)));  // α first, or the sum first?
  CHECK(is_finite(bound.error(8 * max, 8 * max, 0)));    // α·P overflows whatever comes first
  bound.alpha = 0;
  CHECK(bound.error(2 * max, 2 * max, 0) == 0);
}

TEST_CASE("a void growth factor refutes nothing but zero times anything") {
  GemmProblem problem = gemm_of(4, 4, 1000);
  const auto explained = gemm_bound(problem, accumulation_in<bfloat16>(), RoundingModel::worst_case, 1000, false);
  CHECK(is_infinite(explained.bound.error(1, 1, 0)));
  CHECK(explained.bound.error(0, 0, 0) < 1e-30);
}

TEST_CASE("the derivation tells model, roundings and numbers") {
  const auto explained =
      gemm_bound(gemm_of(4, 4, 3000), accumulation_in<float32>(), RoundingModel::statistical, 3000, false);
  REQUIRE(explained.derivation.size() >= 4);
  std::string all;
  for (const std::string& line : explained.derivation) all += line + '\n';
  for (const char* part : {"statistical", "3000", "f32", "float64"}) {
    CHECK_THAT(all, contains(part));
  }
}
