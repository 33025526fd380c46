#pragma once

#include "assay/performance/shift_detector.hpp"

namespace assay::inline v0 {

/// The detector to take unless you know better, chosen from a simulation (`bench_regressions`: steps of 2 and 5 %,
/// drifts of 1 and 2 % a release; Gaussian, bimodal, autocorrelated and heavy-tailed noise): the newest 5 and the
/// newest 20 runs against the frozen baseline by Hodges and Lehmann's shift, 1 % allowed, 95 % confidence, widened for
/// autocorrelation. Of the methods there that find every drift, and steps of 5 % after five nights in the median, it is
/// the one with the fewest false alarms over all: less than one in a thousand nights of a metric under three of the
/// noises, four under the autocorrelated one.
///
/// The simulation has a baseline of thirty runs; with fewer, more is `rerun`. Where runs scatter by more than the 1 %
/// that are allowed, most quiet nights are `rerun`, not `not_regressed`: take the median of more repetitions a run, or
/// allow more.
[[nodiscard]] inline ShiftDetector default_detector() {
  ShiftDetector detector;
  detector.windows = {5, 20};
  return detector;
}

}  // namespace assay::inline v0
