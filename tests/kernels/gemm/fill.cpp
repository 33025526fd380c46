#include "assay/kernels/gemm/fill.hpp"

#include <cmath>
#include <cstdint>
#include <set>

#include "assay/faults/summation_order.hpp"
#include "kernels/gemm_operands.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

struct Scaling {
  double alpha, beta;
};

/// Whether the pattern keeps what `exact` promises: for all orders the accumulated sum, and α·sum + β·c, are exact.
template <class Op>
void check_integers(Index k, Scaling scaling) {
  using Accumulator = typename Op::Accumulator;
  GemmProblem problem = gemm_of(2, 3, k);
  problem.alpha = scaling.alpha;
  problem.beta = scaling.beta;
  const GemmData data = gemm_data<Op>(FillKind::exact_integer, problem, 11);
  INFO(Op::formats() << ' ' << name_of(problem));
  REQUIRE(data.model == RoundingModel::exact);
  GemmVectors<Op> operands(problem, data);
  const auto [a, b, c] = operands.arguments();
  for (Index i = 0; i < problem.m; ++i)
    for (Index j = 0; j < problem.n; ++j) {
      std::int64_t sum = 0, magnitude = 0;
      Index zeros = 0;
      for (Index p = 0; p < k; ++p) {
        const double left = data.a(i, p), right = data.b(j, p);
        REQUIRE(decode(a(0, i, p)) == left);  // the input formats hold them
        REQUIRE(decode(b(0, p, j)) == right);
        const auto product = static_cast<std::int64_t>(left) * static_cast<std::int64_t>(right);
        sum += product;
        magnitude += product < 0 ? -product : product;
        zeros += product == 0 ? 1 : 0;
      }
      if (data.a.spacing <= 1) CHECK(zeros <= data.b.disturbed);
      const auto added = static_cast<std::int64_t>(problem.beta * data.c(i, j));
      REQUIRE(decode(c(0, i, j)) == data.c(i, j));
      // every partial sum in any order, scaled and with C, is an integer within the accumulator's precision
      REQUIRE(std::fabs(problem.alpha) * static_cast<double>(magnitude) + std::fabs(static_cast<double>(added)) <=
              power_of_two(FormatTraits<Accumulator>::layout.precision()));
      for (SummationOrder order : all_summation_orders) {
        if (order == SummationOrder::truncating_blocks && !std::is_same_v<Accumulator, float32>) continue;
        const auto products = [&](Index p) -> std::pair<double, double> { return {data.a(i, p), data.b(j, p)}; };
        REQUIRE(sum_in_order<Accumulator>(order, products, k) == static_cast<double>(sum));
      }
      const double result = problem.alpha * static_cast<double>(sum) + static_cast<double>(added);
      REQUIRE(round_to<typename Op::FormatC>(result) == result);
    }
}

template <class Op>
void check_integers_of() {
  for (Index k : {1, 2, 3, 7, 64, 3000, 14336})
    for (Scaling scaling : {Scaling{1, 0}, Scaling{-1, 2}, Scaling{2, 1}, Scaling{-2, -2}, Scaling{0, 1}}) {
      if (k == 14336 && scaling.alpha != -2) continue;
      check_integers<Op>(k, scaling);
    }
}

}  // namespace

TEST_CASE("exact integers are exact in every order, in accumulator and output") {
  check_integers_of<Gemm<float32, float32, float32, float32>>();
  check_integers_of<Gemm<float16, float16, float32, float16>>();
  check_integers_of<Gemm<bfloat16, bfloat16, float32, bfloat16>>();
}

TEST_CASE("integers are called exact only where accumulator and scaling allow it") {
  for (Index k : {1, 2, 3, 7, 64, 3000}) {
    check_integers<Gemm<float16, float16, float16, float16>>(k, {-2, 1});
    check_integers<Gemm<bfloat16, bfloat16, bfloat16, bfloat16>>(k, {1, 2});
  }
  GemmProblem scaled = gemm_of(2, 2, 64);
  scaled.alpha = 0.75;
  CHECK(gemm_data<Gemm<float32, float32, float32, float32>>(FillKind::exact_integer, scaled, 1).model ==
        RoundingModel::worst_case);
}

