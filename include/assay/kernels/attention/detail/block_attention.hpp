#pragma once

#include <cstddef>
#include <type_traits>

#include "assay/backends/block_backend.hpp"
#include "assay/backends/matrix_share.hpp"
#include "assay/core/rolled.hpp"
#include "assay/kernels/attention/detail/block_tiles.hpp"

namespace assay::inline v0::detail {

/// The reference of 32 rows that read the same keys (the queries of all heads of a group, one head after another) by
/// one block of a device: all products are those of small matrices in float64, on matrix units where the device has
/// them. Nothing is stored but results.
///
/// It goes over the keys twice, in tiles of 64: first for maximum, sum and rises of each row, then for weights, and
/// their products with values. The weights are those of the host's references, and so are bounds; sums are added up in
/// another order, by as many roundings or fewer, which `AttentionBound` allows the reference by n·2⁻⁵³.
struct BlockAttention : AttentionTiles {
  Index tiles;  ///< of rows, of a head of keys

  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared& shared) const {
    const auto index = static_cast<Index>(block.index());
    const Index unit = index / tiles, first = index % tiles * rows;
    const Index sequence = unit / layout.key_heads, key_head = unit % layout.key_heads,
                queries = layout.queries_of(sequence), of_unit = layout.group() * queries;
    if (first >= of_unit) return;
    typename Block::template PerThread<Range> seen;
    block.each([&](int thread) {
      if (thread >= rows) return;
      const bool there = first + thread < of_unit;
      const Index own = there ? first + thread : first;
      const AttentionRow row = layout.row(sequence, key_head * layout.group() + own / queries, own % queries);
      shared.row[thread] = row;
      shared.there[thread] = there;
      shared.slope[thread] = layout.slope(row);
      shared.query_place[thread] = layout.query_place(layout.operand(AttentionOperand::query), row);
      shared.scan[thread] = AttentionScan{};
      shared.stack[thread].height = shared.stack[thread].reached = shared.stack[thread].base = 0;
      if (row.first < row.last) seen[thread] = {row.first, row.last};
    });
    const Range range = block.reduce(seen, [&](const Range& a, const Range& b) {
      return Range{a.first < b.first ? a.first : b.first, a.last > b.last ? a.last : b.last};
    });

    Task task{sequence,
              key_head,
              range.last > range.first ? range.first : 0,
              range.last > range.first ? range.last : 0,
              0,
              range.last > range.first ? (range.last - range.first + keys - 1) / keys : 0};
    scan_rows(block, shared, task);
    const Index slabs = layout.value_depth > columns ? (layout.value_depth + columns - 1) / columns : 1;
    for (Index slab = 0; slab < slabs; ++slab) {
      task.first_column = slab * columns;
      weigh_values(block, shared, task);
    }
  }

 private:
  struct Range {
    Index first = Index{1} << 62, last = -1;
  };
  using ScoreShare = MatrixShare<16, 16>;
  using ValueShare = MatrixShare<16, 32>;
  struct Sums {
    double error = 0, stored = 0, stored_squares = 0;
  };

  // --- scores
  // ----------------------------------------------------------------------------------------------------------------

