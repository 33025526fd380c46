#pragma once

#include <cstddef>

#include "assay/kernels/attention/results.hpp"
#include "assay/kernels/gemm/detail/vector_product.hpp"

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// The keys and values of one head of one sequence, decoded into panels of vector_panels.hpp by blocks of block_depth
/// keys.
struct AttentionUnit {
  Index sequence, key_head, keys, queries;
  Index blocks;       ///< of keys
  Index first_block;  ///< among all that are decoded at a time
  Index first_task;   ///< among the blocks of rows
};

/// Where decoded blocks lie: keys as [panel of 8 keys][depth][8], values and their squares as [panel of 8
/// columns][key][8].
struct AttentionPanels {
  double* keys;
  double* values;
  double* squares;
  double* largest;       ///< finite |v| of each block
  int* special;          ///< whether a block has values that are not finite: they are 0 in the panels
  Index depth, columns;  ///< columns: value_depth, rounded up

  [[nodiscard]] static Index doubles_of_block(Index depth, Index columns) {
    return block_depth * (depth + 2 * columns) + 2;
  }
  [[nodiscard]] double* keys_of(Index block) const { return keys + block * block_depth * depth; }
  [[nodiscard]] double* values_of(Index block) const { return values + block * block_depth * columns; }
  [[nodiscard]] double* squares_of(Index block) const { return squares + block * block_depth * columns; }
};

/// The unit that has a block, or a task: `first` is a member of AttentionUnit, ascending.
[[nodiscard]] inline const AttentionUnit& unit_with(const AttentionUnit* units, Index count,
                                                    Index AttentionUnit::*first, Index index) {
  Index low = 0, high = count;
  while (high - low > 1) {
    const Index middle = low + (high - low) / 2;
    if (units[middle].*first <= index)
      low = middle;
    else
      high = middle;
  }
  return units[low];
}

/// Decodes one block of keys and values.
struct DecodeAttentionBlock {
  AttentionLayout layout;
  const AttentionUnit* units;
  Index count;
  AttentionPanels panels;

  void operator()(std::size_t index) const {
    const Index block = static_cast<Index>(index);
    const AttentionUnit& unit = unit_with(units, count, &AttentionUnit::first_block, block);
    const Index start = (block - unit.first_block) * block_depth, rest = unit.keys - start,
                keys = rest < block_depth ? rest : block_depth;
    const AttentionRow row = layout.row(unit.sequence, unit.key_head * layout.group(), 0);
    const Operand &key = layout.operand(AttentionOperand::key), &value = layout.operand(AttentionOperand::value);
    const double key_scale = layout.stored_scale(AttentionOperand::key_scale, unit.key_head),
                 value_scale = layout.stored_scale(AttentionOperand::value_scale, unit.key_head);
    double *to_keys = panels.keys_of(block), *to_values = panels.values_of(block),
           *to_squares = panels.squares_of(block);
    for (Index i = keys / panel_columns * panel_columns * panels.depth;
         i < round_up(keys, panel_columns) * panels.depth; ++i)
      to_keys[i] = 0;
    for (Index i = 0; i < block_depth * panels.columns && (keys < block_depth || layout.value_depth < panels.columns);
         ++i)
      to_values[i] = to_squares[i] = 0;
    double largest = 0;
    bool special = false;
    for (Index j = 0; j < keys; ++j) {
      const Index from_key = layout.key_place(key, row, start + j),
                  from_value = layout.key_place(value, row, start + j);
      const Index key_stride = key.strides[key.rank - 1], value_stride = value.strides[value.rank - 1];
      double* own = to_keys + j / panel_columns * panel_columns * panels.depth + j % panel_columns;
      for (Index c = 0; c < layout.depth; ++c)
        own[c * panel_columns] = key_scale * key.format.load(key.data, from_key + c * key_stride);
      for (Index c = 0; c < layout.value_depth; ++c) {
        double v = value_scale * value.format.load(value.data, from_value + c * value_stride);
        if (!is_finite(v)) {
          special = true;
          v = 0;
        }
        if (absolute(v) > largest) largest = absolute(v);
        const Index place = (c / panel_columns * block_depth + j) * panel_columns + c % panel_columns;
        to_values[place] = v;
        to_squares[place] = v * v;
      }
    }
    panels.largest[block] = largest;
    panels.special[block] = special ? 1 : 0;
  }
};

/// What one task works on: `rows` packed queries, and for each block of keys rows × block_depth of scores, magnitudes
/// and a third array.
struct AttentionRows {
  Index rows;                ///< a multiple of row_multiple
  Index first, last;         ///< blocks of keys, relative to the unit
  const double* queries;     ///< [chunk of block_depth terms][row][block_depth]
  const double* magnitudes;  ///< the same without signs
  double* scores;            ///< then weights
  double* allowances;        ///< magnitudes of the scores, then allowances
  double* squares;
  double* product;  ///< rows × columns
  double* allowed;
  double* spread;
  bool independent;  ///< squares are not all 0
};

/// Σ q·k and Σ |q·k|.
struct SumScores {
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(const AttentionRows& task, const AttentionPanels& panels,
                                      const AttentionUnit& unit) {
    for (Index block = task.first; block < task.last; ++block) {
      const Index place = block * task.rows * block_depth, rest = unit.keys - block * block_depth,
                  keys = round_up(rest < block_depth ? rest : block_depth, panel_columns);
      double *scores = task.scores + place, *magnitudes = task.allowances + place;
      for (Index i = 0; i < task.rows * block_depth; ++i) scores[i] = magnitudes[i] = 0;
      for (Index start = 0; start < panels.depth; start += block_depth) {
        const Index depth = panels.depth - start < block_depth ? panels.depth - start : block_depth;
        const double* right = panels.keys_of(unit.first_block + block) + start * panel_columns;
        MultiplyBlock::add<VectorBytes, Summand::product>(task.queries + start * task.rows, right,
                                                          panels.depth * panel_columns, depth, task.rows, keys, scores,
                                                          block_depth);
        MultiplyBlock::add<VectorBytes, Summand::magnitude>(task.magnitudes + start * task.rows, right,
                                                            panels.depth * panel_columns, depth, task.rows, keys,
                                                            magnitudes, block_depth);
      }
    }
  }
};

/// Σ p·v, Σ allowance·|v| and Σ square·v².
struct SumValues {
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(const AttentionRows& task, const AttentionPanels& panels,
                                      const AttentionUnit& unit) {
    for (Index i = 0; i < task.rows * panels.columns; ++i) task.product[i] = task.allowed[i] = task.spread[i] = 0;
    for (Index block = task.first; block < task.last; ++block) {
      const Index place = block * task.rows * block_depth, rest = unit.keys - block * block_depth,
                  keys = rest < block_depth ? rest : block_depth;
      const Index stride = block_depth * panel_columns, own = unit.first_block + block;
      MultiplyBlock::add<VectorBytes, Summand::product>(task.scores + place, panels.values_of(own), stride, keys,
                                                        task.rows, panels.columns, task.product, panels.columns);
      MultiplyBlock::add<VectorBytes, Summand::magnitude>(task.allowances + place, panels.values_of(own), stride, keys,
                                                          task.rows, panels.columns, task.allowed, panels.columns);
      if (task.independent)
        MultiplyBlock::add<VectorBytes, Summand::product>(task.squares + place, panels.squares_of(own), stride, keys,
                                                          task.rows, panels.columns, task.spread, panels.columns);
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail
