// A Catch2 suite as many teams have one, with Assay's matches() where a loop with a guessed tolerance stood.
// components: catch2
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>  // version 3: link Catch2::Catch2WithMain
#else
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif

#include <cmath>
#include <random>
#include <vector>

#include "assay/kernels/gemm/reference.hpp"
#include "assay/matchers/catch2.hpp"
#include "assay/tolerance/derived.hpp"
#include "assay/tolerance/ulps.hpp"
#include "vendor.hpp"

using assay::matches;

TEST_CASE("softmax, with a tolerance that its author chose") {
  std::vector<float> x(1000), y(1000);
  std::vector<double> expected(1000);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i % 17) / 4;
    sum += expected[i] = std::exp(static_cast<double>(x[i]));
  }
  for (double& value : expected) value /= sum;
  vendor::softmax(x.data(), y.data(), x.size());
  REQUIRE_THAT(y, matches(expected, assay::UlpTolerance{64}));
}

TEST_CASE("gemm, with the tolerance that follows from its arithmetic") {
  using Op = assay::Gemm<assay::bfloat16, assay::bfloat16, float, assay::bfloat16>;  // A, B, sums, C
  constexpr std::size_t m = 33, n = 29, k = 1000;
  std::vector<assay::bfloat16> a(m * k), b(k * n), c(m * n);
  std::mt19937 engine(7);
  std::normal_distribution<double> normal;
  for (auto& value : a) value = assay::bfloat16(normal(engine));
  for (auto& value : b) value = assay::bfloat16(normal(engine));

  // the reference r and the bound E of each element: dropping one of the 1000 products is beyond it, any order of
  // summation is not
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
  REQUIRE_THAT(arguments.c, matches(reference.value(), assay::DerivedTolerance{}));
  auto missing = a;
  missing[5 * k + 7] = assay::bfloat16(0.0);  // what if the kernel dropped one product of row 5?
  vendor::gemm(m, n, k, missing.data(), b.data(), c.data());
  REQUIRE_THAT(arguments.c, !matches(reference.value(), assay::DerivedTolerance{}));
}
