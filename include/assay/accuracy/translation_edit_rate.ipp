#pragma once

#include "assay/accuracy/translation_edit_rate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "assay/accuracy/detail/ngram_table.hpp"
#include "assay/accuracy/detail/unicode.hpp"
#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

using TranslationWords = std::vector<std::uint32_t>;

/// Edit distances of one reference from hypotheses of one length, in a band around the diagonal. Rows that two
/// hypotheses share, those of what both begin with, are computed once.
class BandedDistance {
 public:
  enum Step : std::uint8_t { none, match, substitute, only_hypothesis, only_reference };

  BandedDistance(std::span<const std::uint32_t> reference, std::size_t length)
      : reference_(reference),
        length_(length),
        width_(reference.size() + 1),
        cost_((length + 1) * width_, unreachable),
        step_((length + 1) * width_, none) {
    ratio_ = length > 0 ? static_cast<double>(reference.size()) / static_cast<double>(length) : 1;
    band_ = 25 < ratio_ / 2 ? static_cast<std::int64_t>(std::ceil(ratio_ / 2 + 25)) : 25;
    for (std::size_t j = 0; j < width_; ++j) cost_[j] = static_cast<std::uint32_t>(j), step_[j] = only_reference;
  }

  /// O(rows that changed · band).
  [[nodiscard]] std::size_t operator()(const TranslationWords& words) {
    std::size_t same = 0;
    while (same < words_.size() && words_[same] == words[same]) ++same;
    if (words_.empty()) same = 0;
    for (std::size_t i = same + 1; i <= length_; ++i) compute_row(i, words[i - 1]);
    words_ = words;
    return cost_[length_ * width_ + width_ - 1];
  }

  /// Of the words computed last, from the beginning to the end.
  [[nodiscard]] std::vector<Step> steps() const {
    std::vector<Step> steps;
    for (std::size_t i = length_, j = width_ - 1; i > 0 || j > 0;) {
      steps.push_back(step_[i * width_ + j]);
      if (steps.back() != only_reference) --i;
      if (steps.back() != only_hypothesis) --j;
    }
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

 private:
  static constexpr std::uint32_t unreachable = std::numeric_limits<std::uint32_t>::max() / 2;

  void compute_row(std::size_t i, std::uint32_t word) {
    std::uint32_t* const own = &cost_[i * width_];
    const std::uint32_t* const above = own - width_;
    Step* const steps = &step_[i * width_];
    const auto diagonal = static_cast<std::int64_t>(std::floor(static_cast<double>(i) * ratio_));
    const auto first = static_cast<std::size_t>(std::max<std::int64_t>(0, diagonal - band_));
    const std::size_t last =
        i == length_ ? width_ : std::min(width_, static_cast<std::size_t>(std::max<std::int64_t>(0, diagonal + band_)));
    std::fill(own, own + width_, unreachable);
    for (std::size_t j = first; j < last; ++j) {
      if (j == 0) {
        own[0] = above[0] + 1;
        steps[0] = only_hypothesis;
        continue;
      }
      const bool same = word == reference_[j - 1];
      const auto offer = [&](std::uint32_t cost, Step step) {
        if (cost < own[j]) own[j] = cost, steps[j] = step;
      };
      offer(above[j - 1] + (same ? 0 : 1), same ? match : substitute);
      offer(above[j] + 1, only_hypothesis);
      offer(own[j - 1] + 1, only_reference);
    }
  }

  std::span<const std::uint32_t> reference_;
  std::size_t length_, width_;
  double ratio_ = 1;
  std::int64_t band_ = 25;
  std::vector<std::uint32_t> cost_;
  std::vector<Step> step_;
  TranslationWords words_;
};

/// Where words of the reference stand in the hypothesis, and which of both are wrong.
struct TranslationAlignment {
  std::vector<std::int64_t> position;  ///< by word of the reference: of the hypothesis, −1 before its first
  std::vector<bool> wrong_reference, wrong_hypothesis;
};

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE TranslationAlignment
translation_alignment(const std::vector<BandedDistance::Step>& steps) {
  TranslationAlignment alignment;
  std::int64_t hypothesis = -1;
  for (const BandedDistance::Step step : steps) {
    const bool wrong = step != BandedDistance::match;
    if (step != BandedDistance::only_reference) ++hypothesis, alignment.wrong_hypothesis.push_back(wrong);
    if (step != BandedDistance::only_hypothesis)
      alignment.position.push_back(hypothesis), alignment.wrong_reference.push_back(wrong);
  }
  return alignment;
}

/// The words with `length` of them, from `start`, moved to before `target`.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE TranslationWords moved(const TranslationWords& words, std::size_t start,
                                                                std::size_t length, std::size_t target) {
  TranslationWords result;
  result.reserve(words.size());
  const auto append = [&](std::size_t begin, std::size_t end) {
    end = std::min(end, words.size());
    for (std::size_t i = begin; i < end; ++i) result.push_back(words[i]);
  };
  if (target < start) {
    append(0, target), append(start, start + length), append(target, start), append(start + length, words.size());
  } else if (target > start + length) {
    append(0, start), append(start + length, target), append(start, start + length), append(target, words.size());
  } else {
    append(0, start), append(start + length, length + target), append(start, start + length);
    append(length + target, words.size());
  }
  return result;
}

