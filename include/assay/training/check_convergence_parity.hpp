#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/report/text.hpp"
#include "assay/training/audit_training.hpp"
#include "assay/training/detail/training_outcome.hpp"
#include "assay/training/drift_bound.hpp"
#include "assay/training/loss_equivalence.hpp"
#include "assay/training/training_subject.hpp"

namespace assay::inline v0 {

/// How parity of convergence is judged.
struct ParityOptions {
  TrainingOptions training;
  int pairs = 6;  ///< seeds: `training.seed` and those after it
  double relative_margin =
      0.01;  ///< differences of final losses within this share of the reference's are of no consequence
  double significance = 0.05;    ///< of each of the two one-sided tests
  bool must_be_bitwise = false;  ///< the subject promises the reference's order of sums
};

namespace detail {

/// What comes of the runs of all seeds.
struct ParityRuns {
  std::vector<std::vector<double>> reference, subject;
  std::vector<double> reference_final, subject_final;
  Index first_difference = 0;  ///< the first step whose losses differ in a bit, over all seeds; 0: none
};

[[nodiscard]] inline bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(),
                     [](double value) { return std::isfinite(value) && std::fabs(value) <= largest_sample; });
}

}  // namespace detail

/// Whether distributed training converges as it does on one process. Trains with each seed on the subject and on the
/// reference, and asks, sharpest first:
///
/// 1. *steps*: recorded steps of the first seed are recomputed from the ranks' own weights (`audit_training`): faults
///    are named;
/// 2. *bits*: losses of all steps and seeds are equal bit for bit: the same order of sums. Then they are equivalent
///    without a test;
/// 3. *early steps*: losses of the first seed are no further apart than other orders of sums explain (`drift_bound`);
/// 4. *final losses*: two one-sided t-tests, paired by seed, against the margin (`paired_equivalence`).
///
/// Fails where 1, 3 or 4 refute, or 2 where it was promised; passes where 1 finds nothing and 2 or 4 prove equivalence;
/// else it is inconclusive. Errors of the subject are the verdict `error`, or `unsupported`. O(pairs) trainings of
/// each. Misuse: fewer than 1 pair, a margin that is not positive.
[[nodiscard]] Outcome check_convergence_parity(const TrainingSubject& subject, const ParityOptions& options = {},
                                               const TrainingSubject& reference = serial_training());

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/training/check_convergence_parity.ipp"
#endif
