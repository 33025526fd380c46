#pragma once

#include <span>

#include "assay/accuracy/edit_alignment.hpp"
#include "assay/accuracy/score.hpp"
#include "assay/accuracy/text_normalization.hpp"
#include "assay/accuracy/text_pairs.hpp"

namespace assay::inline v0 {

/// Which share of edits.
enum class ErrorRate {
  word,              ///< WER: edits / reference words; may exceed 1
  character,         ///< CER: edits / reference characters, spaces among them
  match,             ///< MER: edits / (edits + hits)
  information_lost,  ///< WIL: 1 − hits² / (reference words · hypothesis words)
};

/// "wer", "cer", "mer", "wil".
[[nodiscard]] std::string_view name_of(ErrorRate rate) noexcept;

/// The rate of counts that are pooled over a corpus. Without a word in any reference: WER is the number of words
/// inserted, MER and WIL are 1, all are 0 without those; as jiwer. Source: Morris, Maier, Green, Interspeech 2004.
[[nodiscard]] double error_rate(const EditCounts& counts, ErrorRate rate) noexcept;

/// The rate over a corpus: edits are pooled, not averaged over sentences. Its parts are the counts, and how many
/// references were empty. Equal to jiwer 4 without normalization. O(Σ n·m). Misuse: pairs that do not belong together,
/// more than one reference for a sample.
[[nodiscard]] Score error_rate(const TextPairs& pairs, ErrorRate rate, const TextNormalization& normalization = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/word_errors.ipp"
#endif
