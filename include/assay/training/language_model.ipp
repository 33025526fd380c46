#pragma once

#include "assay/training/language_model.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE void expect_valid(const LanguageModel& model) {
  expect(model.vocabulary >= 2 && model.width >= 1 && model.heads >= 1 && model.context >= 1 && model.hidden >= 1 &&
             model.layers >= 1,
         [] { return "LanguageModel: an extent is too small; the vocabulary needs 2 tokens, all else 1"; });
  expect(model.width % model.heads == 0, [&] {
    return "LanguageModel: " + std::to_string(model.heads) + " heads do not divide the width " +
           std::to_string(model.width);
  });
  expect(model.dropout >= 0 && model.dropout < 1, [] { return "LanguageModel: the dropout must lie in [0, 1)"; });
}

ASSAY_DETAIL_HEADER_INLINE LanguageModelLayout::LanguageModelLayout(const LanguageModel& model) {
  const Index d = model.width, h = model.hidden;
  Index place = 0;
  const auto next = [&place](Index elements) { return std::exchange(place, place + elements); };
  block.attention_gain = next(d);
  block.queries_keys_values = next(3 * d * d);
  block.projection = next(d * d);
  block.perceptron_gain = next(d);
  block.up = next(d * h);
  block.up_bias = next(h);
  block.down = next(h * d);
  block.down_bias = next(d);
  block.count = std::exchange(place, 0);
  token_embedding = next(model.vocabulary * d);
  place_embedding = next(model.context * d);
  blocks = next(model.layers * block.count);
  last_gain = next(d);
  logits = next(d * model.vocabulary);
  count = place;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<float> initial_weights(const LanguageModel& model, std::uint64_t seed) {
  expect_valid(model);
  const LanguageModelLayout layout(model);
  std::vector<float> weights(static_cast<std::size_t>(layout.count));
  const auto fill = [&](Index begin, Index count, Index fan_in) {
    const double deviation = 1 / std::sqrt(static_cast<double>(fan_in));
    for (Index i = begin; i < begin + count; ++i)
      weights[static_cast<std::size_t>(i)] =
          static_cast<float>(deviation * standard_normal(random_bits(seed, static_cast<std::uint64_t>(i), 0)));
  };
  const auto ones = [&](Index begin) { std::fill_n(weights.begin() + begin, model.width, 1.0f); };
  const Index d = model.width, h = model.hidden;
  fill(layout.token_embedding, model.vocabulary * d, 1);
  fill(layout.place_embedding, model.context * d, d);
  for (Index layer = 0; layer < model.layers; ++layer) {
    const Index begin = layout.block_at(layer);
    ones(begin + layout.block.attention_gain);
    fill(begin + layout.block.queries_keys_values, 3 * d * d, d);
    fill(begin + layout.block.projection, d * d, d);
    ones(begin + layout.block.perceptron_gain);
    fill(begin + layout.block.up, d * h, d);
    fill(begin + layout.block.down, h * d, h);
  }
  ones(layout.last_gain);
  fill(layout.logits, d * model.vocabulary, d);
  return weights;
}

ASSAY_DETAIL_HEADER_INLINE std::string parameter_name(const LanguageModel& model, Index position) {
  const LanguageModelLayout layout(model);
  const auto named = [](const char* name, Index element) {
    return std::string(name) + "[" + std::to_string(element) + "]";
  };
  if (position >= layout.logits) return named("logits", position - layout.logits);
  if (position >= layout.last_gain) return named("last_gain", position - layout.last_gain);
  if (position >= layout.blocks) {
    const Index layer = (position - layout.blocks) / layout.block.count,
                within = (position - layout.blocks) % layout.block.count;
    const std::pair<const char*, Index> parts[] = {{"down_bias", layout.block.down_bias},
                                                   {"down", layout.block.down},
                                                   {"up_bias", layout.block.up_bias},
                                                   {"up", layout.block.up},
                                                   {"perceptron_gain", layout.block.perceptron_gain},
                                                   {"projection", layout.block.projection},
                                                   {"queries_keys_values", layout.block.queries_keys_values},
                                                   {"attention_gain", 0}};
    for (const auto& [name, begin] : parts)
      if (within >= begin) return "block " + std::to_string(layer) + ", " + named(name, within - begin);
  }
  if (position >= layout.place_embedding) return named("place_embedding", position - layout.place_embedding);
  return named("token_embedding", position);
}

ASSAY_DETAIL_HEADER_INLINE TextSample text_sample(const LanguageModel& model, std::uint64_t seed,
                                                  std::uint64_t number) {
  const auto below = [](std::uint32_t word, Index bound) {
    return static_cast<Index>(uniform_below(word, static_cast<std::uint32_t>(bound)));
  };
  TextSample sample{number, {}};
  const Index shortest = (model.context + 1) / 2,
              predictions = shortest + below(random_bits(seed, number, 1).words[0], model.context - shortest + 1);
  const std::uint32_t shift = random_bits(seed, 0, 2).words[0];
  for (Index i = 0; i <= predictions; ++i) {
    const RandomBits bits = random_bits(seed, number, 3 + static_cast<std::uint64_t>(i));
    const Index kind = below(bits.words[0], 100);
    if (i >= 1 && kind < 70)
      sample.tokens.push_back((sample.tokens.back() * 5 + static_cast<Index>(shift % 1000)) % model.vocabulary);
    else if (i >= 2 && kind < 85)
      sample.tokens.push_back(sample.tokens[static_cast<std::size_t>(i - 2)]);
    else
      sample.tokens.push_back(below(bits.words[1], model.vocabulary));
  }
  return sample;
}

}  // namespace assay::inline v0
