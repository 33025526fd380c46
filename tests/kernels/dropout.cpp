#include "assay/kernels/dropout/dropout.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "assay/validators/faults/dropout_faults.hpp"
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
            farther += std::exp(std::lgamma(n + 1.0) - std::lgamma(j + 1.0) - std::lgamma(n - j + 1.0) + j * std::log(q) +
                                (n - j) * std::log(1 - q));
        CHECK(binomial_tail_bound(k, n, q) >= std::min(1.0, 2 * farther) * (1 - 1e-9));
      }
  CHECK(binomial_tail_bound(1, 10, 0) == 0);
  CHECK(binomial_tail_bound(0, 10, 0) == 1);
  CHECK(binomial_tail_bound(9, 10, 1) == 0);
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