  /// Σ q·k of one tile, and Σ |q·k| where asked for, into `scores` and `allowances`. The tile's first chunk is there;
  /// `ahead`: afterwards the next tile's is.
  template <class Block, class Keys, class Queries>
  ASSAY_FUNCTION void multiply_keys(Block& block, Shared& shared, const Task& task, Index tile, bool magnitudes,
                                    bool ahead, Keys& of_keys, Queries& of_queries) const {
    const std::integral_constant<int, chunk> depth{};
    typename Block::template PerThread<ScoreShare> dots, sizes;
    for (Index part = 0; part < depth_chunks(); ++part) {
      const Index step = tile * depth_chunks() + part;
      const bool more = ahead ? step + 1 < task.tiles * depth_chunks() : part + 1 < depth_chunks();
      const int from = static_cast<int>(step % 2);
      const auto fetch_next = [&](int thread) {
        if (more) fetch(shared, step + 1, thread, of_keys[thread], of_queries[thread]);
      };
      const auto put_next = [&](int thread) {
        if (more) put(shared, task, step + 1, thread, of_keys[thread], of_queries[thread]);
      };
      const auto nothing = [&](int) {};
      const auto left = [&](int group, int row, int k) {
        return shared.operands.queries[from][group / 4 * 16 + row][k];
      };
      const auto right = [&](int group, int k, int column) {
        return shared.operands.keys[from][group % 4 * 16 + column][k];
      };
      if (magnitudes) {
        block.multiply_accumulate(dots, depth, left, right, fetch_next, nothing);
        block.multiply_accumulate(
            sizes, depth, [&](int group, int row, int k) { return absolute(left(group, row, k)); },
            [&](int group, int k, int column) { return absolute(right(group, k, column)); }, nothing, put_next);
      } else {
        block.multiply_accumulate(dots, depth, left, right, fetch_next, put_next);
      }
    }
    block.each([&](int thread) {
      const int group = thread / 32;
      for (int i = 0; i < ScoreShare::row_parts; ++i)
        for (int j = 0; j < ScoreShare::column_parts; ++j)
          for (int which = 0; which < 2; ++which) {
            const int row = group / 4 * 16 + ScoreShare::row(thread, i),
                      column = group % 4 * 16 + ScoreShare::column(thread, j, which);
            shared.scores[row][column] = dots[thread].values[i][j][which];
            shared.allowances[row][column] = sizes[thread].values[i][j][which];
          }
    });
  }
  /// A thread's row, its part of a tile, and whether the row sees the i-th key of it.
  struct Place {
    int row, part;
    Index first;
    ASSAY_FUNCTION Place(const Task& task, Index tile, int thread)
        : row(thread / BlockScores::parts),
          part(thread % BlockScores::parts),
          first(task.first + tile * keys + part * BlockScores::of_part) {}
    [[nodiscard]] ASSAY_FUNCTION bool sees(const Shared& shared, int i) const {
      return shared.there[row] && first + i >= shared.row[row].first && first + i < shared.row[row].last;
    }
    [[nodiscard]] ASSAY_FUNCTION int position(int i) const { return BlockScores::parts * i + part; }
    [[nodiscard]] ASSAY_FUNCTION BlockScores::Own own(Shared& shared) const {
      return {shared.scores[row] + part, shared.allowances[row] + part};
    }
  };
  [[nodiscard]] ASSAY_FUNCTION AttentionScore score_at(const Shared& shared, const Place& place, int i) const {
    return bound.score(layout, shared.row[place.row], place.first + i, shared.slope[place.row],
                       shared.scores[place.row][place.position(i)], shared.allowances[place.row][place.position(i)]);
  }

  template <class Block>
  ASSAY_FUNCTION void scan_rows(Block& block, Shared& shared, const Task& task) const {
    typename Block::template PerThread<KeyCodes> of_keys;
    typename Block::template PerThread<QueryCodes> of_queries;
    // else no maximum, sum or spread depends on them in a row of which anything is said
    const bool magnitudes = bound.score_unit > 0 && layout.soft_cap > 0;
    block.each([&](int thread) {
      find_keys(shared, task, 0, thread);
      find_keys(shared, task, 1, thread);
    });
    block.each([&](int thread) {
      fetch(shared, 0, thread, of_keys[thread], of_queries[thread]);
      put(shared, task, 0, thread, of_keys[thread], of_queries[thread]);
    });
    for (Index tile = 0; tile < task.tiles; ++tile) {
      multiply_keys(block, shared, task, tile, magnitudes, true, of_keys, of_queries);
      block.each([&](int thread) {
        const Place place(task, tile, thread);
        const BlockScores::Own own = place.own(shared);
        find_keys(shared, task, tile + 2, thread);
        ASSAY_DETAIL_ROLLED
        for (int i = 0; i < BlockScores::of_part; ++i) {
          const AttentionScore score =
              place.sees(shared, i) ? score_at(shared, place, i) : AttentionScore{-AttentionBound::infinity()};
          own.value(i) = score.value;
          own.stored(i) = score.stored;
        }
        BlockScores::look(own, shared.part[place.row][place.part]);
      });
      typename Block::template PerThread<BlockScores::Part> counted;
      block.each([&](int thread) {
        const Place place(task, tile, thread);
        counted[thread] = shared.part[place.row][place.part];
        BlockScores::count(place.own(shared), shared.part[place.row], place.part, bound, shared.scan[place.row],
                           counted[thread]);
      });
      block.each([&](int thread) {
        const Place place(task, tile, thread);
        shared.part[place.row][place.part] = counted[thread];
      });
      block.each([&](int thread) {
        if (thread < rows) BlockScores::join(shared.part[thread], shared.scan[thread], shared.stack[thread]);
      });
      block.each([&](int thread) {
        const Place place(task, tile, thread);
        BlockScores::push(place.own(shared), shared.part[place.row], place.part, shared.stack[place.row]);
      });
    }
    block.each([&](int thread) {
      if (thread < rows && !shared.scan[thread].void_row())
        finish_row(shared.scan[thread], bound, layout, shared.row[thread]);
    });
  }

  // --- values
  // ----------------------------------------------------------------------------------------------------------------

