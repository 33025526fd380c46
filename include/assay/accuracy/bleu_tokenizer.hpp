#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace assay::inline v0 {

/// How BLEU cuts text into tokens. Scores of different tokenizers are different metrics.
enum class BleuTokenizer {
  v13a,           ///< punctuation apart, as mteval-v13a: what WMT reports
  international,  ///< punctuation and symbols of all scripts apart, as mteval-v14 with --international-tokenization
  chinese,        ///< each Chinese character a token, the rest as v13a
  character,      ///< each character a token
  none            ///< at white space
};

/// In the order of `BleuTokenizer`.
inline constexpr std::array<BleuTokenizer, 5> all_bleu_tokenizers{BleuTokenizer::v13a, BleuTokenizer::international,
                                                                  BleuTokenizer::chinese, BleuTokenizer::character,
                                                                  BleuTokenizer::none};

/// As sacrebleu names it in signatures: 13a, intl, zh, char, none.
[[nodiscard]] std::string_view name_of(BleuTokenizer tokenizer) noexcept;
/// The tokenizer of that name; nothing where the name is unknown.
[[nodiscard]] std::optional<BleuTokenizer> bleu_tokenizer_named(std::string_view name) noexcept;

/// The text with white space between tokens, white space at its end removed first. O(n).
[[nodiscard]] std::string bleu_tokenized(std::string_view text, BleuTokenizer tokenizer);

namespace detail {

/// Replaces every occurrence, from the left, of what does not overlap.
void replace_all(std::string& text, std::string_view what, std::string_view by);

}  // namespace detail

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/bleu_tokenizer.ipp"
#endif
