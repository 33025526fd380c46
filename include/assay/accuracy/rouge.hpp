#pragma once

#include <cstddef>
#include <string_view>

#include "assay/accuracy/score.hpp"
#include "assay/accuracy/text_pairs.hpp"

namespace assay::inline v0 {

/// Which overlap ROUGE counts.
struct RougeKind {
  std::size_t order = 1;  ///< n-grams of this length; 0: the longest common subsequence (ROUGE-L)
  bool by_line = false;   ///< of ROUGE-L: the union over lines, as of summaries (ROUGE-Lsum)
};

/// Overlap of one pair.
struct Rouge {
  double precision = 0;  ///< shared / of the hypothesis
  double recall = 0;     ///< shared / of the reference
  double f1 = 0;         ///< their harmonic mean
};

/// ROUGE of one pair: lower case, words of a to z and 0 to 9, no stemming. Source: Lin, ACL workshop 2004; what
/// rouge_score 0.1.2 makes of it. O(n) for n-grams, O(n·m) else.
[[nodiscard]] Rouge rouge(std::string_view hypothesis, std::string_view reference, const RougeKind& kind);

/// The mean F1 over samples, of several references the best. Misuse: pairs that do not belong together.
[[nodiscard]] Score rouge(const TextPairs& pairs, const RougeKind& kind);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/rouge.ipp"
#endif
