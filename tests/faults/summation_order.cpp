#include "assay/faults/summation_order.hpp"

#include <cmath>
#include <set>

#include "testing/catch.hpp"
#include "validators/gemm_checks.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

double summed(SummationOrder order, const std::vector<double>& terms) {
  return sum_in_order<float32>(
      order,
      [&](Index k) -> std::pair<double, double> {
        return {terms[static_cast<std::size_t>(k)], 1.0};
      },
      static_cast<Index>(terms.size()));
}

template <class Op>
void every_order_passes(Index m, Index n, Index k, double alpha, double beta) {
  GemmProblem problem = gemm_of(m, n, k);
  problem.alpha = alpha;
  problem.beta = beta;
  for (SummationOrder order : all_summation_orders)
    for (FillKind fill : all_fill_kinds) {
      const Outcome outcome = check(correct<Op>(order), problem, fill, 17);
      INFO(Op::formats() << ' ' << name_of(problem) << ' ' << name_of(order) << ' ' << name_of(fill) << ": "
                         << said(outcome));
      // α·(a·b) overflows where (α·a)·b need not: those elements cannot be decided
      const bool undecided = fill == FillKind::extreme && alpha != 1 && std::is_same_v<typename Op::FormatA, float32>;
      CHECK((outcome.verdict == Verdict::pass || (undecided && outcome.verdict == Verdict::inconclusive)));
    }
}

}  // namespace

TEST_CASE("orders have names of their own") {
  std::set<std::string_view> names;
  for (SummationOrder order : all_summation_orders) CHECK(names.insert(name_of(order)).second);
}

TEST_CASE("orders are what they are called") {
  const double half_ulp = 0x1p-24;
  std::vector<double> terms(128, half_ulp);
  terms[0] = 1;
  CHECK(summed(SummationOrder::sequential, terms) == 1);  // each is lost on 1, to even
  CHECK(summed(SummationOrder::reversed, terms) ==
        1 + 127 * half_ulp + half_ulp);                                // 127 half-ulps, then 1: a tie to even
  CHECK(summed(SummationOrder::blocked, terms) == 1 + 64 * half_ulp);  // the second block of 64 arrives whole
  CHECK(summed(SummationOrder::split_2, terms) == 1 + 64 * half_ulp);
  CHECK(summed(SummationOrder::split_4, terms) == 1 + 96 * half_ulp);
  CHECK(summed(SummationOrder::split_8, terms) == 1 + 112 * half_ulp);
  CHECK(summed(SummationOrder::pairwise, terms) == 1 + 120 * half_ulp);  // 8 at a time at the leaves
}

TEST_CASE("the matrix unit cuts what lies below the largest term, and its result") {
  CHECK(summed(SummationOrder::truncating_blocks, {1, 0x1.8p-24}) ==
        1);  // 2^-24 is kept of it, and cut from the result
  CHECK(summed(SummationOrder::truncating_blocks, {1, 0x1p-24, 0x1p-24}) == 1 + 0x1p-23);  // two of them make an ulp
  CHECK(summed(SummationOrder::truncating_blocks, {1, 0x1.8p-25, 0x1.8p-25}) == 1);        // cut before they meet
  CHECK(summed(SummationOrder::truncating_blocks, {-1, -0x1.8p-24}) == -1);                // toward zero
  CHECK(std::isinf(summed(SummationOrder::truncating_blocks, {0x1.fffffep127, 0x1.fffffep127})));
  CHECK(std::isnan(summed(SummationOrder::truncating_blocks, {INFINITY, -INFINITY})));
}

TEST_CASE("what an order declares") {
  const AccumulationModel unit = accumulation_of<float32>(SummationOrder::truncating_blocks);
  CHECK(unit.truncating);
  CHECK(unit.unit_roundoff == 0x1p-23);
  CHECK(unit.block == 16);
  CHECK(accumulation_of<float16>(SummationOrder::pairwise).unit_roundoff == unit_roundoff<float16>());
}

TEST_CASE("no correct order is accused, on any fill: short sums") {
  for (Index k : {1, 37, 300}) {
    every_order_passes<Bf16Gemm>(9, 7, k, 1, 0);
    every_order_passes<F16Gemm>(9, 7, k, 1, 1);
    every_order_passes<F32Gemm>(9, 7, k, 0.75, -1.5);
  }
}

TEST_CASE("no correct order is accused, on any fill: K of real models") {
  every_order_passes<Bf16Gemm>(8, 8, 3000, 1, 0);
  every_order_passes<F16Gemm>(8, 8, 3000, 0.75, -1.5);
  every_order_passes<F32Gemm>(8, 8, 3000, 1, 1);
  every_order_passes<Bf16Gemm>(4, 8, 14336, 1, 1);
}

TEST_CASE("kernels that keep f16 sums are never accused; where nothing can be said they are inconclusive") {
  using Narrow = Gemm<float16, float16, float16, float16>;
  using Wide = Gemm<float16, float16, float16, float32>;
  for (Index k : {1, 37, 300, 3000})
    for (SummationOrder order :
         {SummationOrder::sequential, SummationOrder::reversed, SummationOrder::pairwise, SummationOrder::split_4})
      for (FillKind fill : all_fill_kinds) {
        const Outcome narrow = check(correct<Narrow>(order), gemm_of(8, 8, k), fill),
                      wide = check(correct<Wide>(order), gemm_of(8, 8, k), fill);
        INFO("K = " << k << ' ' << name_of(order) << ' ' << name_of(fill) << ": " << said(narrow) << said(wide));
        CHECK((narrow.verdict == Verdict::pass || narrow.verdict == Verdict::inconclusive));
        CHECK((wide.verdict == Verdict::pass || wide.verdict == Verdict::inconclusive));
        if (k <= 300 && fill == FillKind::normal) CHECK(narrow.verdict == Verdict::pass);
      }
}
