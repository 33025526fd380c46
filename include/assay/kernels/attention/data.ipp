#pragma once

#include "assay/kernels/attention/data.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// All tokens of a key or value operand, in row-major order of its dimensions but the last.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<AttentionToken> attention_tokens_of(
    const AttentionProblem& problem) {
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
        const Index page =
            problem.block_table[static_cast<std::size_t>(b * problem.pages_of_sequence() + key / problem.page_size)];
        for (Index h = 0; h < heads; ++h)
          tokens[static_cast<std::size_t>((page * problem.page_size + key % problem.page_size) * heads + h)] = {
              key, keys, h};
      }
    }
  }
  return tokens;
}

/// The values of a key or value operand: the fill, NaN wherever no key stands, and where `special` is set NaN or an
/// infinity for few keys that most rows do not see, or in values of one head.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE OperandFill attention_fill(const AttentionProblem& problem, OperandFill fill,
                                                                    const ElementFormat& format, bool values,
                                                                    bool special) {
  const bool sparse = problem.storage == AttentionStorage::paged ||
                      (problem.storage == AttentionStorage::dense && !problem.key_lengths.empty());
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

ASSAY_DETAIL_HEADER_INLINE OperandFill attention_queries_with_nan(const AttentionProblem& problem,
                                                                  const OperandFill& fill) {
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
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE OperandFill attention_mask(const AttentionProblem& problem, std::uint64_t seed,
                                                                    double scale) {
  const Fill pattern{FillKind::normal, seed, problem.keys > 0 ? problem.keys : 1};
  const Index rows =
      (problem.additive_mask == AdditiveMask::shared ? 1 : problem.batch * problem.heads) * problem.queries;
  const double infinity = double_of(binary64_layout.infinity_bits());
  std::vector<double> given;
  for (Index row = 0; row < rows; ++row)
    for (Index key = 0; key < problem.keys; ++key)
      given.push_back(row % 7 == 3 || pattern.bits(row, key, 5).words[0] % 4 == 0 ? -infinity
                                                                                  : scale * pattern(row, key));
  return OperandFill::of(std::move(given));
}

/// Slopes of Press, Smith and Lewis ("Train short, test long", 2022): 2^(−8·(h + 1)/heads).
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<double> alibi_slopes(Index heads) {
  std::vector<double> slopes;
  for (Index h = 0; h < heads; ++h)
    slopes.push_back(std::exp2(-8 * static_cast<double>(h + 1) / static_cast<double>(heads)));
  return slopes;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE OperationData attention_data(const AttentionProblem& problem, FillKind kind,
                                                        std::uint64_t seed) {
  OperationData data;
  data.model = RoundingModel::statistical;
  OperandFill query, key, value;
  const bool special = kind == FillKind::special;
  if (kind == FillKind::constant || kind == FillKind::exact_integer) data.model = RoundingModel::worst_case;
  const FillKind base = kind == FillKind::canceling || kind == FillKind::swamping || special ? FillKind::normal : kind;
  query.pattern = {base, seed * 8, problem.depth, problem.query.layout};
  key.pattern = {base, seed * 8 + 1, problem.depth, problem.key_value.layout};
  value.pattern = {base, seed * 8 + 2, problem.value_depth, problem.key_value.layout};
  if (kind == FillKind::subnormal) key.pattern.kind = FillKind::normal, key.scale = 16;
  if (kind == FillKind::exact_integer) query.scale = 0;
  if (kind == FillKind::uniform)
    value.offset = -0.5;  // stored weights that are nearly equal are off alike: values of one sign would add that up
  if (kind == FillKind::swamping) query.scale = 6;
  if (kind == FillKind::canceling) query.offset = key.offset = 5;
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
