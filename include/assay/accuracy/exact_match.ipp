#pragma once

#include "assay/accuracy/exact_match.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "assay/accuracy/detail/unicode.hpp"
#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE double shared_word_f1(std::string_view ours, std::string_view theirs) {
  std::vector<std::string_view> a = split_at_spaces(ours), b = split_at_spaces(theirs), shared;
  if (a.empty() || b.empty()) return a.empty() && b.empty() ? 1 : 0;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(shared));
  if (shared.empty()) return 0;
  const auto count = static_cast<double>(shared.size());
  const double precision = count / static_cast<double>(a.size()), recall = count / static_cast<double>(b.size());
  return 2 * precision * recall / (precision + recall);
}

template <class Compare>
[[nodiscard]] Score best_of_references(const char* name, const TextPairs& pairs, const TextNormalization& normalization,
                                       Compare compare) {
  expect_pairs(pairs, name);
  Score score{
      name, 0,       "1",         true, "normalization: " + name_of(normalization) + "; best of several references",
      {},   {2, {}}, mean_of_sums};
  score.statistics.values.reserve(2 * pairs.hypotheses.size());
  const bool plain = name_of(normalization) == "none";
  for (std::size_t i = 0; i < pairs.hypotheses.size(); ++i) {
    const std::string ours = plain ? std::string() : normalized_text(pairs.hypotheses[i], normalization);
    double best = 0;
    for (const std::string& reference : pairs.references[i])
      best = std::max(best, plain ? compare(pairs.hypotheses[i], reference)
                                  : compare(ours, normalized_text(reference, normalization)));
    score.statistics.values.push_back(best);
    score.statistics.values.push_back(1);
  }
  score.value = mean_of_sums(score.statistics.sums());
  return score;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Score exact_match(const TextPairs& pairs, const TextNormalization& normalization) {
  Score score =
      detail::best_of_references("exact_match", pairs, normalization,
                                 [](const std::string& a, const std::string& b) { return a == b ? 1.0 : 0.0; });
  score.binary = true;
  return score;
}

ASSAY_DETAIL_HEADER_INLINE Score token_f1(const TextPairs& pairs, const TextNormalization& normalization) {
  return detail::best_of_references("token_f1", pairs, normalization, detail::shared_word_f1);
}

ASSAY_DETAIL_HEADER_INLINE double pass_at_k(const Attempts& attempts, std::uint64_t k) {
  expect(k >= 1 && k <= attempts.total && attempts.passed <= attempts.total, [&] {
    return "pass_at_k() was given k = " + std::to_string(k) + " for " + std::to_string(attempts.total) +
           " attempts of which " + std::to_string(attempts.passed) + " passed; k is 1 to the number of attempts";
  });
  if (attempts.total - attempts.passed < k) return 1;
  double none = 1;
  for (std::uint64_t i = 0; i < k; ++i)
    none *= static_cast<double>(attempts.total - attempts.passed - i) / static_cast<double>(attempts.total - i);
  return 1 - none;
}

ASSAY_DETAIL_HEADER_INLINE Score pass_at_k(std::span<const Attempts> problems, std::uint64_t k) {
  Score score{"pass_at_" + std::to_string(k),
              0,
              "1",
              true,
              "unbiased estimate of each problem, mean over problems",
              {},
              {2, {}},
              mean_of_sums};
  for (const Attempts& attempts : problems) score.statistics.add(std::vector<double>{pass_at_k(attempts, k), 1});
  score.value = mean_of_sums(score.statistics.sums());
  return score;
}

}  // namespace assay::inline v0
