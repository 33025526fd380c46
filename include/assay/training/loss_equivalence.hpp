#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "assay/statistics/distributions.hpp"
#include "assay/statistics/moments.hpp"

namespace assay::inline v0 {

/// Whether two trainers end at the same loss, by runs paired by their seeds. Losses in nats a token, or any unit that
/// both have.
struct PairedEquivalence {
  std::size_t pairs = 0;       ///< of runs
  double margin = 0;           ///< differences within ± this are of no consequence
  double mean_difference = 0;  ///< subject − reference
  double lower = -std::numeric_limits<
      double>::infinity();  ///< of the interval of the mean difference, of confidence 1 − 2·significance
  double upper = std::numeric_limits<double>::infinity();  ///< of the interval of the difference
  double probability = 1;  ///< the larger of both tests': below `significance` they are equivalent

  /// Whether the whole interval lies within the margin.
  [[nodiscard]] bool equivalent() const { return -margin < lower && upper < margin; }
  /// Different by more than the margin, with the same confidence.
  [[nodiscard]] bool different() const { return lower > margin || upper < -margin; }
};

/// Two one-sided t-tests of the paired differences d: t₁ = (d̄ + margin)/(s/√n), t₂ = (margin − d̄)/(s/√n), both
/// against t_{n−1}. Schuirmann, "A comparison of the two one-sided tests procedure and the power approach …", J.
/// Pharmacokinetics and Biopharmaceutics 15 (1987). Pairing by seed takes the spread between seeds out of s. Fewer than
/// two pairs prove nothing. Differences that are all alike have s = 0, and are judged as they are. O(n). Misuse: lists
/// of unequal length, a margin that is not positive, losses that are not finite (judge those before).
[[nodiscard]] PairedEquivalence paired_equivalence(std::span<const double> reference, std::span<const double> subject,
                                                   double margin, double significance = 0.05);

/// Megatron-LM's rule for two loss curves, to compare with: a step fails where the losses differ by more than 5 %;
/// min(max(⌊1 % of steps⌋, 1), 50) may.
struct MegatronVerdict {
  /// Steps, and how many of them may fail.
  std::size_t failing_steps = 0, allowed = 0;
  /// Whether no more steps fail than may.
  [[nodiscard]] bool accepted() const { return failing_steps <= allowed; }
};
/// Misuse: curves of unequal length.
[[nodiscard]] MegatronVerdict megatron_rule(std::span<const double> reference, std::span<const double> subject);

/// The test of MLPerf's reference convergence points, to compare with: a submission must not need significantly fewer
/// steps to its target than the reference: one-sided t-test of two means, p = 0.05. It does not ask whether the
/// submission needs more.
struct ReferenceConvergenceVerdict {
  double reference_steps = 0, subject_steps = 0;  ///< means
  double fewest = 0;                              ///< that are accepted
  bool reached = false;                           ///< both came to the target in all runs: else it says nothing
  /// Whether the subject reached its target, and not too early.
  [[nodiscard]] bool accepted() const { return reached && subject_steps >= fewest; }
};
/// The first step whose loss, averaged over itself and the four before it, is at most `target`; 0: none.
[[nodiscard]] std::size_t steps_to_target(std::span<const double> losses, double target);
/// Misuse: fewer than two curves on a side.
[[nodiscard]] ReferenceConvergenceVerdict reference_convergence_rule(std::span<const std::vector<double>> reference,
                                                                     std::span<const std::vector<double>> subject,
                                                                     double target);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/training/loss_equivalence.ipp"
#endif
