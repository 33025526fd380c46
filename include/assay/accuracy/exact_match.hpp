#pragma once

#include <cstdint>

#include "assay/accuracy/score.hpp"
#include "assay/accuracy/text_normalization.hpp"
#include "assay/accuracy/text_pairs.hpp"

namespace assay::inline v0 {

/// The share of samples whose text is that of a reference, byte by byte after normalization. `TextNormalization::
/// answers()` is SQuAD's. O(n). Misuse: pairs that do not belong together.
[[nodiscard]] Score exact_match(const TextPairs& pairs, const TextNormalization& normalization = {});

/// The mean over samples of the F1 of words that both have, of several references the best; SQuAD's second figure. Two
/// texts without words are equal. O(n log n). Misuse: as above.
[[nodiscard]] Score token_f1(const TextPairs& pairs,
                             const TextNormalization& normalization = TextNormalization::answers());

/// Generated solutions of one problem.
struct Attempts {
  std::uint64_t total = 0;   ///< solutions
  std::uint64_t passed = 0;  ///< of them
};

/// The chance that one of k solutions passes, of `attempts` of which some did, without bias: 1 − C(n−c, k) / C(n, k).
/// Source: Chen et al., "Evaluating large language models trained on code", 2021. O(k). Misuse: k outside 1 to total,
/// more passed than there are.
[[nodiscard]] double pass_at_k(const Attempts& attempts, std::uint64_t k);

/// The mean over problems. Misuse: as above.
[[nodiscard]] Score pass_at_k(std::span<const Attempts> problems, std::uint64_t k);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/exact_match.ipp"
#endif
