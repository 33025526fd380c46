#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "assay/accuracy/score.hpp"
#include "assay/accuracy/text_pairs.hpp"

namespace assay::inline v0 {

/// Least edits of words that turn a hypothesis into a reference, where moving a run of words is one edit, found
/// greedily. Source: Snover et al., AMTA 2006, with the limits of sacrebleu 2.6 (runs up to 10 words, moved up to 50, a
/// band of 25 words around the diagonal, 1000 candidates). Words by number. O(n·m) a candidate.
[[nodiscard]] std::size_t translation_edits(std::span<const std::uint32_t> hypothesis,
                                            std::span<const std::uint32_t> reference);

/// TER over a corpus: edits to the nearest reference / mean length of references, from 0 up, in percent. Texts are
/// brought to lower case unless `case_sensitive`, and split at white space. Misuse: pairs that do not belong together.
[[nodiscard]] Score translation_edit_rate(const TextPairs& pairs, bool case_sensitive = false);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/translation_edit_rate.ipp"
#endif
