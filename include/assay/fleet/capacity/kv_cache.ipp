#pragma once

#include "assay/fleet/capacity/kv_cache.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// Heads of keys and values on one rank: where there are more ranks than heads, ranks keep copies.
[[nodiscard]] inline double kv_heads_of_rank(const ModelArchitecture& model, const KvCachePolicy& policy) {
  return static_cast<double>(std::max<Index>(1, model.kv_heads / policy.tensor_parallel));
}

/// Numbers of a token and layer: first keys, then values.
struct CachedNumbers {
  double keys = 0, values = 0;
};
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE CachedNumbers cached_numbers(const ModelArchitecture& model,
                                                                      const KvCachePolicy& policy) {
  if (model.latent > 0) return {static_cast<double>(model.latent + model.rotary), 0};
  const double heads = kv_heads_of_rank(model, policy);
  const Index value = model.value_head_size > 0 ? model.value_head_size : model.head_size;
  return {heads * static_cast<double>(model.head_size), heads * static_cast<double>(value)};
}

[[nodiscard]] inline Index whole_blocks(Index tokens, Index block) {
  return tokens / block * block + (tokens % block != 0 ? block : 0);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const ModelArchitecture& model, const KvCachePolicy& policy) {
  if (auto sound = check(model); !sound) return sound;
  if (policy.block < 1 || policy.tensor_parallel < 1 || policy.extra_cells < 0)
    return failure(ErrorKind::invalid, "a block has 1 token at least, and there is 1 rank at least");
  for (const double bytes : {policy.key_bytes, policy.value_bytes, policy.state_bytes})
    if (!(bytes > 0 && bytes <= 16))
      return failure(ErrorKind::invalid, "an element of the cache takes more than 0 and at most 16 bytes");
  const Index ranks = policy.tensor_parallel;
  if (model.heads % ranks != 0)
    return failure(ErrorKind::invalid, std::to_string(model.heads) + " heads cannot be divided among " +
                                           std::to_string(ranks) + " ranks; choose a divisor of them");
  if (model.latent == 0 && model.kv_heads % ranks != 0 && ranks % model.kv_heads != 0)
    return failure(ErrorKind::invalid, std::to_string(model.kv_heads) + " heads of keys and values and " +
                                           std::to_string(ranks) + " ranks: neither divides the other");
  return {};
}

ASSAY_DETAIL_HEADER_INLINE KvCacheSize kv_cache(const ModelArchitecture& model, Index sequences, Index tokens,
                                                const KvCachePolicy& policy) {
  expect(sequences >= 0 && tokens >= 0 && tokens <= most_cached_tokens,
         [] { return std::string("kv_cache: sequences and tokens are 0 or more, tokens at most 2^40"); });
  const auto numbers = detail::cached_numbers(model, policy);
  const double token_keys = numbers.keys * policy.key_bytes, token_values = numbers.values * policy.value_bytes,
               count = static_cast<double>(sequences);
  KvCacheSize size;
  const auto add = [&](Index layers, Index used) {
    const double cells = static_cast<double>(detail::whole_blocks(used, policy.block)) * static_cast<double>(layers);
    size.keys += count * cells * token_keys;
    size.values += count * cells * token_values;
    size.waste +=
        count * (cells - static_cast<double>(used) * static_cast<double>(layers)) * (token_keys + token_values);
  };
  add(model.layers_with(TokenMixer::full_attention), tokens);
  add(model.layers_with(TokenMixer::sliding_window),
      policy.windows ? std::min(tokens, model.window + policy.extra_cells) : tokens);
  if (const Index recurrent = model.layers_with(TokenMixer::recurrent); recurrent > 0) {
    const auto values = static_cast<double>(model.recurrent_value_heads * model.recurrent_value_size),
               keys = static_cast<double>(model.recurrent_key_heads * model.recurrent_key_size);
    const double numbers_kept = values * static_cast<double>(model.recurrent_key_size) +
                                (2 * keys + values) * static_cast<double>(model.recurrent_kernel - 1);
    size.states = count * static_cast<double>(recurrent) * numbers_kept * policy.state_bytes /
                  static_cast<double>(policy.tensor_parallel);
  }
  return size;
}

ASSAY_DETAIL_HEADER_INLINE double kv_bytes_per_token(const ModelArchitecture& model, const KvCachePolicy& policy) {
  const auto numbers = detail::cached_numbers(model, policy);
  return (numbers.keys * policy.key_bytes + numbers.values * policy.value_bytes) *
         static_cast<double>(model.layers - model.layers_with(TokenMixer::recurrent));
}

ASSAY_DETAIL_HEADER_INLINE Index kv_tokens_within(const ModelArchitecture& model, double bytes,
                                                  const KvCachePolicy& policy) {
  Index fits = 0, beyond = most_cached_tokens / policy.block;  // in blocks
  if (!(kv_cache(model, 1, 0, policy).total() <= bytes)) return 0;
  if (kv_cache(model, 1, beyond * policy.block, policy).total() <= bytes) return beyond * policy.block;
  while (beyond - fits > 1) {
    const Index middle = fits + (beyond - fits) / 2;
    (kv_cache(model, 1, middle * policy.block, policy).total() <= bytes ? fits : beyond) = middle;
  }
  return fits * policy.block;
}

ASSAY_DETAIL_HEADER_INLINE Index kv_sequences_within(const ModelArchitecture& model, double bytes, Index tokens,
                                                     const KvCachePolicy& policy) {
  const double one = kv_cache(model, 1, tokens, policy).total();
  if (!(bytes >= one) || !(one > 0)) return 0;
  return static_cast<Index>(std::min(std::floor(bytes / one), static_cast<double>(most_cached_tokens)));
}

}  // namespace assay::inline v0
