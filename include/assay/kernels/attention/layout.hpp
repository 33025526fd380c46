#pragma once

#include "assay/kernels/attention/problem.hpp"

namespace assay::inline v0 {

/// The operands of an attention, by position.
struct AttentionOperand {
  /// Positions of the operands.
  enum Position {
    query,
    key,
    value,
    additive_mask,
    slopes,
    query_starts,
    key_lengths,
    block_table,
    key_scale,
    value_scale,
    output,
    log_sum_exp,
    count
  };
};

/// One row of the output: a query of a head, and the keys that it sees.
struct AttentionRow {
  /// Which row it is.
  Index sequence = 0, head = 0, query = 0, key_head = 0;
  Index token = 0;            ///< packed: of the query among all tokens
  Index keys = 0;             ///< of the sequence
  Index first_key = 0;        ///< packed: of the sequence among all tokens
  Index diagonal = 0;         ///< the key on the diagonal of this query
  Index first = 0, last = 0;  ///< the keys seen: [first, last)
};

/// One key of one head of keys and values, counted within its sequence.
struct AttentionKey {
  Index sequence = 0, head = 0, key = 0;
};

/// Where everything is: what kernels and references read of a problem, with its operands. Plain data.
struct AttentionLayout {
  /// As in the problem.
  Index batch = 0, heads = 0, key_heads = 0, queries = 0, keys = 0, depth = 0, value_depth = 0, page_size = 0;
  /// As in the problem; −1: no window.
  Index window_left = -1, window_right = -1;
  /// As in the problem.
  double scale = 1, soft_cap = 0;
  /// As in the problem; `zeros`: what fully hidden rows hold; `lengths_given`: whether key lengths are an operand.
  bool causal = false, bottom_right = true, zeros = true, lengths_given = false;
  bool base_two = false;     ///< the log-sum-exp is log₂ Σ exp
  bool mask_shared = false;  ///< one mask serves all batches or heads
  AttentionStorage storage = AttentionStorage::dense;
  KeyValueScale key_value_scale = KeyValueScale::none;
  OperandArray operands;

  AttentionLayout() = default;
  /// Reads what the problem and its operands say. O(1).
  AttentionLayout(const AttentionProblem& problem, const OperandArray& given);

  /// The operand at that position.
  [[nodiscard]] ASSAY_FUNCTION const Operand& operand(AttentionOperand::Position position) const {
    return operands[position];
  }
  /// Query heads that share a key head.
  [[nodiscard]] ASSAY_FUNCTION Index group() const { return heads / key_heads; }
  /// An integer of an index operand.
  [[nodiscard]] ASSAY_FUNCTION Index entry(AttentionOperand::Position position, Index element) const {
    return static_cast<Index>(operands[position].load(element));
  }

  /// Queries of that sequence.
  [[nodiscard]] ASSAY_FUNCTION Index queries_of(Index sequence) const {
    return storage == AttentionStorage::packed
               ? entry(AttentionOperand::query_starts, sequence + 1) - entry(AttentionOperand::query_starts, sequence)
               : queries;
  }
  /// Keys of that sequence.
  [[nodiscard]] ASSAY_FUNCTION Index keys_of(Index sequence) const {
    if (storage == AttentionStorage::packed)
      return entry(AttentionOperand::key_lengths, sequence + 1) - entry(AttentionOperand::key_lengths, sequence);
    return lengths_given ? entry(AttentionOperand::key_lengths, sequence) : keys;
  }

