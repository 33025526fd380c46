#include "assay/collectives/stragglers/link_matrix.hpp"

#include <cmath>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("maps show microseconds and GB/s, sender by receiver, and what was not measured as NaN") {
  LinkMatrix matrix{LinkTimes(2, 8), LinkTimes(2, 1 << 20), {"a", "a"}};
  matrix.latency.at(0, 1).seconds = 2e-6;
  matrix.bandwidth.at(1, 0).seconds = 1048576 / 2e9;
  CHECK(matrix.size() == 2);
  CHECK(matrix.latency_map().at(0, 1) == testing::Approx(2));
  CHECK(std::isnan(matrix.latency_map().at(1, 0)));
  CHECK(matrix.bandwidth_map().at(1, 0) == testing::Approx(2));
  CHECK(std::isnan(matrix.bandwidth_map().at(1, 1)));
  CHECK(matrix.same_host(0, 1));
  matrix.hosts.clear();
  CHECK(!matrix.same_host(0, 1));
}

TEST_CASE("bounds of a median are those of the sign test") {
  // 2^-9 (1 + 9) = 0.0195 and 2^-9 (1 + 9 + 36) = 0.0898 are the odds that fewer than 2 and 3 of 9 samples lie below
  // the median.
  CHECK(detail::median_bound_rank(9, 0.0196) == 2);
  CHECK(detail::median_bound_rank(9, 0.0195) == 1);
  CHECK(detail::median_bound_rank(9, 0.001) == 0);
  CHECK(detail::samples_for_bounds(0.01) == 7);
  const detail::MedianBounds bounds = detail::median_bounds({9, 1, 8, 2, 7, 3, 6, 4, 5}, 0.025);
  CHECK(bounds.median == 5);
  CHECK(bounds.lower == 2);
  CHECK(bounds.upper == 8);
  CHECK(detail::median_bounds({1, 2}, 0.01).lower == -std::numeric_limits<double>::infinity());
  CHECK(detail::median_bounds({1, 2}, 0.01).median == 1.5);
  CHECK(std::isnan(detail::median_bounds({}, 0.01).median));
  const std::size_t large =
      detail::median_bound_rank(4000, 0.001);  // 2000 - 3.09 · 31.6 = 1902 by the normal distribution
  CHECK(large < 1903);
  CHECK(large > 1850);
}
