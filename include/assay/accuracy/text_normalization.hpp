#pragma once

#include <string>
#include <string_view>

namespace assay::inline v0 {

/// What is done to texts before they are compared. The same must be done to both sides, and frozen: error rates of
/// different normalizations are different metrics. In the order of the members.
struct TextNormalization {
  bool lowercase = false;            ///< every code point that has a lower case
  bool expand_contractions = false;  ///< English: won't, can't, let's, n't, 're, 's, 'd, 'll, 't, 've, 'm in words
  bool remove_marked_words = false;  ///< what stands in <> or [], as `<unk>` and [laugh]
  bool remove_punctuation = false;   ///< every code point of category P
  bool remove_articles = false;      ///< English: a, an, the, as SQuAD does

  /// As jiwer's wer_standardize.
  [[nodiscard]] static constexpr TextNormalization standard() noexcept { return {true, true, true, false, false}; }
  /// As SQuAD's evaluation.
  [[nodiscard]] static constexpr TextNormalization answers() noexcept { return {true, false, false, true, true}; }
};

/// What is done, for the name of a metric: "lowercase, punctuation removed"; "none".
[[nodiscard]] std::string name_of(const TextNormalization& normalization);

/// The text normalized, runs of white space made one space, none at its ends. O(n).
[[nodiscard]] std::string normalized_text(std::string_view text, const TextNormalization& normalization);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/text_normalization.ipp"
#endif
