#pragma once

#include "assay/training/loss_equivalence.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE PairedEquivalence paired_equivalence(std::span<const double> reference,
                                                                std::span<const double> subject, double margin,
                                                                double significance) {
  expect(reference.size() == subject.size(),
         [] { return "paired_equivalence() was given lists of unequal length; give a pair of losses a seed"; });
  detail::expect_positive(margin, "the margin given to paired_equivalence()");
  expect(significance > 0 && significance < 0.5,
         [] { return "the significance of an equivalence test lies between 0 and 0.5"; });
  PairedEquivalence result;
  result.pairs = reference.size();
  result.margin = margin;
  std::vector<double> differences;
  for (std::size_t i = 0; i < reference.size(); ++i) differences.push_back(subject[i] - reference[i]);
  if (differences.size() == 1) result.mean_difference = differences[0];
  if (differences.size() < 2) return result;
  const Moments moments = moments_of(differences);
  const double n = static_cast<double>(moments.count), error = moments.deviation / std::sqrt(n);
  result.mean_difference = moments.mean;
  if (!(error > 0)) {
    result.lower = result.upper = moments.mean;
    result.probability = std::fabs(moments.mean) < margin ? 0 : 1;
    return result;
  }
  const double reach = student_t_quantile(1 - significance, n - 1) * error;
  result.lower = moments.mean - reach;
  result.upper = moments.mean + reach;
  result.probability = std::max(student_t_cdf(-(moments.mean + margin) / error, n - 1),
                                student_t_cdf(-(margin - moments.mean) / error, n - 1));
  return result;
}

ASSAY_DETAIL_HEADER_INLINE MegatronVerdict megatron_rule(std::span<const double> reference,
                                                         std::span<const double> subject) {
  expect(reference.size() == subject.size(), [] { return "megatron_rule() was given curves of unequal length"; });
  MegatronVerdict verdict;
  verdict.allowed = std::min<std::size_t>(std::max<std::size_t>(reference.size() / 100, 1), 50);
  for (std::size_t i = 0; i < reference.size(); ++i)
    if (!(std::fabs(subject[i] - reference[i]) <= 0.05 * std::fabs(reference[i]))) ++verdict.failing_steps;
  return verdict;
}

ASSAY_DETAIL_HEADER_INLINE std::size_t steps_to_target(std::span<const double> losses, double target) {
  for (std::size_t end = 1; end <= losses.size(); ++end) {
    const std::size_t count = std::min<std::size_t>(end, 5);
    double sum = 0;
    for (std::size_t i = end - count; i < end; ++i) sum += losses[i];
    if (sum <= target * static_cast<double>(count)) return end;
  }
  return 0;
}

ASSAY_DETAIL_HEADER_INLINE ReferenceConvergenceVerdict reference_convergence_rule(
    std::span<const std::vector<double>> reference, std::span<const std::vector<double>> subject, double target) {
  ReferenceConvergenceVerdict verdict;
  verdict.reached = true;
  const auto steps = [&](std::span<const std::vector<double>> curves) {
    std::vector<double> counts;
    for (const std::vector<double>& curve : curves) {
      counts.push_back(static_cast<double>(steps_to_target(curve, target)));
      if (counts.back() == 0) verdict.reached = false;
    }
    return moments_of(counts);
  };
  const Moments expected = steps(reference), found = steps(subject);
  verdict.reference_steps = expected.mean;
  verdict.subject_steps = found.mean;
  const double n = static_cast<double>(expected.count), m = static_cast<double>(found.count);
  const double pooled = std::sqrt(
      ((n - 1) * expected.deviation * expected.deviation + (m - 1) * found.deviation * found.deviation) / (n + m - 2));
  verdict.fewest = expected.mean - student_t_quantile(0.95, n + m - 2) * pooled * std::sqrt(1 / n + 1 / m);
  return verdict;
}

}  // namespace assay::inline v0
