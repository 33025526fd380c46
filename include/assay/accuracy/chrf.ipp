#pragma once

#include "assay/accuracy/chrf.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assay/accuracy/detail/ngram_table.hpp"
#include "assay/accuracy/detail/prefix_overlap.hpp"
#include "assay/accuracy/detail/unicode.hpp"
#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"

namespace assay::inline v0 {

namespace detail {

/// A text as chrF counts it.
struct ChrfTokens {
  std::vector<std::uint32_t> characters, words;
};

[[nodiscard]] constexpr bool is_ascii_punctuation(char c) noexcept {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE ChrfTokens chrf_tokens(std::string_view text, const ChrfOptions& options,
                                                                WordTable& table) {
  ChrfTokens tokens;
  for (const char32_t point : code_points(text))
    if (options.white_space || !is_space(point)) tokens.characters.push_back(static_cast<std::uint32_t>(point));
  if (options.word_orders == 0) return tokens;
  for (const std::string_view word :
       split_at_spaces(text)) {  // one mark at the end, or else at the beginning, is apart
    const std::size_t last = word.size() - 1;
    const bool single = static_cast<unsigned char>(word.front()) >= 0x80 ? code_points(word).size() == 1 : last == 0;
    if (!single && is_ascii_punctuation(word.back())) {
      tokens.words.push_back(table.number(word.substr(0, last)));
      tokens.words.push_back(table.number(word.substr(last)));
    } else if (!single && is_ascii_punctuation(word.front())) {
      tokens.words.push_back(table.number(word.substr(0, 1)));
      tokens.words.push_back(table.number(word.substr(1)));
    } else {
      tokens.words.push_back(table.number(word));
    }
  }
  return tokens;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE double chrf_of_sums(std::span<const double> sums, const ChrfOptions& options) {
  constexpr double epsilon = 1e-16;
  const std::size_t orders = options.character_orders + options.word_orders;
  expect(sums.size() == 3 * orders, [] { return "chrf_of_sums() was given sums of another number of orders"; });
  const double factor = options.beta * options.beta;
  double score = 0, precisions = 0, recalls = 0, effective = 0;
  for (std::size_t n = 0; n < orders; ++n) {
    const double hypothesis = sums[3 * n], reference = sums[3 * n + 1], matches = sums[3 * n + 2];
    const double precision = hypothesis > 0 ? matches / hypothesis : epsilon,
                 recall = reference > 0 ? matches / reference : epsilon, denominator = factor * precision + recall;
    score += denominator > 0 ? (1 + factor) * precision * recall / denominator : epsilon;
    if (hypothesis > 0 && reference > 0) precisions += precision, recalls += recall, ++effective;
  }
  if (options.epsilon_smoothing) return 100 * score / static_cast<double>(orders);
  if (effective == 0) return 0;
  precisions /= effective;
  recalls /= effective;
  if (precisions + recalls == 0) return 0;
  return 100 * ((1 + factor) * precisions * recalls / (factor * precisions + recalls));
}

ASSAY_DETAIL_HEADER_INLINE Score chrf(const TextPairs& pairs, const ChrfOptions& options) {
  detail::expect_pairs(pairs, "chrf()");
  expect(options.character_orders >= 1 && options.beta > 0,
         [] { return "ChrfOptions has no character orders, or a β that is not positive"; });
  const std::size_t orders = options.character_orders + options.word_orders;
  Score score{options.word_orders == 0 ? "chrf" : "chrf++", 0, "%", true, {}, {}, {3 * orders, {}}, {}};
  score.convention = "corpus; nc:" + std::to_string(options.character_orders) +
                     " nw:" + std::to_string(options.word_orders) + " beta:" + detail::printed_number(options.beta) +
                     " case:" + (options.lowercase ? "lc" : "mixed") +
                     " space:" + (options.white_space ? "yes" : "no") +
                     " smoothing:" + (options.epsilon_smoothing ? "epsilon" : "effective order") + ", as sacrebleu 2.6";
  score.statistics.values.reserve(pairs.hypotheses.size() * score.statistics.width);
  detail::NgramOverlap characters(options.character_orders), words(options.word_orders);
  detail::PrefixOverlap prefixes;
  detail::WordTable table;
  std::vector<double> row(3 * orders), best(3 * orders);
  std::vector<std::vector<std::uint32_t>> one(1);
  for (std::size_t i = 0; i < pairs.hypotheses.size(); ++i) {
    table.clear();
    std::vector<std::string> kept;  // texts in lower case, of which the table keeps views
    kept.reserve(1 + pairs.references[i].size());
    const auto tokens_of = [&](const std::string& text) {
      if (!options.lowercase) return detail::chrf_tokens(text, options, table);
      kept.push_back(detail::lowercase(text));
      return detail::chrf_tokens(kept.back(), options, table);
    };
    const detail::ChrfTokens hypothesis = tokens_of(pairs.hypotheses[i]);
    double best_score = -1;
    for (const std::string& text : pairs.references[i]) {
      detail::ChrfTokens reference = tokens_of(text);
      const auto fill = [&](std::size_t first, std::size_t count, detail::NgramOverlap& overlap,
                            const std::vector<std::uint32_t>& ours, std::vector<std::uint32_t>& theirs) {
        const std::size_t length = theirs.size();
        const bool narrow = count <= detail::PrefixOverlap::most_orders && detail::PrefixOverlap::holds(ours) &&
                            detail::PrefixOverlap::holds(theirs);
        std::swap(one[0], theirs);
        const auto& shared = narrow ? prefixes.shared(ours, one[0], count) : overlap.shared(ours, one);
        for (std::size_t n = 0; n < count; ++n) {
          const std::size_t expected = detail::ngram_count(length, n + 1);
          row[3 * (first + n)] = expected == 0 ? 0 : static_cast<double>(detail::ngram_count(ours.size(), n + 1));
          row[3 * (first + n) + 1] = static_cast<double>(expected);
          row[3 * (first + n) + 2] = static_cast<double>(shared[n]);
        }
      };
      fill(0, options.character_orders, characters, hypothesis.characters, reference.characters);
      if (options.word_orders > 0)
        fill(options.character_orders, options.word_orders, words, hypothesis.words, reference.words);
      const double own = pairs.references[i].size() == 1 ? 0 : chrf_of_sums(row, options);
      if (own > best_score) best_score = own, best = row;
    }
    score.statistics.add(best);
  }
  score.of_sums = [options](std::span<const double> sums) { return chrf_of_sums(sums, options); };
  score.value = score.of_sums(score.statistics.sums());
  return score;
}

}  // namespace assay::inline v0
