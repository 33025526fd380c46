#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "assay/statistics/distributions.hpp"
#include "assay/statistics/moments.hpp"

namespace assay::inline v0 {

/// Whether two trainers end at the same loss, by runs paired by their seeds. Losses in nats a token, or any unit that both have.
struct PairedEquivalence {
  std::size_t pairs = 0;                                    ///< of runs
  double margin = 0;                                        ///< differences within ± this are of no consequence
  double mean_difference = 0;                               ///< subject − reference
  double lower = -std::numeric_limits<double>::infinity();  ///< of the interval of the mean difference, of confidence 1 − 2·significance
  double upper = std::numeric_limits<double>::infinity();   ///< of the interval of the difference
  double probability = 1;                                   ///< the larger of both tests': below `significance` they are equivalent

  /// Whether the whole interval lies within the margin.
  [[nodiscard]] bool equivalent() const { return -margin < lower && upper < margin; }
  /// Different by more than the margin, with the same confidence.
  [[nodiscard]] bool different() const { return lower > margin || upper < -margin; }
};

/// Two one-sided t-tests of the paired differences d: t₁ = (d̄ + margin)/(s/√n), t₂ = (margin − d̄)/(s/√n), both against t_{n−1}. Schuirmann, "A comparison
/// of the two one-sided tests procedure and the power approach …", J. Pharmacokinetics and Biopharmaceutics 15 (1987). Pairing by seed takes the
/// spread between seeds out of s. Fewer than two pairs prove nothing. Differences that are all alike have s = 0, and are judged as they are.
/// O(n). Misuse: lists of unequal length, a margin that is not positive, losses that are not finite (judge those before).
[[nodiscard]] inline PairedEquivalence paired_equivalence(std::span<const double> reference, std::span<const double> subject, double margin,
                                                          double significance = 0.05) {
  expect(reference.size() == subject.size(),
         [] { return "paired_equivalence() was given lists of unequal length; give a pair of losses a seed"; });
  detail::expect_positive(margin, "the margin given to paired_equivalence()");
  expect(significance > 0 && significance < 0.5, [] { return "the significance of an equivalence test lies between 0 and 0.5"; });
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
  result.probability =
      std::max(student_t_cdf(-(moments.mean + margin) / error, n - 1), student_t_cdf(-(margin - moments.mean) / error, n - 1));
  return result;
}

/// Megatron-LM's rule for two loss curves, to compare with: a step fails where the losses differ by more than 5 %; min(max(⌊1 % of steps⌋, 1), 50) may.
struct MegatronVerdict {
  /// Steps, and how many of them may fail.
  std::size_t failing_steps = 0, allowed = 0;
  /// Whether no more steps fail than may.
  [[nodiscard]] bool accepted() const { return failing_steps <= allowed; }
};
/// Misuse: curves of unequal length.
[[nodiscard]] inline MegatronVerdict megatron_rule(std::span<const double> reference, std::span<const double> subject) {
  expect(reference.size() == subject.size(), [] { return "megatron_rule() was given curves of unequal length"; });
  MegatronVerdict verdict;
  verdict.allowed = std::min<std::size_t>(std::max<std::size_t>(reference.size() / 100, 1), 50);
  for (std::size_t i = 0; i < reference.size(); ++i)
    if (!(std::fabs(subject[i] - reference[i]) <= 0.05 * std::fabs(reference[i]))) ++verdict.failing_steps;
  return verdict;
}

/// The test of MLPerf's reference convergence points, to compare with: a submission must not need significantly fewer steps to its target than the
/// reference: one-sided t-test of two means, p = 0.05. It does not ask whether the submission needs more.
struct ReferenceConvergenceVerdict {
  double reference_steps = 0, subject_steps = 0;  ///< means
  double fewest = 0;                              ///< that are accepted
  bool reached = false;                           ///< both came to the target in all runs: else it says nothing
  /// Whether the subject reached its target, and not too early.
  [[nodiscard]] bool accepted() const { return reached && subject_steps >= fewest; }
};
/// The first step whose loss, averaged over itself and the four before it, is at most `target`; 0: none.
[[nodiscard]] inline std::size_t steps_to_target(std::span<const double> losses, double target) {
  for (std::size_t end = 1; end <= losses.size(); ++end) {
    const std::size_t count = std::min<std::size_t>(end, 5);
    double sum = 0;
    for (std::size_t i = end - count; i < end; ++i) sum += losses[i];
    if (sum <= target * static_cast<double>(count)) return end;
  }
  return 0;
}
/// Misuse: fewer than two curves on a side.
[[nodiscard]] inline ReferenceConvergenceVerdict reference_convergence_rule(std::span<const std::vector<double>> reference,
                                                                            std::span<const std::vector<double>> subject, double target) {
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
  const double pooled =
      std::sqrt(((n - 1) * expected.deviation * expected.deviation + (m - 1) * found.deviation * found.deviation) / (n + m - 2));
  verdict.fewest = expected.mean - student_t_quantile(0.95, n + m - 2) * pooled * std::sqrt(1 / n + 1 / m);
  return verdict;
}

}  // namespace assay::inline v0