TEST_CASE("every term of the exact integers matters") {
  using Op = Gemm<bfloat16, bfloat16, float32, bfloat16>;
  const GemmProblem problem = gemm_of(8, 8, 3000);
  const GemmData data = gemm_data<Op>(FillKind::exact_integer, problem, 2);
  Index silent = 0;
  for (Index p = 0; p < problem.k; ++p) {
    bool shows = false;
    for (Index i = 0; i < 8 && !shows; ++i)
      for (Index j = 0; j < 8 && !shows; ++j) shows = data.a(i, p) * data.b(j, p) != 0;
    silent += shows ? 0 : 1;
  }
  CHECK(silent == 0);
}

TEST_CASE("where a pattern is called exact, correct kernels agree on the correctly rounded result") {
  const auto check = [](auto op) {
    using Op = decltype(op);
    using Accumulator = typename Op::Accumulator;
    std::size_t exact = 0;
    for (FillKind kind : {FillKind::one_hot, FillKind::near_tie, FillKind::extreme})
      for (double alpha : {1.0, -1.0, 0.5, 2.0, 0.75})
        for (Index k : {1, 2, 37, 300}) {
          GemmProblem problem = gemm_of(8, 9, k);
          problem.alpha = alpha;
          const GemmData data = gemm_data<Op>(kind, problem, 4);
          if (data.model != RoundingModel::exact) continue;
          ++exact;
          GemmVectors<Op> operands(problem, data);
          const auto arguments = operands.arguments();
          for (Index i = 0; i < 8; ++i)
            for (Index j = 0; j < 9; ++j) {
              double sum = 0;
              Index terms = 0;
              const auto products = [&](Index p) -> std::pair<double, double> {
                return {decode(arguments.a(0, i, p)), decode(arguments.b(0, p, j))};
              };
              for (Index p = 0; p < k; ++p)
                sum += products(p).first * products(p).second,
                    terms += products(p).first * products(p).second != 0 ? 1 : 0;
              REQUIRE(terms <= data.terms);
              const double expected = alpha * sum;
              if (std::fabs(sum) > max_finite<Accumulator>() || std::fabs(expected) > max_finite<Accumulator>())
                continue;  // overflow: the bound's business
              for (SummationOrder order : all_summation_orders) {
                if (order == SummationOrder::truncating_blocks && !std::is_same_v<Accumulator, float32>) continue;
                const double result = round_to<Accumulator>(alpha * sum_in_order<Accumulator>(order, products, k));
                INFO(Op::formats() << ' ' << name_of(kind) << ' ' << name_of(problem) << ' ' << name_of(order) << ": "
                                   << result << " for " << expected);
                REQUIRE(decode(encode<typename Op::FormatC>(result)) == decode(encode<typename Op::FormatC>(expected)));
              }
            }
        }
    CHECK(exact >= 4);
  };
  check(Gemm<float32, float32, float32, float32>{});
  check(Gemm<float16, float16, float32, float16>{});
  check(Gemm<bfloat16, bfloat16, float32, bfloat16>{});
  check(Gemm<float16, float16, float32, float32>{});
  check(Gemm<float16, float16, float16, float16>{});
  check(Gemm<float16, float16, float16, float32>{});
  check(Gemm<float32, float32, float32, float64>{});
}

TEST_CASE("underflow is called exact only where every kernel must do it alike") {
  const auto model = [](auto op, double alpha, AccumulationModel accumulation) {
    using Op = decltype(op);
    GemmProblem problem = gemm_of(4, 4, 8);
    problem.alpha = alpha;
    return gemm_data<Op>(FillKind::extreme, problem, 1, accumulation).model;
  };
  using Single = Gemm<float32, float32, float32, float32>;
  AccumulationModel flushing = accumulation_in<float32>();
  flushing.min_subnormal = min_normal<float32>();
  CHECK(model(Single{}, 1, accumulation_in<float32>()) == RoundingModel::exact);
  CHECK(model(Single{}, 0.5, accumulation_in<float32>()) == RoundingModel::worst_case);
  CHECK(model(Single{}, 1, flushing) == RoundingModel::worst_case);
  CHECK(model(Gemm<float32, float32, float32, float64>{}, 1, accumulation_in<float32>()) == RoundingModel::worst_case);
  CHECK(model(Gemm<float16, float16, float16, float32>{}, 1, accumulation_in<float16>()) == RoundingModel::worst_case);
  CHECK(model(Gemm<float16, float16, float32, float16>{}, 0.5, flushing) == RoundingModel::exact);
}

