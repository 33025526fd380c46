#pragma once

#include "assay/accuracy/word_errors.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "assay/accuracy/detail/ngram_table.hpp"
#include "assay/accuracy/detail/unicode.hpp"
#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string_view name_of(ErrorRate rate) noexcept {
  constexpr std::string_view names[] = {"wer", "cer", "mer", "wil"};
  return names[static_cast<std::size_t>(rate)];
}

ASSAY_DETAIL_HEADER_INLINE double error_rate(const EditCounts& counts, ErrorRate rate) noexcept {
  const auto hits = static_cast<double>(counts.hits), edits = static_cast<double>(counts.edits());
  const double reference = hits + static_cast<double>(counts.substitutions + counts.deletions),
               hypothesis = hits + static_cast<double>(counts.substitutions + counts.insertions);
  switch (rate) {
    case ErrorRate::word:
    case ErrorRate::character: return reference == 0 ? hypothesis : edits / reference;
    case ErrorRate::match: return hits + edits == 0 ? 0 : edits / (hits + edits);
    case ErrorRate::information_lost:
      if (reference == 0 || hypothesis == 0) return reference == hypothesis ? 0 : 1;
      return 1 - (hits / reference) * (hits / hypothesis);
  }
  return 0;
}

ASSAY_DETAIL_HEADER_INLINE Score error_rate(const TextPairs& pairs, ErrorRate rate,
                                            const TextNormalization& normalization) {
  detail::expect_pairs(pairs, "error_rate()");
  Score score{std::string(name_of(rate)), 0, "1", false, {}, {}, {4, {}}, {}};
  score.convention = "pooled over the corpus; normalization: " + name_of(normalization) + ", as jiwer 4";
  score.statistics.values.reserve(pairs.hypotheses.size() * 4);
  detail::WordTable words;
  const bool plain = name_of(normalization) == "none";
  EditCounts total;
  std::size_t empty = 0;
  for (std::size_t i = 0; i < pairs.hypotheses.size(); ++i) {
    expect(pairs.references[i].size() == 1, [] { return "error_rate() takes one reference for each hypothesis"; });
    words.clear();
    std::string texts[2];
    std::vector<std::uint32_t> tokens[2];
    for (const std::size_t side : {0u, 1u}) {
      const std::string& given = side == 0 ? pairs.references[i].front() : pairs.hypotheses[i];
      if (!plain) texts[side] = normalized_text(given, normalization);
      const std::string_view text = plain ? std::string_view(given) : texts[side];
      if (rate == ErrorRate::character) {
        for (const char32_t point : detail::code_points(detail::stripped(text)))
          tokens[side].push_back(static_cast<std::uint32_t>(point));
      } else {
        for (const std::string_view word : detail::split_at_spaces(text)) tokens[side].push_back(words.number(word));
      }
    }
    if (tokens[0].empty()) ++empty;
    const EditCounts counts = count_edits(tokens[0], tokens[1]);
    score.statistics.add(
        std::vector<double>{static_cast<double>(counts.hits), static_cast<double>(counts.substitutions),
                            static_cast<double>(counts.deletions), static_cast<double>(counts.insertions)});
  }
  const auto counts_of = [](std::span<const double> sums) {
    const auto count = [&](std::size_t i) { return static_cast<std::size_t>(sums[i]); };
    return EditCounts{count(0), count(1), count(2), count(3)};
  };
  score.of_sums = [rate, counts_of](std::span<const double> sums) { return error_rate(counts_of(sums), rate); };
  total = counts_of(score.statistics.sums());
  score.value = error_rate(total, rate);
  const char* const unit = rate == ErrorRate::character ? "characters" : "words";
  score.parts = {{"hits", static_cast<double>(total.hits), unit},
                 {"substitutions", static_cast<double>(total.substitutions), unit},
                 {"deletions", static_cast<double>(total.deletions), unit},
                 {"insertions", static_cast<double>(total.insertions), unit},
                 {"empty_references", static_cast<double>(empty), "samples"}};
  return score;
}

}  // namespace assay::inline v0
