#pragma once

#include "assay/performance/shift_detector.hpp"

namespace assay {

/// The detector to take unless you know better, chosen from a simulation (`bench_regressions`: steps of 2 and 5 %, drifts of 1 and 2 % a release; Gaussian, bimodal, autocorrelated
/// and heavy-tailed noise): the newest 5 and the newest 20 runs against the frozen baseline by Hodges and Lehmann's shift, 1 % allowed, 95 % confidence, widened for
/// autocorrelation. Of the methods there it is the one that accuses less than one metric of a thousand a night under three of the noises and three under the fourth, finds every
/// drift, and finds a step of 5 % after five nights.
///
/// It wants a baseline of thirty runs; ten will do where the noise is well below the change.
[[nodiscard]] inline ShiftDetector default_detector() {
  ShiftDetector detector;
  detector.windows = {5, 20};
  return detector;
}

}  // namespace assay
