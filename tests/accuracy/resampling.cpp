#include "assay/accuracy/resampling.hpp"

#include <cmath>

#include "accuracy/near.hpp"
#include "assay/statistics/random_sequence.hpp"
#include "testing/catch.hpp"

namespace {

using namespace assay;

/// Uniform values around `middle`, beside a common part.
SampleStatistics uniform(std::size_t count, double middle, std::uint64_t seed,
                         const SampleStatistics* common = nullptr) {
  SampleStatistics samples{2, {}};
  detail::RandomSequence random(seed);
  for (std::size_t i = 0; i < count; ++i) {
    const double own = middle + (static_cast<double>(random.next() >> 11) / 9007199254740992.0 - 0.5);
    samples.add(std::vector<double>{own + (common ? common->row(i)[0] : 0), 1});
  }
  return samples;
}

}  // namespace

TEST_CASE("A bootstrap's interval is that of a mean", "[accuracy]") {
  for (const std::size_t count : {400u, 40000u}) {  // the second in blocks
    const MetricInterval interval = bootstrap_interval(uniform(count, 5, 3), mean_of_sums);
    const double expected = 1 / std::sqrt(12.0 * static_cast<double>(count));
    CHECK((interval.deviation > 0.85 * expected && interval.deviation < 1.15 * expected));
    CHECK((interval.lower < 5 && interval.upper > 5));
    CHECK(interval.samples == count);
  }
}

TEST_CASE("What is hard for both cancels", "[accuracy]") {
  const SampleStatistics common = uniform(500, 0, 1);
  const SampleStatistics a = uniform(500, 0.02, 2, &common), b = uniform(500, 0, 2, &common);
  const MetricInterval paired = paired_bootstrap(a, b, mean_of_sums);
  CHECK(paired.deviation < 1e-12);
  CHECK(testing::near(paired.estimate, 0.02, 1e-9));
  CHECK(paired_permutation(a, b, mean_of_sums) < 0.002);
}

TEST_CASE("Permutation accuses equals as rarely as it says", "[accuracy]") {
  int accused = 0;
  ResamplingOptions options;
  options.resamples = 199;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    options.seed = seed;
    accused +=
        paired_permutation(uniform(40, 0, 2 * seed), uniform(40, 0, 2 * seed + 1), mean_of_sums, options) <= 0.05;
  }
  CHECK(accused < 22);
  CHECK(paired_permutation(uniform(40, 0, 1), uniform(40, 0, 1), mean_of_sums, options) == 1);
}

TEST_CASE("Resamples without a value are counted", "[accuracy]") {
  SampleStatistics sparse{2, {}};
  sparse.add(std::vector<double>{1, 1});
  for (int i = 0; i < 3; ++i) sparse.add(std::vector<double>{0, 0});
  const MetricInterval interval = bootstrap_interval(sparse, mean_of_sums);
  CHECK(interval.undefined > 100);
  CHECK_THROWS_AS(bootstrap_interval(SampleStatistics{}, mean_of_sums), Misuse);
  ResamplingOptions few;
  few.resamples = 10;
  CHECK_THROWS_AS(bootstrap_interval(sparse, mean_of_sums, few), Misuse);
  CHECK_THROWS_AS(paired_bootstrap(sparse, uniform(3, 0, 1), mean_of_sums), Misuse);
}

TEST_CASE("Who alone is right", "[accuracy]") {
  SampleStatistics a{2, {1, 1, 0, 1, 1, 1}}, b{2, {1, 1, 1, 1, 0, 1}};
  const Discordance pairs = discordance(a, b);
  CHECK((pairs.only_candidate == 1 && pairs.only_baseline == 1 && pairs.samples == 3));
}

TEST_CASE("Infinite resamples take part in an interval", "[accuracy]") {
  SampleStatistics samples{2, {}};
  for (int i = 0; i < 40; ++i) samples.add(std::vector<double>{i == 0 ? INFINITY : 1.0, 1});
  const MetricInterval interval = bootstrap_interval(samples, mean_of_sums);
  CHECK(interval.undefined == 0);
  CHECK(interval.lower == 1);
  CHECK(interval.upper == INFINITY);
  CHECK(interval.deviation == INFINITY);
  for (double& value : samples.values) value = value == INFINITY ? -INFINITY : value;
  const MetricInterval other = bootstrap_interval(samples, mean_of_sums);
  CHECK(other.lower == -INFINITY);
  CHECK(other.upper == 1);
}