  /// Scores become weights, allowances and squares, where they stand.
  ASSAY_FUNCTION void weigh(Shared& shared, const Task& task, Index tile, int thread, Sums& sums) const {
    const Place place(task, tile, thread);
    const AttentionScan& scan = shared.scan[place.row];
    const bool void_row = scan.void_row();
    ASSAY_DETAIL_ROLLED
    for (int i = 0; i < BlockScores::of_part; ++i) {
      double weight = 0, allowance = 0, square = 0;
      if (!void_row && place.sees(shared, i)) {
        const AttentionTerm term = scan.term(bound, score_at(shared, place, i));
        sums.error += term.error;
        sums.stored += term.stored;
        sums.stored_squares += term.stored * term.stored;
        weight = scan.weight(term);
        allowance = scan.allowance(bound, term);
        square = scan.square(term);
      }
      shared.scores[place.row][place.position(i)] = weight;
      shared.allowances[place.row][place.position(i)] = allowance;
      shared.squares[place.row][place.position(i)] = square;
    }
  }

  /// What values that are NaN or infinite do to outputs: see `meet_special`.
  enum Special : unsigned char { none = 0, above = 1, below = 2, not_a_number = 4, unknown = 8 };

  ASSAY_FUNCTION void meet_special_values(Shared& shared, const Task& task, Index tile, int thread) const {
    const Operand& value = layout.operand(AttentionOperand::value);
    const double stored_scale = layout.stored_scale(AttentionOperand::value_scale, task.key_head);
    const Index column = task.first_column + thread % columns;
    if (column >= layout.value_depth) return;
    ASSAY_DETAIL_ROLLED
    for (int position = 0; position < keys; ++position) {
      if (shared.value_place[position] < 0) continue;
      const double v = stored_scale * key_value.load(value.data, shared.value_place[position] +
                                                                     column * value.strides[value.rank - 1]);
      if (is_finite(v)) continue;
      const Index key = key_at(task.first + tile * keys, position);
      for (int row = thread / columns; row < rows; row += threads / columns) {
        if (!shared.there[row] || shared.scan[row].void_row() || key < shared.row[row].first ||
            key >= shared.row[row].last)
          continue;
        double product = 0, error = 0;
        meet_special(v, shared.scores[row][position], bound, product, error);
        shared.special[row][thread % columns] |= error > 0         ? unknown
                                                 : is_nan(product) ? not_a_number
                                                 : product > 0     ? above
                                                                   : below;
      }
    }
  }
  /// An output from its sums.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement finished(const AttentionScan& scan, double product, double allowed,
                                                        double spread, double on_the_way, int special) const {
    const double endless = AttentionBound::infinity();
    if (special & unknown) allowed = endless;
    if (special & above) product += endless;
    if (special & below) product -= endless;
    if (special & not_a_number) product = double_of(binary64_layout.nan_bits());
    return scan.output(bound, layout.zeros, product, allowed, spread, on_the_way);
  }

  template <class Block>
  ASSAY_FUNCTION void weigh_values(Block& block, Shared& shared, const Task& task) const {
    typename Block::template PerThread<ValueShare> product, allowed, spread;
    typename Block::template PerThread<Sums> sums;
    typename Block::template PerThread<Largest> largest;
    typename Block::template PerThread<bool> probable;
    block.each([&](int thread) {
      ASSAY_DETAIL_ROLLED
      for (int row = thread / columns; row < rows; row += threads / columns)
        shared.special[row][thread % columns] = none;
      probable[thread] =
          thread < rows && shared.there[thread] && !shared.scan[thread].void_row() && shared.scan[thread].independent;
    });
    const bool independent = block.reduce(probable, [&](bool a, bool b) { return a || b; });
    double most = 0;
    for (Index tile = 0; tile < task.tiles; ++tile) {
      {
        typename Block::template PerThread<KeyCodes> of_keys;
        typename Block::template PerThread<QueryCodes> of_queries;
        block.each([&](int thread) {
          find_keys(shared, task, tile, thread);
          find_values(shared, task, tile, thread - keys);
        });
        block.each([&](int thread) {
          fetch(shared, tile * depth_chunks(), thread, of_keys[thread], of_queries[thread]);
          put(shared, task, tile * depth_chunks(), thread, of_keys[thread], of_queries[thread]);
        });
        multiply_keys(block, shared, task, tile, true, false, of_keys, of_queries);
      }
      multiply_values(block, shared, task, tile, independent, sums, largest, product, allowed, spread);
      const Largest of_tiles = block.reduce(largest, [&](const Largest& a, const Largest& b) {
        return Largest{a.finite > b.finite ? a.finite : b.finite, a.special || b.special};
      });
      most = of_tiles.finite;
      if (of_tiles.special) block.each([&](int thread) { meet_special_values(shared, task, tile, thread); });
    }
    block.each([&](int thread) {
      BlockScores::Part& part = shared.part[thread / BlockScores::parts][thread % BlockScores::parts];
      part.sum = sums[thread].error;
      part.spread = sums[thread].stored;
      part.spread_squares = sums[thread].stored_squares;
    });
    block.each([&](int thread) {
      if (thread >= rows || !shared.there[thread]) return;
      AttentionScan& scan = shared.scan[thread];
      if (!scan.void_row()) {
        scan.error = scan.stored = scan.stored_squares = 0;
        for (const BlockScores::Part& part : shared.part[thread]) {
          scan.error += part.sum;
          scan.stored += part.spread;
          scan.stored_squares += part.spread_squares;
        }
        finish_row(scan, bound, layout, shared.row[thread]);
      }
      const ExpectedElement sum = scan.log_sum_exp(bound);
      const Index place = layout.sum_element(shared.row[thread], layout.tokens());
      results.sum_value[place] = sum.value;
      results.sum_error[place] = sum.error;
    });
    // sums go where results belong, to be finished by threads that are side by side
    block.each([&](int thread) {
      ASSAY_DETAIL_UNROLL
      for (int i = 0; i < ValueShare::row_parts; ++i) {
        const int row = thread / 32 / 4 * 16 + ValueShare::row(thread, i);
        const Index output = layout.output_row(shared.row[row]) * layout.value_depth;
        ASSAY_DETAIL_UNROLL
        for (int j = 0; j < ValueShare::column_parts; ++j) ASSAY_DETAIL_UNROLL
        for (int which = 0; which < 2; ++which) {
          const int column = thread / 32 % 4 * 32 + ValueShare::column(thread, j, which);
          shared.spread[row][column] = spread[thread].values[i][j][which];
          if (!shared.there[row] || task.first_column + column >= layout.value_depth) continue;
          results.value[output + task.first_column + column] = product[thread].values[i][j][which];
          results.error[output + task.first_column + column] = allowed[thread].values[i][j][which];
        }
      }
    });
    block.each([&](int thread) {
      const int own = thread % columns;
      if (task.first_column + own >= layout.value_depth) return;
      ASSAY_DETAIL_ROLLED
      for (int row = thread / columns; row < rows; row += threads / columns) {
        if (!shared.there[row]) continue;
        const Index place = layout.output_row(shared.row[row]) * layout.value_depth + task.first_column + own;
        const ExpectedElement element = finished(
            shared.scan[row], results.value[place], results.error[place], shared.spread[row][own],
            running_sum(layout, shared.row[row], bound, task.first_column + own, most), shared.special[row][own]);
        results.value[place] = element.value;
        results.error[place] = element.error;
      }
    });
  }

  template <class Block, class PerThreadSums, class PerThreadLargest, class PerThreadShare>
  ASSAY_FUNCTION void multiply_values(Block& block, Shared& shared, const Task& task, Index tile, bool independent,
                                      PerThreadSums& sums, PerThreadLargest& largest, PerThreadShare& product,
                                      PerThreadShare& allowed, PerThreadShare& spread) const {
    const std::integral_constant<int, value_chunk> depth{};
    typename Block::template PerThread<ValueCodes> codes;
    block.each([&](int thread) {
      fetch_values(shared, task, 0, thread, codes[thread]);
      weigh(shared, task, tile, thread, sums[thread]);
      put_values(shared, task, 0, thread, codes[thread], largest[thread]);
    });
    for (int part = 0; part < keys / value_chunk; ++part) {
      const bool more = part + 1 < keys / value_chunk;
      const auto fetch_next = [&](int thread) {
        if (more) fetch_values(shared, task, part + 1, thread, codes[thread]);
      };
      const auto put_next = [&](int thread) {
        if (more) put_values(shared, task, part + 1, thread, codes[thread], largest[thread]);
      };
      const auto nothing = [&](int) {};
      const auto value_at = [&](int group, int k, int column) {
        return shared.values[part % 2][k][group % 4 * 32 + column];
      };
      block.multiply_accumulate(
          product, depth,
          [&](int group, int row, int k) { return shared.scores[group / 4 * 16 + row][part * value_chunk + k]; },
          value_at, fetch_next, nothing);
      if (independent)
        block.multiply_accumulate(
            spread, depth,
            [&](int group, int row, int k) { return shared.squares[group / 4 * 16 + row][part * value_chunk + k]; },
            [&](int group, int k, int column) {
              const double v = value_at(group, k, column);
              return v * v;
            },
            nothing, nothing);
      block.multiply_accumulate(
          allowed, depth,
          [&](int group, int row, int k) { return shared.allowances[group / 4 * 16 + row][part * value_chunk + k]; },
          [&](int group, int k, int column) { return absolute(value_at(group, k, column)); }, nothing, put_next);
    }
  }
};

}  // namespace assay::inline v0::detail
