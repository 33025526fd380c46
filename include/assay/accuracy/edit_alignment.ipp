#pragma once

#include "assay/accuracy/edit_alignment.hpp"

#include <algorithm>

#include "assay/accuracy/detail/unicode.hpp"
#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

namespace detail {

/// Calls `step(kind, reference, hypothesis)` from the end to the beginning.
template <class Step>
void visit_alignment(std::span<const std::uint32_t> reference, std::span<const std::uint32_t> hypothesis, Step step) {
  std::size_t prefix = 0, suffix = 0;
  while (prefix < reference.size() && prefix < hypothesis.size() && reference[prefix] == hypothesis[prefix]) ++prefix;
  while (suffix < reference.size() - prefix && suffix < hypothesis.size() - prefix &&
         reference[reference.size() - 1 - suffix] == hypothesis[hypothesis.size() - 1 - suffix])
    ++suffix;
  const std::size_t n = reference.size() - prefix - suffix, m = hypothesis.size() - prefix - suffix, width = n + 1;
  expect(n == 0 || m <= (std::size_t{1} << 32) / n,
         [] { return "an alignment of texts whose lengths multiply to more than 2^32 was asked for; cut them first"; });
  for (std::size_t i = 0; i < suffix; ++i) step(EditKind::hit, reference.size() - 1 - i, hypothesis.size() - 1 - i);
  std::size_t column = n, row = m;
  if (n > 0 && m > 0) {
    thread_local std::vector<std::uint32_t>
        distance;  // of hypothesis words before `row`, reference words before `column`
    distance.resize(width * (m + 1));
    for (std::size_t i = 0; i <= n; ++i) distance[i] = static_cast<std::uint32_t>(i);
    for (std::size_t j = 1; j <= m; ++j) {
      std::uint32_t* const own = &distance[j * width];
      const std::uint32_t* const above = own - width;
      own[0] = static_cast<std::uint32_t>(j);
      const std::uint32_t word = hypothesis[prefix + j - 1];
      for (std::size_t i = 1; i <= n; ++i)
        own[i] = std::min({above[i - 1] + (reference[prefix + i - 1] != word), above[i] + 1, own[i - 1] + 1});
    }
    while (row > 0 && column > 0) {
      const std::uint32_t* const own = &distance[row * width];
      if (own[column] == own[column - 1] + 1) {
        --column;
        step(EditKind::deletion, prefix + column, prefix + row);
      } else if (row > 1 && *(own - width + column) + 1 == *(own - width + column - 1)) {
        --row;
        step(EditKind::insertion, prefix + column, prefix + row);
      } else {
        --row;
        --column;
        const bool same = reference[prefix + column] == hypothesis[prefix + row];
        step(same ? EditKind::hit : EditKind::substitution, prefix + column, prefix + row);
      }
    }
    if (distance.size() > (std::size_t{1} << 24)) distance = {};
  }
  while (column > 0) step(EditKind::deletion, prefix + --column, prefix + row);
  while (row > 0) step(EditKind::insertion, prefix, prefix + --row);
  for (std::size_t i = prefix; i-- > 0;) step(EditKind::hit, i, i);
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<std::uint32_t> numbered_points(std::string_view text) {
  const std::u32string points = code_points(text);
  return {points.begin(), points.end()};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<Edit> align_edits(std::span<const std::uint32_t> reference,
                                                         std::span<const std::uint32_t> hypothesis) {
  std::vector<Edit> edits;
  detail::visit_alignment(reference, hypothesis, [&](EditKind kind, std::size_t i, std::size_t j) {
    edits.push_back({kind, i, j});
  });
  std::reverse(edits.begin(), edits.end());
  return edits;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<Edit> align_edits(std::string_view reference, std::string_view hypothesis) {
  return align_edits(detail::numbered_points(reference), detail::numbered_points(hypothesis));
}

ASSAY_DETAIL_HEADER_INLINE EditCounts count_edits(std::span<const std::uint32_t> reference,
                                                  std::span<const std::uint32_t> hypothesis) {
  EditCounts counts;
  detail::visit_alignment(reference, hypothesis, [&](EditKind kind, std::size_t, std::size_t) {
    switch (kind) {
      case EditKind::hit: ++counts.hits; break;
      case EditKind::substitution: ++counts.substitutions; break;
      case EditKind::deletion: ++counts.deletions; break;
      case EditKind::insertion: ++counts.insertions; break;
    }
  });
  return counts;
}

ASSAY_DETAIL_HEADER_INLINE std::string edit_text(std::string_view reference, std::string_view hypothesis,
                                                 std::size_t width) {
  std::u32string ours = detail::code_points(hypothesis), theirs = detail::code_points(reference);
  std::size_t same = 0;
  while (same < ours.size() && same < theirs.size() && ours[same] == theirs[same]) ++same;
  const std::size_t begin = same > width / 4 ? same - width / 4 : 0;
  const bool cut = std::max(ours.size(), theirs.size()) > begin + width;
  ours = ours.substr(begin, width);
  theirs = theirs.substr(begin, width);
  std::string text = begin > 0 ? "…" : "", removed, added;
  const auto flush = [&] {
    if (!removed.empty()) text += "[-" + removed + "-]";
    if (!added.empty()) text += "{+" + added + "+}";
    removed.clear();
    added.clear();
  };
  for (const Edit& edit : align_edits(detail::utf8(theirs), detail::utf8(ours))) {
    if (edit.kind == EditKind::hit) {
      flush();
      detail::append_utf8(text, theirs[edit.reference]);
      continue;
    }
    if (edit.kind != EditKind::insertion) detail::append_utf8(removed, theirs[edit.reference]);
    if (edit.kind != EditKind::deletion) detail::append_utf8(added, ours[edit.hypothesis]);
  }
  flush();
  return text + (cut ? "…" : "");
}

}  // namespace assay::inline v0
