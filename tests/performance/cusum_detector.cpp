#include "assay/performance/cusum_detector.hpp"

#include "performance/series_of_runs.hpp"

using namespace assay;

TEST_CASE(
    "the cumulative sum finds slow drift and tells since when, is robust against one wild run, and keeps what "
    "detectors promise",
    "[performance]") {
  assay::testing::check_chart_detector(CusumDetector{{}, {false, 3, false, 0}, 10},
                                       CusumDetector{{0.25, 8}, {false, 3, false, 0}, 10});
  CHECK_THROWS_AS((CusumDetector{{-1, 5}, {}, 10}.judge(assay::testing::runs_with(0, 0, 3, 1))), Misuse);
}
