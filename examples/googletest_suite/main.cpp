// A GoogleTest suite as many teams have one, with Assay's matches() where a loop of EXPECT_NEAR stood. Link
// GTest::gmock_main. components: gtest
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "assay/kernels/gemm/reference.hpp"
#include "assay/matchers/gtest.hpp"
#include "assay/tolerance/derived.hpp"
#include "vendor.hpp"

using assay::matches;
using testing::Not;

TEST(Vendor, SaxpyRoundsTwiceAtMost) {
  constexpr std::size_t n = 1000;
  constexpr float alpha = 0.1f;
  std::vector<float> x(n), y(n);
  std::vector<double> expected(n), bounds(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i) / 7;
    y[i] = 1 - static_cast<float>(i) / 69;
    const double product = double{alpha} * double{x[i]};
    expected[i] = product + double{y[i]};
    bounds[i] =
        assay::unit_roundoff<float>() * std::fabs(product);  // E: the product's rounding; the sum's is the output's own
  }
  vendor::saxpy(n, alpha, x.data(), y.data());
  EXPECT_THAT(y, matches(assay::with_error_bounds(expected, bounds), assay::DerivedTolerance{}));
}

TEST(Vendor, GemmKeepsToTheBoundOfItsArithmetic) {
  using Op = assay::Gemm<assay::bfloat16, assay::bfloat16, float, assay::bfloat16>;  // A, B, sums, C
  constexpr std::size_t m = 33, n = 29, k = 1000;
  std::vector<assay::bfloat16> a(m * k), b(k * n), c(m * n);
  std::mt19937 engine(7);
  std::normal_distribution<double> normal;
  for (auto& value : a) value = assay::bfloat16(normal(engine));
  for (auto& value : b) value = assay::bfloat16(normal(engine));

  const assay::GemmProblem problem{.m = m, .n = n, .k = k};
  const Op::Arguments arguments{assay::contiguous_view<const assay::bfloat16, 3>(a.data(), {1, m, k}),
                                assay::contiguous_view<const assay::bfloat16, 3>(b.data(), {1, k, n}),
                                assay::contiguous_view<assay::bfloat16, 3>(c.data(), {1, m, n})};
  const auto explained = assay::gemm_bound(problem, assay::accumulation_in<float>(), assay::RoundingModel::statistical,
                                           k, assay::gemm_needs_double_double<Op>);
  assay::Host host;
  assay::Host::Stream stream;
  const auto reference = assay::gemm_reference<Op>(host, stream, problem, arguments, explained.bound);

  vendor::gemm(m, n, k, a.data(), b.data(), c.data());
  EXPECT_THAT(arguments.c, matches(reference.value(), assay::DerivedTolerance{}));
  auto missing = a;
  missing[5 * k + 7] = assay::bfloat16(0.0);  // what if the kernel dropped one product of row 5?
  vendor::gemm(m, n, k, missing.data(), b.data(), c.data());
  EXPECT_THAT(arguments.c, Not(matches(reference.value(), assay::DerivedTolerance{})));
}
