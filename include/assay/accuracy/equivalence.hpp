#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "assay/accuracy/mcnemar.hpp"
#include "assay/accuracy/resampling.hpp"
#include "assay/accuracy/score.hpp"
#include "assay/core/verdict.hpp"

namespace assay::inline v0 {

/// "Within ±margin", as a claim about the population that the samples stand for.
struct EquivalenceClaim {
  double margin = 0.5;       ///< in the unit of the metric; positive
  double error_rate = 0.05;  ///< how often the claim may be accepted though the truth lies at the margin
  double power = 0.8;        ///< how often it is to be accepted where there is no difference, for `samples_needed`
};

/// What samples say of a claim.
struct EquivalenceJudgment {
  Verdict verdict =
      Verdict::inconclusive;       ///< pass: within; fail: outside, or no number; inconclusive: too few to tell
  DifferenceInterval interval;     ///< of candidate − baseline, at confidence 1 − 2 · error_rate
  std::size_t samples = 0;         ///< that were compared
  std::size_t samples_needed = 0;  ///< for the claim's power, as far as these samples tell their scatter; 0: unknown
  double p_difference = 1;         ///< of no difference at all: McNemar's exact, or by permutation
  std::string method;              ///< the tests that were used
  std::string reason;              ///< one sentence
};

namespace detail {

/// Fewer samples decide nothing where they are resampled.
inline constexpr std::size_t fewest_to_resample = 30;
void expect_claim(const EquivalenceClaim& claim);
/// Sets verdict, samples needed and the sentence, of an interval that is there.
void conclude(EquivalenceJudgment& judgment, const EquivalenceClaim& claim, double deviation_of_sample, bool too_few);

}  // namespace detail

/// Two one-sided tests: the interval at 1 − 2·error_rate lies within ±margin (pass), does not touch ±margin (fail), or
/// neither. An estimate that is NaN or infinite fails whatever the interval. Source: Schuirmann, J. Pharmacokinet.
/// Biopharm. 15 (1987). Misuse: a margin that is not positive.
[[nodiscard]] Verdict judge_equivalence(const DifferenceInterval& interval, double margin);

/// Samples for which two one-sided tests accept a true difference of 0 with that power, where differences of single
/// samples scatter by `deviation`: ((z_{1−α} + z_{(1+power)/2}) · deviation / margin)². Misuse: shares outside (0, 1).
[[nodiscard]] std::size_t samples_for_margin(double deviation, const EquivalenceClaim& claim);

/// Judges a candidate against a baseline on the same samples: accuracies (`Score::binary`) by Tango's interval and
/// McNemar's test, other metrics by the paired bootstrap and permutation, for which fewer than 30 samples decide
/// nothing. Misuse: scores of different names, conventions or numbers of samples, or without statistics by sample.
[[nodiscard]] EquivalenceJudgment compare_scores(const Score& candidate, const Score& baseline,
                                                 const EquivalenceClaim& claim, const ResamplingOptions& options = {});

/// Judges a score against a number that somebody states, without its samples: the interval is the bootstrap's, of
/// accuracies Wilson's. Misuse: no statistics by sample.
[[nodiscard]] EquivalenceJudgment compare_with_stated(const Score& candidate, double stated,
                                                      const EquivalenceClaim& claim,
                                                      const ResamplingOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/equivalence.ipp"
#endif
