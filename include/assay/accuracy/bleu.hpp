#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/accuracy/bleu_tokenizer.hpp"
#include "assay/accuracy/score.hpp"
#include "assay/accuracy/text_pairs.hpp"

namespace assay::inline v0 {

/// What BLEU puts in the place of a precision that is 0 (Chen, Cherry, "A systematic comparison of smoothing techniques
/// for sentence-level BLEU", 2014).
enum class BleuSmoothing {
  exponential,  ///< 1 / 2^i of a match for the i-th such order, as mteval-v13a
  floor,        ///< `value` of a match
  add_k,        ///< `value` more matches and n-grams in each order but the first
  none          ///< nothing: the score is 0
};

/// As sacrebleu names it: exp, floor, add-k, none.
[[nodiscard]] std::string_view name_of(BleuSmoothing smoothing) noexcept;
/// The smoothing of that name; nothing where the name is unknown.
[[nodiscard]] std::optional<BleuSmoothing> bleu_smoothing_named(std::string_view name) noexcept;

/// How BLEU is computed. The defaults are sacrebleu's.
struct BleuOptions {
  BleuTokenizer tokenizer = BleuTokenizer::v13a;
  BleuSmoothing smoothing = BleuSmoothing::exponential;
  std::optional<double> smoothing_value;  ///< of floor (0.1), add-k (1)
  std::size_t orders = 4;                 ///< n-grams up to this length, 1 to 9
  bool lowercase = false;                 ///< texts are brought to lower case first
  bool effective_order = false;           ///< orders that no hypothesis is long enough for do not count
};

/// BLEU of sums over a corpus.
struct Bleu {
  double score = 0;                ///< from 0 to 100
  std::vector<double> precisions;  ///< by order, from 0 to 100, smoothed
  double brevity_penalty = 1;      ///< exp(1 − reference / hypothesis) where hypotheses are shorter, else 1
};

/// BLEU of the sums {hypothesis tokens, reference tokens, matches by order, n-grams by order}. Source: Papineni et al.,
/// ACL 2002; what sacrebleu 2.6 makes of it. Misuse: sums of another length than 2 + 2 · orders.
[[nodiscard]] Bleu bleu_of_sums(std::span<const double> sums, const BleuOptions& options = {});

/// Corpus BLEU; of several references, n-grams are clipped by the largest count, and the length is the nearest (the
/// shorter of two). Its parts are precisions and brevity penalty. O(tokens · orders). Misuse: pairs that do not belong
/// together, orders outside 1 to 9.
[[nodiscard]] Score bleu(const TextPairs& pairs, const BleuOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/bleu.ipp"
#endif
