#pragma once

#include <cstddef>
#include <span>

#include "assay/accuracy/score.hpp"
#include "assay/accuracy/text_pairs.hpp"

namespace assay::inline v0 {

/// How chrF is computed. The defaults are sacrebleu's chrF2; chrF++ has two word orders.
struct ChrfOptions {
  std::size_t character_orders = 6;  ///< character n-grams up to this length, 1 at least
  std::size_t word_orders = 0;       ///< and word n-grams: 2 of chrF++
  double beta = 2;                   ///< recall counts β² times as much as precision
  bool lowercase = false;            ///< texts are brought to lower case first
  bool white_space = false;          ///< white space is part of character n-grams
  bool epsilon_smoothing = false;    ///< the mean of F-scores, 1e-16 for what is missing, as chrF++.py, Moses and NLTK
};

/// chrF of the sums {hypothesis n-grams, reference n-grams, matches} by order, characters first, from 0 to 100: the
/// F-score of mean precision and mean recall over the orders that both have.
[[nodiscard]] double chrf_of_sums(std::span<const double> sums, const ChrfOptions& options = {});

/// Corpus chrF: of several references, the one with the best score of the sentence counts. Source: Popović, WMT 2015
/// and 2017; what sacrebleu 2.6 makes of it. O(characters · orders). Misuse: pairs that do not belong together, no
/// character orders, β that is not positive.
[[nodiscard]] Score chrf(const TextPairs& pairs, const ChrfOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/chrf.ipp"
#endif
