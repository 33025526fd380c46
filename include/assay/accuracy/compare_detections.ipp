#pragma once

#include "assay/accuracy/compare_detections.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"
#include "assay/statistics/random_sequence.hpp"

namespace assay::inline v0 {

namespace detail {

/// Judges `value(weights)`, of images drawn with replacement.
template <class Value>
[[nodiscard]] EquivalenceJudgment judge_drawn_images(std::size_t images, double estimate, const EquivalenceClaim& claim,
                                                     ResamplingOptions options, Value value) {
  expect(images > 0, [] { return "a comparison of detections was given no image"; });
  options.confidence = 1 - 2 * claim.error_rate;
  RandomSequence random(options.seed);
  std::vector<double> values(options.resamples);
  std::vector<std::uint32_t> weights(images);
  for (double& own : values) {
    std::fill(weights.begin(), weights.end(), 0u);
    for (std::size_t i = 0; i < images; ++i) ++weights[random.below(images)];
    own = value(weights);
  }
  const MetricInterval interval = interval_of(estimate, std::move(values), images, options);
  EquivalenceJudgment judgment;
  judgment.samples = images;
  judgment.interval = {interval.estimate, interval.lower, interval.upper};
  judgment.p_difference = std::nan("");
  judgment.method = "bootstrap of images, " + std::to_string(options.resamples) + " resamples";
  conclude(judgment, claim, interval.deviation * std::sqrt(static_cast<double>(images)), images < fewest_to_resample);
  return judgment;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE EquivalenceJudgment compare_detections(const DetectionEvaluation& candidate,
                                                                  const DetectionEvaluation& baseline,
                                                                  const EquivalenceClaim& claim,
                                                                  const ResamplingOptions& options) {
  detail::expect_claim(claim);
  expect(candidate.images() == baseline.images(), [] {
    return "compare_detections() was given evaluations of different images; give both the images of the references";
  });
  return detail::judge_drawn_images(candidate.images().size(), candidate.figures().ap - baseline.figures().ap, claim,
                                    options, [&](const std::vector<std::uint32_t>& weights) {
                                      return candidate.average_precision(weights) - baseline.average_precision(weights);
                                    });
}

ASSAY_DETAIL_HEADER_INLINE EquivalenceJudgment compare_detections_with_stated(const DetectionEvaluation& candidate,
                                                                              double stated,
                                                                              const EquivalenceClaim& claim,
                                                                              const ResamplingOptions& options) {
  detail::expect_claim(claim);
  return detail::judge_drawn_images(
      candidate.images().size(), candidate.figures().ap - stated, claim, options,
      [&](const std::vector<std::uint32_t>& weights) { return candidate.average_precision(weights) - stated; });
}

}  // namespace assay::inline v0
