#include "assay/collectives/model/alpha_beta_fit.hpp"

#include <limits>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::Approx;

namespace {

/// 20 µs and 12 GB/s, each time off by up to `noise`; one of twenty, `outliers` times as long.
std::vector<TimedSize> timed(double noise, double outliers, std::uint64_t seed) {
  std::vector<TimedSize> points;
  detail::RandomSequence random(seed);
  for (double bytes = 8; bytes < 2e9; bytes *= 2)
    for (int repetition = 0; repetition < 3; ++repetition) {
      const double share = random.below(2001) / 1000.0 - 1;
      const double seconds = (20e-6 + bytes / 12e9) * (1 + noise * share) * (random.below(20) == 0 ? outliers : 1);
      points.push_back({bytes, seconds});
    }
  return points;
}

}  // namespace

TEST_CASE("latency, bandwidth and knee come out of points that have them") {
  const AlphaBetaFit fit = fit_alpha_beta(timed(0, 1, 1)).value();
  CHECK(fit.latency_seconds.estimate == Approx(20e-6));
  CHECK(1 / fit.seconds_per_byte.estimate == Approx(12e9));
  CHECK(fit.knee_bytes() == Approx(240'000));
  CHECK(fit.largest_relative_error < 1e-9);
  CHECK(fit.least_bytes == 8);
}

TEST_CASE("intervals cover the truth as often as they say, outliers or not") {
  for (const double outliers : {1.0, 5.0}) {
    int latency = 0, bandwidth = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      const AlphaBetaFit fit = fit_alpha_beta(timed(0.05, outliers, seed), {200, 0.95, seed}).value();
      latency += fit.latency_seconds.lower <= 20e-6 && fit.latency_seconds.upper >= 20e-6 ? 1 : 0;
      bandwidth += fit.seconds_per_byte.lower <= 1 / 12e9 && fit.seconds_per_byte.upper >= 1 / 12e9 ? 1 : 0;
      CHECK(fit.latency_seconds.estimate == Approx(20e-6).epsilon(0.05));
      CHECK(1 / fit.seconds_per_byte.estimate == Approx(12e9).epsilon(0.05));
    }
    CHECK(latency >=
          85);  // 95 are promised; 3σ of 100 trials, and the percentile interval of 84 points is some percent short
    CHECK(bandwidth >= 85);
  }
}

TEST_CASE("neither latency nor bandwidth becomes negative") {
  const std::vector<TimedSize> falling{{1000, 3}, {2000, 2}, {4000, 1}};
  const AlphaBetaFit fit = fit_alpha_beta(falling).value();
  CHECK(fit.seconds_per_byte.estimate == 0);
  CHECK(fit.latency_seconds.estimate > 0);
  CHECK(fit.knee_bytes() == std::numeric_limits<double>::infinity());
  const std::vector<TimedSize> steep{{1000, 1}, {2000, 4}, {4000, 16}};
  CHECK(fit_alpha_beta(steep).value().latency_seconds.estimate == 0);
}

TEST_CASE("points that tell nothing are refused") {
  const auto refused = [](std::vector<TimedSize> points) {
    const auto fit = fit_alpha_beta(points);
    REQUIRE(!fit);
    CHECK(fit.error().kind == ErrorKind::invalid);
  };
  refused({});
  refused({{8, 1}});
  refused({{8, 1}, {8, 2}});
  refused({{8, 1}, {16, 0}});
  refused({{8, 1}, {16, std::numeric_limits<double>::quiet_NaN()}});
  refused({{8, 1}, {std::numeric_limits<double>::infinity(), 1}});
  refused({{-8, 1}, {16, 1}});
}
