#include "assay/performance/default_detector.hpp"

#include "performance/series_of_runs.hpp"

using namespace assay;
using assay::testing::runs_with;

TEST_CASE("the default accuses nobody without cause and misses no drift of 1 % a release", "[performance]") {
  const ShiftDetector detector = default_detector();
  int accused = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    for (std::size_t night = 1; night <= 40; night += 3)
      accused += detector.judge(runs_with(0, 0, night, seed)).verdict == RegressionVerdict::regressed ? 1 : 0;
  CHECK(accused <= 2);                                                   // of 560 nights
  CHECK(assay::testing::accused_of_100(detector, 0, 0.002, 60) == 100);  // five nights a release
  CHECK(assay::testing::accused_of_100(detector, 0.05, 0, 6) >= 90);
}

TEST_CASE("the default keeps what detectors promise", "[performance]") {
  assay::testing::check_detector(default_detector());
}