/// The move that spares most edits: of equals the longest, then the earliest, then the one to the earliest place.
struct TranslationMove {
  std::int64_t gain = 0;
  TranslationWords words;
};

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool any_of_range(const std::vector<bool>& flags, std::size_t begin,
                                                           std::size_t length) {
  for (std::size_t i = begin; i < begin + length; ++i)
    if (flags[i]) return true;
  return false;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE TranslationMove best_move(const TranslationWords& words,
                                                                   std::span<const std::uint32_t> reference,
                                                                   BandedDistance& distance, std::size_t& candidates) {
  constexpr std::size_t longest = 10, farthest = 50, most_candidates = 1000;
  using Rank = std::tuple<std::int64_t, std::size_t, std::int64_t, std::int64_t>;
  const auto before = static_cast<std::int64_t>(distance(words));
  const TranslationAlignment alignment = translation_alignment(distance.steps());
  TranslationMove best;
  Rank best_rank{};
  bool any = false;
  for (std::size_t start = 0; start < words.size(); ++start)
    for (std::size_t place = 0; place < reference.size(); ++place) {
      if ((place > start ? place - start : start - place) > farthest) continue;
      for (std::size_t length = 1;
           length <= longest && start + length <= words.size() && place + length <= reference.size() &&
           words[start + length - 1] == reference[place + length - 1];
           ++length) {
        if (!any_of_range(alignment.wrong_hypothesis, start, length) ||
            !any_of_range(alignment.wrong_reference, place, length))
          continue;
        const std::int64_t aligned = alignment.position[place];
        if (aligned >= static_cast<std::int64_t>(start) && aligned < static_cast<std::int64_t>(start + length))
          continue;
        std::int64_t previous = -1;
        for (std::size_t offset = 0; offset <= length;
             ++offset) {  // behind the word before `place`, and each of the run
          std::int64_t target = 0;
          if (place + offset > 0) {
            if (place + offset - 1 >= alignment.position.size()) break;
            target = alignment.position[place + offset - 1] + 1;
          }
          if (target == previous) continue;
          previous = target;
          TranslationWords shifted = moved(words, start, length, static_cast<std::size_t>(target));
          const Rank rank{before - static_cast<std::int64_t>(distance(shifted)), length,
                          -static_cast<std::int64_t>(start), -target};
          ++candidates;
          if (!any || rank > best_rank) any = true, best_rank = rank, best = {std::get<0>(rank), std::move(shifted)};
        }
        if (candidates >= most_candidates) return best;
      }
    }
  return best;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::size_t translation_edits(std::span<const std::uint32_t> hypothesis,
                                                         std::span<const std::uint32_t> reference) {
  if (reference.empty()) return hypothesis.size();
  detail::TranslationWords words(hypothesis.begin(), hypothesis.end());
  detail::BandedDistance distance(reference, words.size());
  std::size_t moves = 0, candidates = 0, edits = distance(words);
  while (edits > 0) {
    detail::TranslationMove move = detail::best_move(words, reference, distance, candidates);
    if (candidates >= 1000 || move.gain <= 0) break;
    ++moves;
    words = std::move(move.words);
    edits = distance(words);
  }
  return moves + distance(words);
}

ASSAY_DETAIL_HEADER_INLINE Score translation_edit_rate(const TextPairs& pairs, bool case_sensitive) {
  detail::expect_pairs(pairs, "translation_edit_rate()");
  Score score{"ter", 0, "%", false, {}, {}, {2, {}}, {}};
  score.convention = std::string("corpus; case:") + (case_sensitive ? "mixed" : "lc") +
                     " tok:tercom norm:no punct:yes asian:no, as sacrebleu 2.6";
  detail::WordTable table;
  for (std::size_t i = 0; i < pairs.hypotheses.size(); ++i) {
    table.clear();
    std::vector<std::string> kept;
    kept.reserve(1 + pairs.references[i].size());
    const auto words_of = [&](const std::string& text) {
      kept.push_back(case_sensitive ? text : detail::lowercase(text));
      detail::TranslationWords words;
      for (const std::string_view word : detail::split_at_spaces(kept.back())) words.push_back(table.number(word));
      return words;
    };
    const detail::TranslationWords hypothesis = words_of(pairs.hypotheses[i]);
    std::size_t least = std::numeric_limits<std::size_t>::max(), length = 0;
    for (const std::string& text : pairs.references[i]) {
      const detail::TranslationWords reference = words_of(text);
      least = std::min(least, translation_edits(hypothesis, reference));
      length += reference.size();
    }
    score.statistics.add(std::vector<double>{
        static_cast<double>(least), static_cast<double>(length) / static_cast<double>(pairs.references[i].size())});
  }
  score.of_sums = [](std::span<const double> sums) {
    return sums[1] > 0 ? 100 * (sums[0] / sums[1]) : sums[0] > 0 ? 100.0 : 0.0;
  };
  const std::vector<double> sums = score.statistics.sums();
  score.value = score.of_sums(sums);
  score.parts = {{"edits", sums[0], "edits"}, {"reference_words", sums[1], "words"}};
  return score;
}

}  // namespace assay::inline v0
