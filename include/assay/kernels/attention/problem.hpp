#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/kernels/softmax/problem.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// How tokens of a batch lie in memory.
enum class AttentionStorage {
  /// query (batch, heads, queries, depth), key (batch, key_heads, keys, depth); keys behind a sequence's length are
  /// padding
  dense,
  /// query (Σ query_lengths, heads, depth), key (Σ key_lengths, key_heads, depth), found by cumulative lengths
  packed,
  paged  ///< query as dense, key (pages, page_size, key_heads, depth), found by a block table
};

/// Which key stands on the diagonal of query i: with it begin causal masks, windows and ALiBi.
enum class AttentionAlignment {
  top_left,     ///< key i
  bottom_right  ///< key i + keys − queries, so that the last query sees the last key
};

/// Which additive mask a problem has.
enum class AdditiveMask {
  none,
  shared,   ///< (queries, keys), for all heads and sequences
  per_head  ///< (batch, heads, queries, keys)
};

/// Of which base the log-sum-exp is.
enum class LogarithmBase {
  natural,  ///< log Σ exp(score)
  two       ///< log₂ Σ exp(score), as FlashInfer writes it
};

/// Whether stored keys and values are to be multiplied by scales, as quantized ones are.
enum class KeyValueScale { none, per_tensor, per_head };

/// output = softmax(score)·value, row by row, and log Σ exp(score), with
///
///   score = soft_cap·tanh(scale·query·key / soft_cap) − slope·|distance to the diagonal| + additive mask,
///
/// or −∞ where causality, a window or a sequence's length hides a key. Query head h reads key head h / (heads /
/// key_heads).
struct AttentionProblem {
  Index batch = 1;         ///< number of sequences
  Index heads = 1;         ///< of the queries
  Index key_heads = 1;     ///< heads: multi-head; fewer: grouped-query; 1: multi-query attention
  Index queries = 1;       ///< a sequence; packed: unused
  Index keys = 1;          ///< a sequence, or room for them; packed: unused
  Index depth = 64;        ///< elements of a query and of a key
  Index value_depth = 64;  ///< elements of a value
  double scale = 0;        ///< 0: 1/√depth
  double soft_cap = 0;     ///< 0: none
  bool causal = false;     ///< keys behind the diagonal are hidden
  AttentionAlignment alignment = AttentionAlignment::bottom_right;
  Index window_left = -1;   ///< most keys before the diagonal that are seen; −1: all
  Index window_right = -1;  ///< most keys behind it
  bool alibi = false;       ///< there are slopes, one a head
  AdditiveMask additive_mask = AdditiveMask::none;
  FullyMasked fully_masked = FullyMasked::zeros;  ///< the output of a row that sees nothing; its log-sum-exp is −∞
  LogarithmBase log_base = LogarithmBase::natural;  ///< of the log-sum-exp that is written
  AttentionStorage storage = AttentionStorage::dense;
  std::vector<Index> query_lengths;  ///< packed: one a sequence
  std::vector<Index> key_lengths;    ///< packed and paged: one a sequence; dense: none, or one a sequence
  Index page_size = 0;               ///< paged: tokens
  Index pages = 0;                   ///< paged: in the cache
  std::vector<Index>
      /// paged: pages of each sequence, ⌈keys / page_size⌉ entries for every one; unused entries are not read
      block_table;
  KeyValueScale key_value_scale = KeyValueScale::none;
  ElementFormat query = element_format<float32>();      ///< format, of additive masks, too
  ElementFormat key_value = element_format<float32>();  ///< storage format of keys and values
  ElementFormat output = element_format<float32>();
  ElementFormat weights =
      element_format<float32>();  ///< contract: weights are rounded to it between their sum and the product with values
  ElementFormat scores = element_format<
      float32>();  ///< contract: scores are rounded to it when they are formed, and when they are complete

  /// Pages of one sequence; 0 without pages.
  [[nodiscard]] Index pages_of_sequence() const { return page_size > 0 ? (keys + page_size - 1) / page_size : 0; }
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(AttentionProblem& problem, Visit&& visit) {
  visit("batch", problem.batch, "heads", problem.heads, "key_heads", problem.key_heads, "queries", problem.queries,
        "keys", problem.keys, "depth", problem.depth, "value_depth", problem.value_depth, "scale", problem.scale,
        "soft_cap", problem.soft_cap, "causal", problem.causal, "alignment", problem.alignment, "window_left",
        problem.window_left, "window_right", problem.window_right, "alibi", problem.alibi, "additive_mask",
        problem.additive_mask, "fully_masked", problem.fully_masked, "log_base", problem.log_base, "storage",
        problem.storage, "query_lengths", problem.query_lengths, "key_lengths", problem.key_lengths, "page_size",
        problem.page_size, "pages", problem.pages, "block_table", problem.block_table, "key_value_scale",
        problem.key_value_scale, "query", problem.query, "key_value", problem.key_value, "output", problem.output,
        "weights", problem.weights, "scores", problem.scores);
}

namespace detail {

[[nodiscard]] inline Index sum_of(const std::vector<Index>& lengths) {
  Index sum = 0;
  for (const Index length : lengths) sum += length;
  return sum;
}

}  // namespace detail

/// `ErrorKind::invalid` names the field at fault. O(sequences and pages).
[[nodiscard]] Result<void> check(const AttentionProblem& problem);

/// "b2h8k2-q128x256-d64-causal_br-window64_0".
[[nodiscard]] std::string name_of(const AttentionProblem& problem);

/// "bf16.f8e4m3fn.bf16-pbf16": of queries, keys and values, output; of weights and scores where they are not float32.
[[nodiscard]] inline std::string formats_of(const AttentionProblem& problem) {
  std::string name = std::string(problem.query.name) + "." + problem.key_value.name + "." + problem.output.name;
  if (!(problem.weights == element_format<float32>())) name += std::string("-p") + problem.weights.name;
  if (!(problem.scores == element_format<float32>())) name += std::string("-s") + problem.scores.name;
  return name;
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/attention/problem.ipp"
#endif
