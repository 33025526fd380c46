#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::inline v0 {

/// What turns a reference into a hypothesis.
enum class EditKind {
  hit,           ///< both have it
  substitution,  ///< each has another
  deletion,      ///< the reference has it alone
  insertion      ///< the hypothesis has it alone
};

/// One step of an alignment; of an insertion `reference` is where it goes, of a deletion `hypothesis` where it is
/// missed.
struct Edit {
  EditKind kind = EditKind::hit;
  std::size_t reference = 0;   ///< position
  std::size_t hypothesis = 0;  ///< position
};

/// How often each kind of step occurs.
struct EditCounts {
  std::size_t hits = 0;           ///< both have it
  std::size_t substitutions = 0;  ///< each has another
  std::size_t deletions = 0;      ///< the reference alone has it
  std::size_t insertions = 0;     ///< the hypothesis alone has it

  /// Levenshtein's distance.
  [[nodiscard]] std::size_t edits() const noexcept { return substitutions + deletions + insertions; }
};

/// An alignment of least edits, from the beginning. Of several, the one that, from the end, deletes before it inserts
/// and inserts before it substitutes, after what both begin and end with is put aside: rapidfuzz's, and so jiwer's, for
/// tables below 8 million cells. O(n·m) time and memory. Misuse: n·m exceeds 2^32.
[[nodiscard]] std::vector<Edit> align_edits(std::span<const std::uint32_t> reference,
                                            std::span<const std::uint32_t> hypothesis);
/// Of texts by code point. Misuse: as above.
[[nodiscard]] std::vector<Edit> align_edits(std::string_view reference, std::string_view hypothesis);

/// The counts of that alignment.
[[nodiscard]] EditCounts count_edits(std::span<const std::uint32_t> reference,
                                     std::span<const std::uint32_t> hypothesis);

/// "[-old-]{+new+}" around what both have, for people; at most about `width` bytes around the first edit. UTF-8.
[[nodiscard]] std::string edit_text(std::string_view reference, std::string_view hypothesis, std::size_t width = 80);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/edit_alignment.ipp"
#endif
