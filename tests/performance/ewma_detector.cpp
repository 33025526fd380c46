#include "assay/performance/ewma_detector.hpp"

#include "performance/series_of_runs.hpp"

using namespace assay;

TEST_CASE(
    "the moving average finds slow drift and tells since when, is robust against one wild run, and keeps what "
    "detectors promise",
    "[performance]") {
  assay::testing::check_chart_detector(EwmaDetector{{}, {false, 3, false, 0}, 10},
                                       EwmaDetector{{0.1, 3}, {false, 3, false, 0}, 10});
  CHECK_THROWS_AS((EwmaDetector{{0, 5}, {}, 10}.judge(assay::testing::runs_with(0, 0, 3, 1))), Misuse);
}
