#pragma once

#include "assay/accuracy/detection.hpp"
#include "assay/accuracy/equivalence.hpp"

namespace assay::inline v0 {

/// Judges the AP of a candidate against a baseline's on the same images, drawn together with replacement: a paired
/// bootstrap of images. Fewer than 30 images decide nothing. O(resamples · detections). Misuse: evaluations of
/// different images.
[[nodiscard]] EquivalenceJudgment compare_detections(const DetectionEvaluation& candidate,
                                                     const DetectionEvaluation& baseline, const EquivalenceClaim& claim,
                                                     const ResamplingOptions& options = {});

/// Judges the AP against a number that somebody states, taken as exact. Misuse: no image.
[[nodiscard]] EquivalenceJudgment compare_detections_with_stated(const DetectionEvaluation& candidate, double stated,
                                                                 const EquivalenceClaim& claim,
                                                                 const ResamplingOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/compare_detections.ipp"
#endif
