#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "assay/kernels/attention/layout.hpp"
#include "assay/kernels/operation.hpp"

namespace assay::inline v0 {

namespace detail {

/// The key of a sequence that a token of a cache holds; `position` is −1 for none: padding, unused pages, ragged tails.
struct AttentionToken {
  Index position = -1, keys = 0, head = 0;
};

/// All tokens of a key or value operand, in row-major order of its dimensions but the last.
[[nodiscard]] inline std::vector<AttentionToken> attention_tokens_of(const AttentionProblem& problem) {
  std::vector<AttentionToken> tokens;
  const Index heads = problem.key_heads;
  if (problem.storage == AttentionStorage::dense) {
    for (Index b = 0; b < problem.batch; ++b) {
      const Index keys = problem.key_lengths.empty() ? problem.keys : problem.key_lengths[static_cast<std::size_t>(b)];
      for (Index h = 0; h < heads; ++h)
        for (Index key = 0; key < problem.keys; ++key) tokens.push_back({key < keys ? key : -1, keys, h});
    }
  } else if (problem.storage == AttentionStorage::packed) {
    for (const Index length : problem.key_lengths)
      for (Index key = 0; key < length; ++key)
        for (Index h = 0; h < heads; ++h) tokens.push_back({key, length, h});
  } else {
    tokens.resize(static_cast<std::size_t>(problem.pages * problem.page_size * heads));
    for (Index b = 0; b < problem.batch; ++b) {
      const Index keys = problem.key_lengths[static_cast<std::size_t>(b)];
      for (Index key = 0; key < keys; ++key) {
        const Index page = problem.block_table[static_cast<std::size_t>(b * problem.pages_of_sequence() + key / problem.page_size)];
        for (Index h = 0; h < heads; ++h)
          tokens[static_cast<std::size_t>((page * problem.page_size + key % problem.page_size) * heads + h)] = {key, keys, h};
      }
    }
  }
  return tokens;
}

/// The values of a key or value operand: the fill, NaN wherever no key stands, and where `special` is set NaN or an infinity for few keys that most rows do not see, or in values of one head.
[[nodiscard]] inline OperandFill attention_fill(const AttentionProblem& problem, OperandFill fill, const ElementFormat& format, bool values,
                                                bool special) {
  const bool sparse =
      problem.storage == AttentionStorage::paged || (problem.storage == AttentionStorage::dense && !problem.key_lengths.empty());
  if (!special && !sparse) return fill;
  const double nan = double_of(binary64_layout.nan_bits()), infinity = double_of(binary64_layout.infinity_bits());
  const bool hides = problem.causal || problem.window_left >= 0 || problem.window_right >= 0,
             has_infinity = format.layout.specials == SpecialValues::ieee;
  const Index depth = fill.pattern.length;
  std::vector<double> given;
  Index lane = 0;
  for (const AttentionToken& token : attention_tokens_of(problem)) {
    const bool chosen = special && (hides ? token.position == (problem.causal ? token.keys - 2 : 5)
                                          : values && token.head + 1 == problem.key_heads && token.position == 2);
    for (Index c = 0; c < depth; ++c) {
      double value = fill.offset + fill.scale * fill.pattern(lane, c);
      if (chosen) value = !values || c % 3 == 0 ? nan : c % 3 == 1 && has_infinity ? -infinity : value;
      given.push_back(token.position < 0 ? nan : value);
    }
    ++lane;
  }
  return OperandFill::of(std::move(given));
}

/// The values of the queries, with a NaN in the last query of the first sequence that has keys, for the first head: its row of the output is NaN, and no other. A single row stays as it
/// is: a NaN would hide all else.
[[nodiscard]] inline OperandFill attention_queries_with_nan(const AttentionProblem& problem, const OperandFill& fill) {
  const bool packed = problem.storage == AttentionStorage::packed;
  Index chosen = -1, tokens = 0;  // among the vectors of `depth` numbers, in row-major order
  for (Index b = 0; b < problem.batch; ++b) {
    const auto own = static_cast<std::size_t>(b);
    const Index queries = packed ? problem.query_lengths[own] : problem.queries,
                keys = problem.key_lengths.empty() ? problem.keys : problem.key_lengths[own];
    if (chosen < 0 && queries > 0 && keys > 0)
      chosen = packed ? (tokens + queries - 1) * problem.heads : tokens * problem.heads + queries - 1;
    tokens += queries;
  }
  const Index vectors = tokens * problem.heads;
  return chosen < 0 || vectors < 2 ? fill : fill.with_nan_at(chosen * problem.depth, vectors * problem.depth);
}

/// Normal numbers, −∞ for a quarter of the keys, and a row that sees nothing at all.
[[nodiscard]] inline OperandFill attention_mask(const AttentionProblem& problem, std::uint64_t seed, double scale) {
  const Fill pattern{FillKind::normal, seed, problem.keys > 0 ? problem.keys : 1};
  const Index rows = (problem.additive_mask == AdditiveMask::shared ? 1 : problem.batch * problem.heads) * problem.queries;
  const double infinity = double_of(binary64_layout.infinity_bits());
  std::vector<double> given;
  for (Index row = 0; row < rows; ++row)
    for (Index key = 0; key < problem.keys; ++key)
      given.push_back(row % 7 == 3 || pattern.bits(row, key, 5).words[0] % 4 == 0 ? -infinity : scale * pattern(row, key));
  return OperandFill::of(std::move(given));
}

template <class Values>
[[nodiscard]] OperandFill converted(const Values& values) {
  std::vector<double> given;
  for (const auto value : values) given.push_back(static_cast<double>(value));
  return OperandFill::of(std::move(given));
}

[[nodiscard]] inline std::vector<Index> cumulative(const std::vector<Index>& lengths) {
  std::vector<Index> starts{0};
  for (const Index length : lengths) starts.push_back(starts.back() + length);
  return starts;
}

/// Slopes of Press, Smith and Lewis ("Train short, test long", 2022): 2^(−8·(h + 1)/heads).
[[nodiscard]] inline std::vector<double> alibi_slopes(Index heads) {
  std::vector<double> slopes;
  for (Index h = 0; h < heads; ++h) slopes.push_back(std::exp2(-8 * static_cast<double>(h + 1) / static_cast<double>(heads)));
  return slopes;
}

}  // namespace detail

/// What each pattern is for:
/// - normal, uniform, log_uniform: the everyday cases; wrong masks, heads, scales, narrow arithmetic;
/// - constant: equal keys and equal values: what is counted twice or not at all shows in the log-sum-exp;
/// - exact_integer: queries of 0, so that all weights are equal and nothing hides a term that is missing: windows and alignments off by one, hidden keys that count;
/// - cancelling: scores of a common large offset: no maximum subtracted overflows;
/// - swamping: weights of which one is nearly 1: rescaling that is forgotten, heads and keys confused, scores in too narrow a format;
/// - special: NaN and infinities in keys and values that most rows do not see: they must not leak;
/// - subnormal: queries and values: inputs and outputs that are flushed.
/// Wherever no key stands (padding, unused pages, the tail of the last page) there is NaN, whatever the pattern.
[[nodiscard]] inline OperationData attention_data(const AttentionProblem& problem, FillKind kind, std::uint64_t seed) {
  OperationData data;
  data.model = RoundingModel::statistical;
  OperandFill query, key, value;
  const bool special = kind == FillKind::special;
  if (kind == FillKind::constant || kind == FillKind::exact_integer) data.model = RoundingModel::worst_case;
  const FillKind base = kind == FillKind::cancelling || kind == FillKind::swamping || special ? FillKind::normal : kind;
  query.pattern = {base, seed * 8, problem.depth, problem.query.layout};
  key.pattern = {base, seed * 8 + 1, problem.depth, problem.key_value.layout};
  value.pattern = {base, seed * 8 + 2, problem.value_depth, problem.key_value.layout};
  if (kind == FillKind::subnormal) key.pattern.kind = FillKind::normal, key.scale = 16;
  if (kind == FillKind::exact_integer) query.scale = 0;
  if (kind == FillKind::uniform)
    value.offset = -0.5;  // stored weights that are nearly equal are off alike: values of one sign would add that up
  if (kind == FillKind::swamping) query.scale = 6;
  if (kind == FillKind::cancelling) query.offset = key.offset = 5;
  OperandFill starts, lengths, table, key_scale, value_scale, slopes, mask;
  if (problem.storage == AttentionStorage::packed) {
    starts = detail::converted(detail::cumulative(problem.query_lengths));
    lengths = detail::converted(detail::cumulative(problem.key_lengths));
  } else if (!problem.key_lengths.empty()) {
    lengths = detail::converted(problem.key_lengths);
  }
  if (problem.storage == AttentionStorage::paged) table = detail::converted(problem.block_table);
  if (problem.alibi) slopes = detail::converted(detail::alibi_slopes(problem.heads));
  if (problem.additive_mask != AdditiveMask::none) mask = detail::attention_mask(problem, seed * 8 + 3, 2);
  if (problem.key_value_scale != KeyValueScale::none) {
    std::vector<double> scales;
    for (Index h = 0; h < (problem.key_value_scale == KeyValueScale::per_head ? problem.key_heads : 1); ++h)
      scales.push_back(0.75 + 0.5 * static_cast<double>(h % 5));
    key_scale = value_scale = OperandFill::of(scales);
  }
  data.operands = {query,
                   detail::attention_fill(problem, key, problem.key_value, false, special),
                   detail::attention_fill(problem, value, problem.key_value, true, special),
                   mask,
                   slopes,
                   starts,
                   lengths,
                   table,
                   key_scale,
                   value_scale,
                   {},
                   {}};
  return data;
}

}  // namespace assay::inline v0
