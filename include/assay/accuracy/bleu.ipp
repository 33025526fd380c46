#pragma once

#include "assay/accuracy/bleu.hpp"

#include <cmath>
#include <cstdint>
#include <utility>

#include "assay/accuracy/detail/ngram_table.hpp"
#include "assay/accuracy/detail/unicode.hpp"
#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"

namespace assay::inline v0 {

namespace detail {

constexpr std::string_view bleu_smoothing_names[] = {"exp", "floor", "add-k", "none"};

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE double smoothing_value(const BleuOptions& options) {
  return options.smoothing_value.value_or(options.smoothing == BleuSmoothing::floor ? 0.1 : 1.0);
}

/// Of two equally near lengths the shorter.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::size_t nearest_length(
    std::size_t length, std::span<const std::vector<std::uint32_t>> references) {
  std::size_t best = references.front().size();
  const auto distance = [&](std::size_t other) { return other > length ? other - length : length - other; };
  for (const auto& reference : references)
    if (std::pair(distance(reference.size()), reference.size()) < std::pair(distance(best), best))
      best = reference.size();
  return best;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string bleu_convention(const BleuOptions& options) {
  std::string text =
      "corpus; tok:" + std::string(name_of(options.tokenizer)) + " smooth:" + std::string(name_of(options.smoothing));
  if (options.smoothing == BleuSmoothing::floor || options.smoothing == BleuSmoothing::add_k)
    text += "[" + printed_number(smoothing_value(options)) + "]";
  return text + " case:" + (options.lowercase ? "lc" : "mixed") + " eff:" + (options.effective_order ? "yes" : "no") +
         " orders:" + std::to_string(options.orders) + ", as sacrebleu 2.6";
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string_view name_of(BleuSmoothing smoothing) noexcept {
  return detail::bleu_smoothing_names[static_cast<std::size_t>(smoothing)];
}

ASSAY_DETAIL_HEADER_INLINE std::optional<BleuSmoothing> bleu_smoothing_named(std::string_view name) noexcept {
  for (std::size_t i = 0; i < std::size(detail::bleu_smoothing_names); ++i)
    if (detail::bleu_smoothing_names[i] == name) return static_cast<BleuSmoothing>(i);
  return std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE Bleu bleu_of_sums(std::span<const double> sums, const BleuOptions& options) {
  const std::size_t orders = options.orders;
  expect(sums.size() == 2 + 2 * orders, [] { return "bleu_of_sums() was given sums of another number of orders"; });
  Bleu bleu;
  bleu.precisions.assign(orders, 0.0);
  const double length = sums[0], reference = sums[1];
  if (length < reference) bleu.brevity_penalty = length > 0 ? std::exp(1 - reference / length) : 0;
  bool any = false;
  for (std::size_t n = 0; n < orders; ++n) any = any || sums[2 + n] > 0;
  if (!any) return bleu;
  const double value = detail::smoothing_value(options);
  double halving = 1, logarithms = 0;
  std::size_t effective = orders;
  for (std::size_t n = 0; n < orders; ++n) {
    double matches = sums[2 + n], total = sums[2 + orders + n];
    if (options.smoothing == BleuSmoothing::add_k && n > 0) matches += value, total += value;
    if (total == 0) break;
    if (options.effective_order) effective = n + 1;
    if (matches > 0)
      bleu.precisions[n] = 100.0 * matches / total;
    else if (options.smoothing == BleuSmoothing::exponential)
      bleu.precisions[n] = 100.0 / ((halving *= 2) * total);
    else if (options.smoothing == BleuSmoothing::floor)
      bleu.precisions[n] = 100.0 * value / total;
  }
  for (std::size_t n = 0; n < effective; ++n)
    logarithms += bleu.precisions[n] == 0 ? -9999999999.0 : std::log(bleu.precisions[n]);
  bleu.score = bleu.brevity_penalty * std::exp(logarithms / static_cast<double>(effective));
  return bleu;
}

ASSAY_DETAIL_HEADER_INLINE Score bleu(const TextPairs& pairs, const BleuOptions& options) {
  detail::expect_pairs(pairs, "bleu()");
  const std::size_t orders = options.orders;
  expect(orders >= 1 && orders <= 9, [] { return "BleuOptions::orders is outside 1 to 9"; });
  Score score{"bleu", 0, "%", true, detail::bleu_convention(options), {}, {2 + 2 * orders, {}}, {}};
  score.statistics.values.reserve(pairs.hypotheses.size() * score.statistics.width);
  detail::NgramOverlap overlap(orders);
  detail::WordTable words;
  std::vector<std::string> texts;  // that the words of one sample are parts of
  const auto tokens_of = [&](const std::string& given) {
    texts.push_back(bleu_tokenized(options.lowercase ? detail::lowercase(given) : given, options.tokenizer));
    std::vector<std::uint32_t> tokens;
    for (const std::string_view word : detail::split_at_spaces(texts.back())) tokens.push_back(words.number(word));
    return tokens;
  };
  std::vector<double> row(2 + 2 * orders);
  std::vector<std::vector<std::uint32_t>> references;
  for (std::size_t i = 0; i < pairs.hypotheses.size(); ++i) {
    words.clear();
    texts.clear();
    texts.reserve(1 + pairs.references[i].size());
    references.clear();
    const std::vector<std::uint32_t> hypothesis = tokens_of(pairs.hypotheses[i]);
    for (const std::string& reference : pairs.references[i]) references.push_back(tokens_of(reference));
    const auto& shared = overlap.shared(hypothesis, references);
    row[0] = static_cast<double>(hypothesis.size());
    row[1] = static_cast<double>(detail::nearest_length(hypothesis.size(), references));
    for (std::size_t n = 0; n < orders; ++n) {
      row[2 + n] = static_cast<double>(shared[n]);
      row[2 + orders + n] = static_cast<double>(detail::ngram_count(hypothesis.size(), n + 1));
    }
    score.statistics.add(row);
  }
  score.of_sums = [options](std::span<const double> sums) { return bleu_of_sums(sums, options).score; };
  const std::vector<double> sums = score.statistics.sums();
  const Bleu whole = bleu_of_sums(sums, options);
  score.value = whole.score;
  for (std::size_t n = 0; n < orders; ++n)
    score.parts.push_back({"precision_" + std::to_string(n + 1), whole.precisions[n], "%"});
  score.parts.push_back({"brevity_penalty", whole.brevity_penalty, "1"});
  score.parts.push_back({"hypothesis_tokens", sums[0], "tokens"});
  score.parts.push_back({"reference_tokens", sums[1], "tokens"});
  return score;
}

}  // namespace assay::inline v0
