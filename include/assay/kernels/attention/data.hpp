#pragma once

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

/// The values of the queries, with a NaN in the last query of the first sequence that has keys, for the first head: its
/// row of the output is NaN, and no other. A single row stays as it is: a NaN would hide all else.
[[nodiscard]] OperandFill attention_queries_with_nan(const AttentionProblem& problem, const OperandFill& fill);

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

}  // namespace detail

/// What each pattern is for:
/// - normal, uniform, log_uniform: the everyday cases; wrong masks, heads, scales, narrow arithmetic;
/// - constant: equal keys and equal values: what is counted twice or not at all shows in the log-sum-exp;
/// - exact_integer: queries of 0, so that all weights are equal and nothing hides a term that is missing: windows and
///   alignments off by one, hidden keys that count;
/// - canceling: scores of a common large offset: no maximum subtracted overflows;
/// - swamping: weights of which one is nearly 1: rescaling that is forgotten, heads and keys confused, scores in too
///   narrow a format;
/// - special: NaN and infinities in keys and values that most rows do not see: they must not leak;
/// - subnormal: queries and values: inputs and outputs that are flushed. Wherever no key stands (padding, unused pages,
///   the tail of the last page) there is NaN, whatever the pattern.
[[nodiscard]] OperationData attention_data(const AttentionProblem& problem, FillKind kind, std::uint64_t seed);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/attention/data.ipp"
#endif
