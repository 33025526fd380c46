#pragma once

#include "assay/serving/tiny_decoder.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "assay/core/misuse.hpp"
#include "assay/core/stable_sort.hpp"
#include "assay/statistics/random_sequence.hpp"

namespace assay::inline v0 {
namespace detail {

using TinyVector = std::array<float, TinyDecoder::width>;

inline std::vector<float> tiny_weights(RandomSequence& random, std::size_t count, double scale) {
  std::vector<float> weights(count);
  for (float& weight : weights)
    weight = static_cast<float>((static_cast<double>(random.next() >> 11) * 0x1p-52 - 1) * scale);
  return weights;
}

inline TinyVector tiny_product(const std::vector<float>& matrix, const TinyVector& x) {
  TinyVector y{};
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) y[i] += matrix[i * x.size() + j] * x[j];
  return y;
}

/// Rank one: b (a · x), both by the adapter's number.
inline void add_adapter(TinyVector& y, const TinyVector& x, std::size_t adapter) {
  if (adapter == 0) return;
  RandomSequence random(0xADA0 + adapter);
  const std::vector<float> both = tiny_weights(random, 2 * x.size(), 1);
  float along = 0;
  for (std::size_t i = 0; i < x.size(); ++i) along += both[i] * x[i];
  for (std::size_t i = 0; i < x.size(); ++i) y[i] += both[x.size() + i] * along;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE TinyDecoder::TinyDecoder(std::uint64_t seed) {
  detail::RandomSequence random(seed);
  embedding_ = detail::tiny_weights(random, vocabulary * width, 1);
  for (std::vector<float>& weights : weights_) weights = detail::tiny_weights(random, width * width, 0.9);
}

ASSAY_DETAIL_HEADER_INLINE std::vector<float> TinyDecoder::step(std::size_t token, std::size_t position,
                                                                std::size_t adapter,
                                                                const std::function<const TinySlot&(std::size_t)>& slot,
                                                                TinySlot& own, const Attention& attention) const {
  expect(token < vocabulary, [] { return "TinyDecoder::step() was given a token outside the vocabulary"; });
  detail::TinyVector x{};
  for (std::size_t i = 0; i < width; ++i)
    x[i] = embedding_[token * width + i] +
           static_cast<float>(std::sin(0.37 * static_cast<double>((position + 1) * (i + 1))));
  for (std::size_t layer = 0; layer < 2; ++layer) {
    const detail::TinyVector query = detail::tiny_product(weights_[3 * layer], x),
                             key = detail::tiny_product(weights_[3 * layer + 1], x);
    detail::TinyVector value = detail::tiny_product(weights_[3 * layer + 2], x);
    detail::add_adapter(value, x, adapter);
    const std::size_t at = 2 * layer * width;
    std::copy(key.begin(), key.end(), own.begin() + static_cast<std::ptrdiff_t>(at));
    std::copy(value.begin(), value.end(), own.begin() + static_cast<std::ptrdiff_t>(at + width));
    static const TinySlot zeros{};
    std::vector<const TinySlot*> slots;
    for (std::size_t j = attention.first; j < position; ++j) slots.push_back(&slot(j));
    slots.push_back(&own);
    for (std::size_t j = 0; j < attention.padding; ++j) slots.push_back(&zeros);
    if (attention.backwards) std::reverse(slots.begin(), slots.end());
    std::vector<float> scores;
    for (const TinySlot* other : slots) {
      float score = 0;
      for (std::size_t i = 0; i < width; ++i) score += query[i] * (*other)[at + i];
      scores.push_back(score / std::sqrt(static_cast<float>(width)));
    }
    const float largest = *std::max_element(scores.begin(), scores.end());
    float sum = 0;
    for (float& score : scores) sum += score = std::exp(score - largest);
    detail::TinyVector attended{};
    for (std::size_t j = 0; j < slots.size(); ++j)
      for (std::size_t i = 0; i < width; ++i) attended[i] += scores[j] / sum * (*slots[j])[at + width + i];
    for (std::size_t i = 0; i < width; ++i) x[i] += attended[i];
  }
  std::vector<float> logits(vocabulary);
  for (std::size_t other = 0; other < vocabulary; ++other)
    for (std::size_t i = 0; i < width; ++i) logits[other] += embedding_[other * width + i] * x[i];
  return logits;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::size_t> ranked_tokens(std::span<const float> logits) {
  std::vector<std::size_t> order(logits.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  detail::stable_sort(order, [&](std::size_t a, std::size_t b) { return logits[a] > logits[b]; });
  return order;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<DecodedAnswer> decode_alone(const TinyDecoder& decoder,
                                                                   const DecodeRequest& request) {
  expect(!request.prompt.empty(), [] { return "decode_alone() was given an empty prompt"; });
  std::vector<DecodedAnswer> answers;
  for (std::size_t choice = 0; choice < request.answers; ++choice) {
    std::vector<TinySlot> cache;
    const auto slot = [&](std::size_t j) -> const TinySlot& { return cache[j]; };
    std::vector<float> logits;
    const auto feed = [&](std::size_t token) {
      TinySlot own{};
      logits = decoder.step(token, cache.size(), request.adapter, slot, own);
      cache.push_back(own);
    };
    for (const std::size_t token : request.prompt) feed(token);
    DecodedAnswer answer;
    while (answer.tokens.size() < request.tokens) {
      const std::size_t token = ranked_tokens(logits)[answer.tokens.empty() ? choice % TinyDecoder::vocabulary : 0];
      answer.logits.push_back(logits);
      answer.tokens.push_back(token);
      if (answer.tokens.size() < request.tokens) feed(token);
    }
    answers.push_back(std::move(answer));
  }
  return answers;
}

}  // namespace assay::inline v0
