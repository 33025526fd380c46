#pragma once

#include <cstdint>

namespace assay::inline v0 {

/// Two classifiers on the same samples: what one alone has right. Samples that both have right, or both wrong, say
/// nothing of a difference.
struct Discordance {
  std::uint64_t only_candidate = 0;  ///< right by the candidate alone
  std::uint64_t only_baseline = 0;   ///< right by the baseline alone
  std::uint64_t samples = 0;         ///< all of them
};

/// McNemar's test of equal accuracy.
struct McNemar {
  double exact = 1;        ///< two-sided, binomial: never below what it promises
  double mid_p = 1;        ///< without half of the chance of what was seen: nearer to the level
  double chi_squared = 1;  ///< by χ² with continuity correction, as textbooks have it
};

/// The test. Source: McNemar, Psychometrika 12 (1947); mid-p: Fagerland, Lydersen, Laake, BMC Med. Res. Methodol. 13
/// (2013). O(discordant samples). Misuse: more discordant samples than samples.
[[nodiscard]] McNemar mcnemar(const Discordance& pairs);

/// An interval of candidate − baseline.
struct DifferenceInterval {
  double estimate = 0;  ///< of the samples themselves
  double lower = 0;     ///< of the interval
  double upper = 0;     ///< of the interval
};

/// The interval of the difference of two accuracies on the same samples, by inverting the score test: it holds its
/// confidence where few samples, or none, differ (±z²/(n + z²) then). Source: Tango, Statistics in Medicine 17 (1998).
/// Misuse: no samples, confidence outside (0, 1).
[[nodiscard]] DifferenceInterval paired_proportion_interval(const Discordance& pairs, double confidence = 0.95);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/mcnemar.ipp"
#endif
