#pragma once

#include "assay/accuracy/top_k.hpp"

#include <cmath>
#include <string>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// Classes that stand before a label, and beside it.
struct LabelPlace {
  std::size_t above = 0, equal_before = 0, equal_behind = 0;
  bool any_not_number = false;
};

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE LabelPlace place_of_label(std::span<const float> scores, std::size_t label) {
  expect(label < scores.size(), [&] {
    return "label " + std::to_string(label) + " has no score among " + std::to_string(scores.size()) + " classes";
  });
  LabelPlace place;
  const float own = scores[label];
  for (std::size_t i = 0; i < scores.size(); ++i) {
    place.above += scores[i] > own ? 1 : 0;
    if (scores[i] == own && i != label) ++(i < label ? place.equal_before : place.equal_behind);
    place.any_not_number = place.any_not_number || std::isnan(scores[i]);
  }
  if (std::isnan(own)) place.above = scores.size() - 1;
  return place;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::size_t rank_of(const LabelPlace& place, TieRule rule) noexcept {
  switch (rule) {
    case TieRule::lowest_index: return place.above + place.equal_before;
    case TieRule::highest_index: return place.above + place.equal_behind;
    case TieRule::pessimistic: return place.above + place.equal_before + place.equal_behind;
    case TieRule::optimistic: break;
  }
  return place.above;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string_view name_of(TieRule rule) noexcept {
  constexpr std::string_view names[] = {"lowest_index", "highest_index", "pessimistic", "optimistic"};
  return names[static_cast<std::size_t>(rule)];
}

ASSAY_DETAIL_HEADER_INLINE std::size_t rank_of_label(std::span<const float> scores, std::size_t label, TieRule rule) {
  return detail::rank_of(detail::place_of_label(scores, label), rule);
}

ASSAY_DETAIL_HEADER_INLINE Score top_k_accuracy(const LabeledScores& samples, std::size_t k, TieRule rule) {
  expect(samples.classes >= 1 && k >= 1 && samples.scores.size() == samples.labels.size() * samples.classes, [&] {
    return "top_k_accuracy() was given " + std::to_string(samples.scores.size()) + " scores for " +
           std::to_string(samples.labels.size()) + " labels of " + std::to_string(samples.classes) +
           " classes; give classes scores a label, and k = 1 or more";
  });
  Score score{
      "top" + std::to_string(k), 0, "1", true, "ties: " + std::string(name_of(rule)), {}, {2, {}}, mean_of_sums};
  score.binary = true;
  score.statistics.values.reserve(2 * samples.labels.size());
  double lower = 0, upper = 0, not_numbers = 0;
  for (std::size_t i = 0; i < samples.labels.size(); ++i) {
    expect(samples.labels[i] >= 0, [&] { return "label " + std::to_string(samples.labels[i]) + " is negative"; });
    const auto place = detail::place_of_label(samples.scores.subspan(i * samples.classes, samples.classes),
                                              static_cast<std::size_t>(samples.labels[i]));
    const auto right = [&](TieRule own) {
      return !place.any_not_number && detail::rank_of(place, own) < k ? 1.0 : 0.0;
    };
    lower += right(TieRule::pessimistic);
    upper += right(TieRule::optimistic);
    not_numbers += place.any_not_number ? 1 : 0;
    score.statistics.values.push_back(right(rule));
    score.statistics.values.push_back(1);
  }
  const auto count = static_cast<double>(samples.labels.size());
  score.value = mean_of_sums(score.statistics.sums());
  score.parts = {{"ties_lower_bound", lower / count, "1"},
                 {"ties_upper_bound", upper / count, "1"},
                 {"samples_that_ties_decide", upper - lower, "samples"},
                 {"samples_with_nan", not_numbers, "samples"},
                 {"samples", count, "samples"}};
  return score;
}

}  // namespace assay::inline v0
