#include "assay/kernels/dropout/dropout.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "assay/faults/dropout_faults.hpp"
#include "assay/formats/small_formats.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

// Kept values are judged as right or wrong, without a ratio.
TEST_CASE("right dropouts are not accused") {
  testing::require_correct_kernels_pass<Dropout>(0, 60);
}

TEST_CASE("every fault of a dropout is caught by its default suite") {
  testing::require_faults_are_caught<Dropout>();
}

TEST_CASE("the bound on binomial tails is one") {
  for (const double q : {0.1, 0.5, 0.9})
    for (const int n : {1, 7, 40})
      for (int k = 0; k <= n; ++k) {
        double farther = 0;  // probability of counts at least as far on the same side
        for (int j = 0; j <= n; ++j)
          if (k >= n * q ? j >= k : j <= k)
            farther += std::exp(std::lgamma(n + 1.0) - std::lgamma(j + 1.0) - std::lgamma(n - j + 1.0) +
                                j * std::log(q) + (n - j) * std::log(1 - q));
        CHECK(binomial_tail_bound(k, n, q) >= std::min(1.0, 2 * farther) * (1 - 1e-9));
      }
  CHECK(binomial_tail_bound(1, 10, 0) == 0);
  CHECK(binomial_tail_bound(0, 10, 0) == 1);
  CHECK(binomial_tail_bound(9, 10, 1) == 0);
}

namespace {

std::vector<unsigned char> mask_of(const DropoutProblem& problem, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::bernoulli_distribution keeps(1 - problem.rate);
  std::vector<unsigned char> kept;
  for (Index i = 0; i < problem.rows * problem.columns; ++i) kept.push_back(keeps(generator) ? 1 : 0);
  return kept;
}
std::uint64_t violations_of(const DropoutProblem& problem, const std::vector<unsigned char>& kept) {
  detail::JudgedOutput judged;
  DropoutMaskTests(problem, kept).run(judged);
  return judged.violations;
}

}  // namespace

TEST_CASE("columns that are never dropped are found where they are as few as one, and right masks are not accused") {
  DropoutProblem problem;
  problem.rows = problem.columns = 512;
  for (const Index few : {1, 4}) {
    std::vector<unsigned char> kept = mask_of(problem, static_cast<std::uint64_t>(few));
    CHECK(violations_of(problem, kept) == 0);
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (static_cast<Index>(i) % 512 >= 512 - few) kept[i] = 1;
    CHECK(violations_of(problem, kept) == static_cast<std::uint64_t>(few));  // 0.9^512 = 4e-24
  }
  problem.rows = 40;
  problem.columns = 30;
  for (const double rate : {0.02, 0.1, 0.5, 0.9, 0.98}) {
    problem.rate = rate;
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) CHECK(violations_of(problem, mask_of(problem, seed)) == 0);
  }
}

TEST_CASE(
    "where a kept value overflows, only what its bound rounds to is right, or what an accumulator's overflow leaves") {
  const double infinity = HUGE_VAL, nan = std::nan("");
  DropoutProblem problem;
  problem.rate = 0.1;
  const auto accepts = [&](double x, double out, const Arithmetic& arithmetic = {}) {
    return DropoutScaling(problem, arithmetic).accepts(x, out);
  };
  for (const double sign : {1.0, -1.0}) {
    CHECK(accepts(sign * 3.4e38, sign * infinity));  // 3.78e38 is due
    CHECK_FALSE(accepts(sign * 3.4e38, sign * 1.9e38));
    CHECK_FALSE(accepts(sign * 3.4e38, sign * max_finite<float32>()));
    CHECK_FALSE(accepts(sign * 3.4e38, -sign * infinity));
    CHECK_FALSE(accepts(sign * 3.4e38, nan));
    CHECK_FALSE(accepts(sign * 3.0e38, sign * infinity));
  }
  for (const double out : {double{max_finite<float32>()}, infinity}) CHECK(accepts(0.9 * max_finite<float32>(), out));

  problem.output = element_format<float8_e4m3fn>();
  CHECK(accepts(440, nan));  // 488.9 is due
  CHECK_FALSE(accepts(440, 448));
  CHECK_FALSE(accepts(440, 256));
  CHECK(accepts(400, 448));
  CHECK_FALSE(accepts(400, nan));
  CHECK(accepts(464 * 0.9, 448));
  CHECK(accepts(464 * 0.9, nan));  // between the two
  CHECK_FALSE(accepts(464 * 0.9, 416));

  problem.output = element_format<float32>();
  CHECK(accepts(64000, infinity, arithmetic_in<float16>()));  // 71111 is due, more than the accumulator holds
  CHECK(accepts(64000, 64000 / 0.9, arithmetic_in<float16>()));
  CHECK_FALSE(accepts(64000, 40000, arithmetic_in<float16>()));
  CHECK_FALSE(accepts(40000, infinity, arithmetic_in<float16>()));
}

TEST_CASE("dropouts that cannot be are refused") {
  DropoutProblem problem;
  SECTION("rate") {
    problem.rate = 1.5;
    testing::require_refused<Dropout>(problem, "rate");
  }
  SECTION("extent") {
    problem.columns = -1;
    testing::require_refused<Dropout>(problem, "columns");
  }
  SECTION("format") {
    problem.input = element_format<std::int8_t>();
    testing::require_refused<Dropout>(problem, "input");
  }
}