TEST_CASE("near ties lie a quarter, a half and three quarters between output numbers") {
  using Op = Gemm<bfloat16, bfloat16, float32, bfloat16>;
  const GemmProblem problem = gemm_of(64, 1, 10);
  const GemmData data = gemm_data<Op>(FillKind::near_tie, problem, 3);
  std::set<double> fractions;
  for (Index i = 0; i < 64; ++i) {
    double sum = 0;
    for (Index p = 0; p < 10; ++p) sum += data.a(i, p);
    const double size = std::fabs(sum);
    CHECK((128 <= size && size < 256));
    fractions.insert(size - std::floor(size));
  }
  CHECK(fractions == std::set<double>{0.25, 0.5, 0.75});
}

TEST_CASE("one-hot data gather single values of B") {
  using Op = Gemm<float32, float32, float32, float32>;
  const GemmData data = gemm_data<Op>(FillKind::one_hot, gemm_of(4, 4, 50), 6);
  for (Index lane = 0; lane < 4; ++lane) {
    Index hot = 0;
    for (Index p = 0; p < 50; ++p) hot += data.a(lane, p) != 0 ? 1 : 0;
    CHECK(hot == 1);
  }
}

TEST_CASE("extreme data make overflow, the largest value and underflow due") {
  using Op = Gemm<float16, float16, float32, float16>;
  const GemmProblem problem = gemm_of(4, 3, 20);
  const GemmData data = gemm_data<Op>(FillKind::extreme, problem, 6);
  std::set<double> sizes;
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 3; ++j) {
      double sum = 0;
      for (Index p = 0; p < 20; ++p) sum += data.a(i, p) * data.b(j, p);
      sizes.insert(std::fabs(sum));
    }
  CHECK(sizes.count(2 * 65504.0) == 1);
  CHECK(sizes.count(65504.0) == 1);
  CHECK(sizes.count(0x1p-25) == 1);
}

TEST_CASE("subnormal data have normal products") {
  const auto check = [](auto op) {
    using Op = decltype(op);
    const GemmProblem problem = gemm_of(4, 4, 16);
    GemmVectors<Op> operands(problem, gemm_data<Op>(FillKind::subnormal, problem, 1));
    for (auto value : operands.a) CHECK(is_subnormal(value));
    for (auto value : operands.b) CHECK(is_finite(decode(value)));
    const auto sum = static_cast<double>(operands.exact(0, 1, 1).magnitude);
    CHECK(sum > min_normal<typename Op::Accumulator>());
    CHECK(sum > min_normal<typename Op::FormatC>() / 1024);
  };
  check(Gemm<float32, float32, float32, float32>{});
  check(Gemm<float16, float16, float32, float16>{});
  check(Gemm<bfloat16, bfloat16, float32, bfloat16>{});
}

TEST_CASE("lanes and operands differ, so batches do; seeds change the data and nothing else does") {
  using Op = Gemm<float32, float32, float32, float32>;
  const GemmProblem problem = gemm_of(16, 16, 40, 2);
  for (FillKind kind : all_fill_kinds) {
    if (kind == FillKind::constant) continue;
    const GemmData data = gemm_data<Op>(kind, problem, 8), again = gemm_data<Op>(kind, problem, 8),
                   other = gemm_data<Op>(kind, problem, 9);
    int batches_differ = 0, seeds_differ = 0;
    for (Index i = 0; i < 16; ++i)
      for (Index p = 0; p < 40; ++p) {
        const auto bits = [&](const GemmFill& fill, Index lane) { return detail::bits_of(fill(lane, p)); };
        REQUIRE(bits(data.a, i) == bits(again.a, i));
        REQUIRE(bits(data.b, i) == bits(again.b, i));
        batches_differ += bits(data.a, i) != bits(data.a, 16 + i) ? 1 : 0;
        seeds_differ += bits(data.a, i) != bits(other.a, i) ? 1 : 0;
      }
    INFO(name_of(kind));
    CHECK(batches_differ > 0);
    CHECK(seeds_differ > 0);
  }
}

TEST_CASE("values of the user's own are taken as they are, and the worst is allowed for") {
  const double a[] = {1, 2, 3, 4, 5, 6}, b[] = {7, 8, 9, 10, 11, 12};
  const GemmData data = GemmData::given(gemm_of(2, 2, 3), a, b);
  CHECK(data.a(1, 2) == 6);
  CHECK(data.b(1, 2) == 12);
  CHECK(data.b(0, 1) == 9);
  CHECK(data.c(1, 1) == 0);
  CHECK(data.model == RoundingModel::worst_case);
  CHECK(data.terms == 3);
}
