#include "assay/fleet/cluster/goodput.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "assay/core/misuse.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// Work kept over time, of a job that fails at random, in a simulation of many failures.
double simulated_goodput(const ResilientJob& job, double interval) {
  std::mt19937_64 random(5);
  std::exponential_distribution<double> next(1 / job.mtbf());
  double time = 0, kept = 0, failure = next(random);
  for (int segment = 0; segment < 200'000;) {
    if (failure >= interval + job.checkpoint) {
      failure -= interval + job.checkpoint;
      time += interval + job.checkpoint;
      kept += interval;
      ++segment;
      continue;
    }
    time += failure;
    for (failure = next(random); failure < job.restart; failure = next(random)) time += failure;  // while restarting
    time += job.restart;
    failure -= job.restart;
  }
  return kept / time;
}

}  // namespace

TEST_CASE("goodput is what a simulation shows") {
  for (const ResilientJob& job : {ResilientJob{16'384, 50'000 * 3600.0, 60, 300}, ResilientJob{1000, 1e7, 600, 1200},
                                  ResilientJob{1, 1000, 100, 0}}) {
    const double interval = daly_interval(job);
    INFO(interval);
    CHECK(goodput(job, interval) == Approx(simulated_goodput(job, interval)).epsilon(0.01));
  }
}

TEST_CASE("Daly's interval is the best one, nearly") {
  for (const double checkpoint : {1.0, 60.0, 600.0}) {
    const ResilientJob job{16'384, 50'000 * 3600.0, checkpoint, 300};
    const double best = daly_interval(job);
    CHECK(goodput(job, best) >= goodput(job, best * 1.2));
    CHECK(goodput(job, best) >= goodput(job, best / 1.2));
    CHECK(best < young_interval(job) * 1.2);
  }
  CHECK(daly_interval({1, 100, 300, 0}) == 100);
  CHECK(daly_interval({1, 100, 0, 0}) == 0);
}

TEST_CASE(
    "a published run: 16,384 devices, an interruption every three hours, more than nine tenths of the time of use") {
  const ResilientJob job{16'384, 50'700 * 3600.0, 10, 300};
  CHECK(job.mtbf() / 3600 == Approx(3.1).epsilon(0.01));  // 419 interruptions in 54 days
  CHECK(goodput(job, daly_interval(job)) > 0.9);
}

TEST_CASE("storage as fast as a goodput needs") {
  const ResilientJob job{16'384, 50'000 * 3600.0, 0, 300};
  const double bandwidth = storage_bandwidth_for(job, 5e12, 0.95);
  REQUIRE(std::isfinite(bandwidth));
  ResilientJob with = job;
  with.checkpoint = 5e12 / bandwidth;
  CHECK(goodput(with, daly_interval(with)) == Approx(0.95).epsilon(1e-3));
  CHECK(std::isinf(storage_bandwidth_for(job, 5e12, 0.99)));
  CHECK_THROWS_AS(static_cast<void>(storage_bandwidth_for(job, 5e12, 1)), Misuse);
}

TEST_CASE("the slowest of many") {
  CHECK(straggler_factor(1, 0.05) == 1);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(1, 0.05);
  double sum = 0;
  for (int step = 0; step < 2000; ++step) {
    double most = 0;
    for (int rank = 0; rank < 256; ++rank) most = std::max(most, normal(random));
    sum += most;
  }
  CHECK(straggler_factor(256, 0.05) == Approx(sum / 2000).epsilon(2e-3));
}

TEST_CASE("jobs that cannot be") {
  CHECK(check(ResilientJob{1, 1, 0, 0}).has_value());
  CHECK_FALSE(check(ResilientJob{0, 1, 0, 0}).has_value());
  CHECK_FALSE(check(ResilientJob{1, 0, 0, 0}).has_value());
  CHECK_FALSE(check(ResilientJob{1, std::nan(""), 0, 0}).has_value());
  CHECK_FALSE(check(ResilientJob{1, 1, -1, 0}).has_value());
}