  /// The row of a query, counted within its sequence.
  [[nodiscard]] ASSAY_FUNCTION AttentionRow row(Index sequence, Index head, Index query) const {
    AttentionRow row;
    row.sequence = sequence;
    row.head = head;
    row.query = query;
    row.key_head = head / group();
    row.keys = keys_of(sequence);
    if (storage == AttentionStorage::packed) {
      row.token = entry(AttentionOperand::query_starts, sequence) + query;
      row.first_key = entry(AttentionOperand::key_lengths, sequence);
    }
    row.diagonal = query + (bottom_right ? row.keys - queries_of(sequence) : 0);
    const Index right = causal ? 0 : window_right;
    // no sum with a window, which may be as large as numbers are
    row.last = right >= 0 && right < row.keys - 1 - row.diagonal ? row.diagonal + right + 1 : row.keys;
    row.first = window_left >= 0 && row.diagonal > window_left ? row.diagonal - window_left : 0;
    if (row.last < 0) row.last = 0;
    if (row.first > row.last) row.first = row.last;
    return row;
  }
  /// The row of the output with all its leading dimensions flattened. O(1); packed: O(batch).
  [[nodiscard]] ASSAY_FUNCTION AttentionRow row(Index output_row) const {
    if (storage != AttentionStorage::packed)
      return row(output_row / queries / heads, output_row / queries % heads, output_row % queries);
    const Index token = output_row / heads;
    Index sequence = 0;
    while (entry(AttentionOperand::query_starts, sequence + 1) <= token) ++sequence;
    return row(sequence, output_row % heads, token - entry(AttentionOperand::query_starts, sequence));
  }
  /// The key of a row of the key operand with all its leading dimensions flattened. O(1); packed: O(batch).
  /// Precondition: not paged.
  [[nodiscard]] ASSAY_FUNCTION AttentionKey key(Index key_row) const {
    if (storage != AttentionStorage::packed)
      return {key_row / keys / key_heads, key_row / keys % key_heads, key_row % keys};
    const Index token = key_row / key_heads;
    Index sequence = 0;
    while (entry(AttentionOperand::key_lengths, sequence + 1) <= token) ++sequence;
    return {sequence, key_row % key_heads, token - entry(AttentionOperand::key_lengths, sequence)};
  }
  /// The row of the output as a matrix.
  [[nodiscard]] ASSAY_FUNCTION Index output_row(const AttentionRow& row) const {
    return storage == AttentionStorage::packed ? row.token * heads + row.head
                                               : (row.sequence * heads + row.head) * queries + row.query;
  }
  /// The element of the log-sum-exp: (batch, heads, queries), or (heads, tokens).
  [[nodiscard]] ASSAY_FUNCTION Index sum_element(const AttentionRow& row, Index tokens) const {
    return storage == AttentionStorage::packed ? row.head * tokens + row.token
                                               : (row.sequence * heads + row.head) * queries + row.query;
  }
  /// Tokens of all sequences, where they are packed.
  [[nodiscard]] ASSAY_FUNCTION Index tokens() const {
    return storage == AttentionStorage::packed ? operands[AttentionOperand::query].extents[0] : 0;
  }

  /// Where the first element of a row's query, output or key lies; elements of a token are operand.strides[rank − 1]
  /// apart.
  [[nodiscard]] ASSAY_FUNCTION Index query_place(const Operand& operand, const AttentionRow& row) const {
    return storage == AttentionStorage::packed ? operand.offset(row.token, row.head, 0)
                                               : operand.offset(row.sequence, row.head, row.query, 0);
  }
  /// Where a key's vector begins in an operand, in elements; pages are looked up.
  [[nodiscard]] ASSAY_FUNCTION Index key_place(const Operand& operand, const AttentionRow& row, Index key) const {
    if (storage == AttentionStorage::packed) return operand.offset(row.first_key + key, row.key_head, 0);
    if (storage == AttentionStorage::dense) return operand.offset(row.sequence, row.key_head, key, 0);
    const Index page = static_cast<Index>(operands[AttentionOperand::block_table].at(row.sequence, key / page_size));
    return operand.offset(page, key % page_size, row.key_head, 0);
  }
  /// What stored keys or values of a head are multiplied by.
  [[nodiscard]] ASSAY_FUNCTION double stored_scale(AttentionOperand::Position position, Index key_head) const {
    if (key_value_scale == KeyValueScale::none) return 1;
    return operands[position].load(key_value_scale == KeyValueScale::per_head ? key_head : 0);
  }
  /// The ALiBi slope of the row's head; 0 without.
  [[nodiscard]] ASSAY_FUNCTION double slope(const AttentionRow& row) const {
    return operands[AttentionOperand::slopes].present() ? operands[AttentionOperand::slopes].load(row.head) : 0;
  }
  /// −slope·|distance|.
  [[nodiscard]] ASSAY_FUNCTION double position_bias(double slope, const AttentionRow& row, Index key) const {
    const Index distance = key < row.diagonal ? row.diagonal - key : key - row.diagonal;
    return -slope * static_cast<double>(distance);
  }
  /// The additive mask of a row and key; 0 without.
  [[nodiscard]] ASSAY_FUNCTION double mask(const AttentionRow& row, Index key) const {
    const Operand& added = operands[AttentionOperand::additive_mask];
    return mask_shared ? added.at(row.query, key) : added.at(row.sequence, row.head, row.query, key);
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/attention/layout.ipp"
#endif
