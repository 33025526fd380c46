#pragma once

#include "assay/accuracy/rouge.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "assay/accuracy/detail/ngram_table.hpp"
#include "assay/accuracy/detail/unicode.hpp"
#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

using RougeTokens = std::vector<std::uint32_t>;

/// Words of ASCII letters and digits, in lower case. `kept` has the text that the table keeps views of.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE RougeTokens rouge_tokens(std::string_view text, WordTable& table,
                                                                  std::vector<std::string>& kept) {
  kept.push_back(lowercase(text));  // of all scripts first: the Kelvin sign becomes a k
  const std::string_view lower = kept.back();
  RougeTokens tokens;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= lower.size(); ++i) {
    const char c = i < lower.size() ? lower[i] : ' ';
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) continue;
    if (i > begin) tokens.push_back(table.number(lower.substr(begin, i - begin)));
    begin = i + 1;
  }
  return tokens;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Rouge rouge_of(double shared, std::size_t hypothesis, std::size_t reference) {
  Rouge rouge;
  rouge.precision = shared / static_cast<double>(std::max<std::size_t>(hypothesis, 1));
  rouge.recall = shared / static_cast<double>(std::max<std::size_t>(reference, 1));
  if (rouge.precision + rouge.recall > 0)
    rouge.f1 = 2 * rouge.precision * rouge.recall / (rouge.precision + rouge.recall);
  return rouge;
}

/// Lengths of longest common subsequences of beginnings, row by row of the reference.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<std::uint32_t> common_lengths(const RougeTokens& reference,
                                                                                   const RougeTokens& hypothesis) {
  const std::size_t width = hypothesis.size() + 1;
  std::vector<std::uint32_t> table(width * (reference.size() + 1), 0);
  for (std::size_t i = 1; i <= reference.size(); ++i)
    for (std::size_t j = 1; j < width; ++j)
      table[i * width + j] = reference[i - 1] == hypothesis[j - 1]
                                 ? table[(i - 1) * width + j - 1] + 1
                                 : std::max(table[(i - 1) * width + j], table[i * width + j - 1]);
  return table;
}

/// Marks the positions of the reference that one longest common subsequence has.
ASSAY_DETAIL_HEADER_INLINE void mark_common(const RougeTokens& reference, const RougeTokens& hypothesis,
                                            std::vector<bool>& marked) {
  const std::size_t width = hypothesis.size() + 1;
  const std::vector<std::uint32_t> table = common_lengths(reference, hypothesis);
  for (std::size_t i = reference.size(), j = hypothesis.size(); i > 0 && j > 0;) {
    if (reference[i - 1] == hypothesis[j - 1]) {
      marked[--i] = true;
      --j;
    } else if (table[i * width + j - 1] > table[(i - 1) * width + j]) {
      --j;
    } else {
      --i;
    }
  }
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<RougeTokens> lines_of(std::string_view text, WordTable& table,
                                                                           std::vector<std::string>& kept) {
  std::vector<RougeTokens> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) lines.push_back(rouge_tokens(text.substr(begin, end - begin), table, kept));
    begin = end + 1;
  }
  return lines;
}

/// Each word counts no more often than either side has it.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Rouge rouge_by_line(const std::vector<RougeTokens>& hypothesis,
                                                             const std::vector<RougeTokens>& reference) {
  std::map<std::uint32_t, std::size_t> ours, theirs;
  std::size_t our_length = 0, their_length = 0, shared = 0;
  for (const RougeTokens& line : hypothesis)
    for (const std::uint32_t token : line) ++ours[token], ++our_length;
  for (const RougeTokens& line : reference)
    for (const std::uint32_t token : line) ++theirs[token], ++their_length;
  if (our_length == 0 || their_length == 0) return {};
  for (const RougeTokens& line : reference) {
    std::vector<bool> marked(line.size(), false);
    for (const RougeTokens& other : hypothesis) mark_common(line, other, marked);
    for (std::size_t i = 0; i < line.size(); ++i)
      if (marked[i] && ours[line[i]] > 0 && theirs[line[i]] > 0) --ours[line[i]], --theirs[line[i]], ++shared;
  }
  return rouge_of(static_cast<double>(shared), our_length, their_length);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Rouge rouge(std::string_view hypothesis, std::string_view reference, const RougeKind& kind) {
  thread_local detail::WordTable table;
  table.clear();
  std::vector<std::string> kept;
  if (kind.order == 0 && kind.by_line) {
    kept.reserve(static_cast<std::size_t>(std::count(hypothesis.begin(), hypothesis.end(), '\n') +
                                          std::count(reference.begin(), reference.end(), '\n') + 2));
    const auto ours = detail::lines_of(hypothesis, table, kept);
    return detail::rouge_by_line(ours, detail::lines_of(reference, table, kept));
  }
  kept.reserve(2);
  const detail::RougeTokens ours = detail::rouge_tokens(hypothesis, table, kept),
                            theirs = detail::rouge_tokens(reference, table, kept);
  if (kind.order == 0) {
    if (ours.empty() || theirs.empty()) return {};
    return detail::rouge_of(detail::common_lengths(theirs, ours).back(), ours.size(), theirs.size());
  }
  detail::NgramOverlap overlap(kind.order);
  const std::vector<std::uint32_t> one[] = {theirs};
  return detail::rouge_of(static_cast<double>(overlap.shared(ours, one)[kind.order - 1]),
                          detail::ngram_count(ours.size(), kind.order), detail::ngram_count(theirs.size(), kind.order));
}

ASSAY_DETAIL_HEADER_INLINE Score rouge(const TextPairs& pairs, const RougeKind& kind) {
  detail::expect_pairs(pairs, "rouge()");
  Score score{"rouge" + (kind.order > 0 ? std::to_string(kind.order)
                         : kind.by_line ? "Lsum"
                                        : "L"),
              0,
              "1",
              true,
              "mean F1 over samples, best of several references; words of [a-z0-9] in lower case, no stemming, as "
              "rouge_score 0.1.2",
              {},
              {2, {}},
              mean_of_sums};
  double precision = 0, recall = 0;
  for (std::size_t i = 0; i < pairs.hypotheses.size(); ++i) {
    Rouge best;
    for (const std::string& reference : pairs.references[i]) {
      const Rouge own = rouge(pairs.hypotheses[i], reference, kind);
      if (own.f1 > best.f1) best = own;
    }
    precision += best.precision;
    recall += best.recall;
    score.statistics.add(std::vector<double>{best.f1, 1});
  }
  const auto count = static_cast<double>(pairs.hypotheses.size());
  score.value = mean_of_sums(score.statistics.sums());
  score.parts = {{"precision", precision / count, "1"}, {"recall", recall / count, "1"}};
  return score;
}

}  // namespace assay::inline v0
