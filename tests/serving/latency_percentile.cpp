#include "assay/serving/latency_percentile.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "assay/core/misuse.hpp"
#include "assay/statistics/random_sequence.hpp"
#include "testing/catch.hpp"

TEST_CASE("percentiles have an interval, and none where samples are too few", "[serving]") {
  std::vector<double> sorted;
  for (int i = 0; i < 100; ++i) sorted.push_back(i);
  const auto median = assay::latency_percentile(sorted, 0.5);
  CHECK(median.value == 50);
  // Of 100 samples the 95 % interval of the median is x₍40₎ to x₍61₎, counted from 1: a table of every textbook.
  CHECK(median.lower == 39);
  CHECK(median.upper == 60);
  const auto tail = assay::latency_percentile(sorted, 0.99);
  CHECK(tail.value == 99);
  CHECK(std::isinf(tail.upper));
  const auto one = assay::latency_percentile(std::vector<double>{1}, 0.5);
  CHECK(std::isinf(one.upper));
  CHECK(std::isinf(one.lower));
}

TEST_CASE("the interval holds the true percentile as often as it says", "[serving]") {
  assay::detail::RandomSequence random(7);
  int held = 0;
  constexpr int runs = 1000;
  for (int run = 0; run < runs; ++run) {
    std::vector<double> samples;
    for (int i = 0; i < 300; ++i) samples.push_back(static_cast<double>(random.next() >> 11) * 0x1p-53);
    std::sort(samples.begin(), samples.end());
    const auto estimate = assay::latency_percentile(samples, 0.9, 0.9);
    held += estimate.lower <= 0.9 && 0.9 <= estimate.upper ? 1 : 0;
  }
  CHECK(held >= 880);
  CHECK(held <= 960);
}

TEST_CASE("percentiles of nothing, or beyond 0 and 1, are misuse", "[serving]") {
  CHECK_THROWS_AS(assay::latency_percentile({}, 0.5), assay::Misuse);
  CHECK_THROWS_AS(assay::latency_percentile(std::vector<double>{1}, 1.0), assay::Misuse);
  CHECK_THROWS_AS(assay::latency_percentile(std::vector<double>{1}, 0.5, 0.0), assay::Misuse);
}
