#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "assay/backends/block_backend.hpp"
#include "assay/backends/matrix_share.hpp"
#include "assay/formats/detail/quick_decoder.hpp"
#include "assay/kernels/attention/detail/block_scores.hpp"
#include "assay/kernels/attention/results.hpp"

namespace assay::detail {

/// The reference of 32 rows that read the same keys (the queries of all heads of a group, one head after another) by one block of a device: all products are those of small
/// matrices in float64, on matrix units where the device has them. Nothing is stored but results.
///
/// It goes over the keys twice, in tiles of 64: first for maximum, sum and rises of each row, then for weights, and their products with values. The weights are those of the host's
/// references, and so are bounds; sums are added up in another order, by as many roundings or fewer, which `AttentionBound` allows the reference by n·2⁻⁵³.
///
/// In a tile, position j has key 8·(j mod 8) + j/8: so the threads of a row read neighbouring positions, and consecutive keys.
struct BlockAttention {
  static constexpr int threads = 256, rows = 32, keys = 64, chunk = 32, columns = 128, value_chunk = 16;
  static constexpr int gap = 4;  ///< lets the threads of a group read from different banks of memory
  static_assert(rows * BlockScores::parts == threads && keys == BlockScores::parts * BlockScores::of_part);

  struct Operands {
    double keys[2][BlockAttention::keys][chunk + gap];
    double queries[2][rows][chunk + gap];
  };
  struct Shared {
    AttentionRow row[rows];
    AttentionScan scan[rows];
    double slope[rows];
    Index query_place[rows];
    bool there[rows];
    union {
      Operands operands;
      double values[2][value_chunk][columns + gap];
    };
    double scores[rows][keys + gap];      ///< then weights
    double allowances[rows][keys + gap];  ///< magnitudes of scores, then allowances
    double squares[rows][keys + gap];
    BlockScores::Part part[rows][BlockScores::parts];
    BlockScores::Row stack[rows];
  };

  AttentionLayout layout;
  AttentionBound bound;
  AttentionResults results;
  QuickDecoder query, key_value;
  Index tiles;  ///< of rows, of a head of keys

  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared& shared) const {
    const auto index = static_cast<Index>(block.index());
    const Index unit = index / tiles, first = index % tiles * rows;
    const Index sequence = unit / layout.key_heads, key_head = unit % layout.key_heads, queries = layout.queries_of(sequence), of_unit = layout.group() * queries;
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
    const Range range = block.reduce(seen, [&](const Range& a, const Range& b) { return Range{a.first < b.first ? a.first : b.first, a.last > b.last ? a.last : b.last}; });

    Task task{sequence, key_head, range.last > range.first ? range.first : 0, range.last > range.first ? range.last : 0, 0, range.last > range.first ? (range.last - range.first + keys - 1) / keys : 0};
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
  struct Task {
    Index sequence, key_head, first, last;  ///< keys that any row sees
    Index first_column;                     ///< of values
    Index tiles;
  };
  template <int Count>
  struct Codes {
    std::uint64_t own[Count];
  };
  using KeyCodes = Codes<keys * chunk / threads>;
  using QueryCodes = Codes<rows * chunk / threads>;
  using ValueCodes = Codes<value_chunk * columns / threads>;
  using ScoreShare = MatrixShare<16, 16>;
  using ValueShare = MatrixShare<16, 32>;
  struct Largest {
    double finite = 0;
    bool special = false;
  };
  struct Sums {
    double error = 0, stored = 0, stored_squares = 0;
  };

  [[nodiscard]] ASSAY_FUNCTION static Index key_at(Index tile_first, int position) { return tile_first + position % 8 * 8 + position / 8; }
  [[nodiscard]] ASSAY_FUNCTION Index depth_chunks() const { return (layout.depth + chunk - 1) / chunk; }

  // --- from memory -----------------------------------------------------------------------------------------------------------
  // A phase fetches codes while groups multiply, and decodes them when they have: see `BlockBackend`.

  /// Step s of a walk: chunk s mod chunks of the depth, of tile s / chunks.
  ASSAY_FUNCTION void fetch(const Shared& shared, const Task& task, Index step, int thread, KeyCodes& of_keys, QueryCodes& of_queries) const {
    const Index tile_first = task.first + step / depth_chunks() * keys, start = step % depth_chunks() * chunk;
    const Operand &key = layout.operand(AttentionOperand::key), &queries = layout.operand(AttentionOperand::query);
    const AttentionRow& row = shared.row[0];
    const Index depth = start + thread % chunk;
    for (int i = 0; i < keys * chunk / threads; ++i) {
      const Index own = key_at(tile_first, thread / chunk + i * (threads / chunk));
      of_keys.own[i] = own < task.last && depth < layout.depth ? key.format.load_code(key.data, layout.key_place(key, row, own) + depth * key.strides[key.rank - 1]) : 0;
    }
    for (int i = 0; i < rows * chunk / threads; ++i) {
      const int own = thread / chunk + i * (threads / chunk);
      of_queries.own[i] = shared.there[own] && depth < layout.depth ? queries.format.load_code(queries.data, shared.query_place[own] + depth * queries.strides[queries.rank - 1]) : 0;
    }
  }
  ASSAY_FUNCTION void put(Shared& shared, const Task& task, Index step, int thread, const KeyCodes& of_keys, const QueryCodes& of_queries) const {
    const double stored_scale = layout.stored_scale(AttentionOperand::key_scale, task.key_head);
    const Index tile_first = task.first + step / depth_chunks() * keys, depth = step % depth_chunks() * chunk + thread % chunk;
    Operands& to = shared.operands;
    // what is not there is 0, though a format may have none, and a scale be NaN
    for (int i = 0; i < keys * chunk / threads; ++i) {
      const int position = thread / chunk + i * (threads / chunk);
      to.keys[step % 2][position][thread % chunk] = key_at(tile_first, position) < task.last && depth < layout.depth ? stored_scale * key_value(of_keys.own[i]) : 0;
    }
    for (int i = 0; i < rows * chunk / threads; ++i) {
      const int own = thread / chunk + i * (threads / chunk);
      to.queries[step % 2][own][thread % chunk] = shared.there[own] && depth < layout.depth ? query(of_queries.own[i]) : 0;
    }
  }
  ASSAY_FUNCTION void fetch_values(const Shared& shared, const Task& task, Index tile_first, int part, int thread, ValueCodes& codes) const {
    const Operand& value = layout.operand(AttentionOperand::value);
    const Index column = task.first_column + thread % columns;
    for (int i = 0; i < value_chunk * columns / threads; ++i) {
      const Index own = key_at(tile_first, part * value_chunk + thread / columns + i * (threads / columns));
      codes.own[i] = own < task.last && column < layout.value_depth ? value.format.load_code(value.data, layout.key_place(value, shared.row[0], own) + column * value.strides[value.rank - 1]) : 0;
    }
  }
  ASSAY_FUNCTION void put_values(Shared& shared, const Task& task, Index tile_first, int part, int thread, const ValueCodes& codes, Largest& largest) const {
    const double stored_scale = layout.stored_scale(AttentionOperand::value_scale, task.key_head);
    const Index column = task.first_column + thread % columns;
    for (int i = 0; i < value_chunk * columns / threads; ++i) {
      const int position = thread / columns + i * (threads / columns);
      double v = 0;
      if (key_at(tile_first, part * value_chunk + position) < task.last && column < layout.value_depth) v = stored_scale * key_value(codes.own[i]);
      if (!is_finite(v)) {
        largest.special = true;
        v = 0;
      }
      if (absolute(v) > largest.finite) largest.finite = absolute(v);
      shared.values[part % 2][position][thread % columns] = v;
    }
  }

  // --- scores ----------------------------------------------------------------------------------------------------------------

  /// Σ q·k of one tile, and Σ |q·k| where asked for, into `scores` and `allowances`. The first chunk of the first tile must be there; the first one of the next tile is left.
  template <class Block, class Keys, class Queries>
  ASSAY_FUNCTION void multiply_keys(Block& block, Shared& shared, const Task& task, Index tile, bool magnitudes, bool ahead, Keys& of_keys, Queries& of_queries) const {
    const std::integral_constant<int, chunk> depth{};
    typename Block::template PerThread<ScoreShare> dots, sizes;
    for (Index part = 0; part < depth_chunks(); ++part) {
      const Index step = tile * depth_chunks() + part;
      const bool more = ahead ? step + 1 < task.tiles * depth_chunks() : part + 1 < depth_chunks();
      const int from = static_cast<int>(step % 2);
      const auto fetch_next = [&](int thread) {
        if (more) fetch(shared, task, step + 1, thread, of_keys[thread], of_queries[thread]);
      };
      const auto put_next = [&](int thread) {
        if (more) put(shared, task, step + 1, thread, of_keys[thread], of_queries[thread]);
      };
      const auto nothing = [&](int) {};
      const auto left = [&](int group, int row, int k) { return shared.operands.queries[from][group / 4 * 16 + row][k]; };
      const auto right = [&](int group, int k, int column) { return shared.operands.keys[from][group % 4 * 16 + column][k]; };
      if (magnitudes) {
        block.multiply_accumulate(dots, depth, left, right, fetch_next, nothing);
        block.multiply_accumulate(
            sizes, depth, [&](int group, int row, int k) { return absolute(left(group, row, k)); }, [&](int group, int k, int column) { return absolute(right(group, k, column)); }, nothing, put_next);
      } else {
        block.multiply_accumulate(dots, depth, left, right, fetch_next, put_next);
      }
    }
    block.each([&](int thread) {
      const int group = thread / 32;
      for (int i = 0; i < ScoreShare::row_parts; ++i)
        for (int j = 0; j < ScoreShare::column_parts; ++j)
          for (int which = 0; which < 2; ++which) {
            const int row = group / 4 * 16 + ScoreShare::row(thread, i), column = group % 4 * 16 + ScoreShare::column(thread, j, which);
            shared.scores[row][column] = dots[thread].values[i][j][which];
            shared.allowances[row][column] = sizes[thread].values[i][j][which];
          }
    });
  }
  /// A thread's row, its part of a tile, and whether the row sees the i-th key of it.
  struct Place {
    int row, part;
    Index first;
    ASSAY_FUNCTION Place(const Task& task, Index tile, int thread) : row(thread / BlockScores::parts), part(thread % BlockScores::parts), first(task.first + tile * keys + part * BlockScores::of_part) {}
    [[nodiscard]] ASSAY_FUNCTION bool sees(const Shared& shared, int i) const { return shared.there[row] && first + i >= shared.row[row].first && first + i < shared.row[row].last; }
    [[nodiscard]] ASSAY_FUNCTION int position(int i) const { return 8 * i + part; }
  };
  [[nodiscard]] ASSAY_FUNCTION AttentionScore score_at(const Shared& shared, const Place& place, int i) const {
    return bound.score(layout, shared.row[place.row], place.first + i, shared.slope[place.row], shared.scores[place.row][place.position(i)], shared.allowances[place.row][place.position(i)]);
  }

  template <class Block>
  ASSAY_FUNCTION void scan_rows(Block& block, Shared& shared, const Task& task) const {
    typename Block::template PerThread<KeyCodes> of_keys;
    typename Block::template PerThread<QueryCodes> of_queries;
    typename Block::template PerThread<BlockScores::Own> scores;
    const bool magnitudes = bound.score_unit > 0 && layout.soft_cap > 0;  // else no maximum, sum or spread depends on them
    block.each([&](int thread) {
      if (task.tiles == 0) return;
      fetch(shared, task, 0, thread, of_keys[thread], of_queries[thread]);
      put(shared, task, 0, thread, of_keys[thread], of_queries[thread]);
    });
    for (Index tile = 0; tile < task.tiles; ++tile) {
      multiply_keys(block, shared, task, tile, magnitudes, true, of_keys, of_queries);
      block.each([&](int thread) {
        const Place place(task, tile, thread);
        BlockScores::Own& own = scores[thread];
        for (int i = 0; i < BlockScores::of_part; ++i) {
          if (place.sees(shared, i)) {
            const AttentionScore score = score_at(shared, place, i);
            own.value[i] = score.value;
            own.stored[i] = score.stored;
          } else {
            own.hide(i);
          }
        }
        BlockScores::look(own, shared.part[place.row][place.part]);
      });
      typename Block::template PerThread<BlockScores::Part> counted;
      block.each([&](int thread) {
        const Place place(task, tile, thread);
        counted[thread] = shared.part[place.row][place.part];
        BlockScores::count(scores[thread], shared.part[place.row], place.part, bound, shared.scan[place.row], counted[thread]);
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
        BlockScores::push(scores[thread], shared.part[place.row], place.part, shared.stack[place.row]);
      });
    }
    block.each([&](int thread) {
      if (thread < rows && !shared.scan[thread].void_row()) shared.scan[thread].finish(bound, shared.row[thread].last - shared.row[thread].first);
    });
  }

  // --- values ----------------------------------------------------------------------------------------------------------------

  /// Scores become weights, allowances and squares, where they stand.
  ASSAY_FUNCTION void weigh(Shared& shared, const Task& task, Index tile, int thread, Sums& sums) const {
    const Place place(task, tile, thread);
    const AttentionScan& scan = shared.scan[place.row];
    const bool void_row = scan.void_row();
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

  /// What values that are NaN or infinite make of a thread's own outputs.
  ASSAY_FUNCTION void meet_special_values(const Shared& shared, const Task& task, Index tile, int thread, ValueShare& product, ValueShare& allowed) const {
    const Operand& value = layout.operand(AttentionOperand::value);
    const double stored_scale = layout.stored_scale(AttentionOperand::value_scale, task.key_head);
    for (int i = 0; i < ValueShare::row_parts; ++i) {
      const int row = thread / 32 / 4 * 16 + ValueShare::row(thread, i);
      if (!shared.there[row] || shared.scan[row].void_row()) continue;
      for (int position = 0; position < keys; ++position) {
        const Index key = key_at(task.first + tile * keys, position);
        if (key < shared.row[row].first || key >= shared.row[row].last) continue;
        const Index place = layout.key_place(value, shared.row[0], key);
        for (int j = 0; j < ValueShare::column_parts; ++j)
          for (int which = 0; which < 2; ++which) {
            const Index column = task.first_column + thread / 32 % 4 * 32 + ValueShare::column(thread, j, which);
            if (column >= layout.value_depth) continue;
            const double v = stored_scale * key_value.load(value.data, place + column * value.strides[value.rank - 1]);
            if (!is_finite(v)) meet_special(v, shared.scores[row][position], bound, product.values[i][j][which], allowed.values[i][j][which]);
          }
      }
    }
  }

  template <class Block>
  ASSAY_FUNCTION void weigh_values(Block& block, Shared& shared, const Task& task) const {
    typename Block::template PerThread<ValueShare> product, allowed, spread;
    typename Block::template PerThread<Sums> sums;
    typename Block::template PerThread<Largest> largest;
    typename Block::template PerThread<bool> probable;
    block.each([&](int thread) { probable[thread] = thread < rows && shared.there[thread] && !shared.scan[thread].void_row() && shared.scan[thread].independent; });
    const bool independent = block.reduce(probable, [&](bool a, bool b) { return a || b; });
    double most = 0;
    for (Index tile = 0; tile < task.tiles; ++tile) {
      {
        typename Block::template PerThread<KeyCodes> of_keys;
        typename Block::template PerThread<QueryCodes> of_queries;
        block.each([&](int thread) {
          fetch(shared, task, tile * depth_chunks(), thread, of_keys[thread], of_queries[thread]);
          put(shared, task, tile * depth_chunks(), thread, of_keys[thread], of_queries[thread]);
        });
        multiply_keys(block, shared, task, tile, true, false, of_keys, of_queries);
      }
      multiply_values(block, shared, task, tile, independent, sums, largest, product, allowed, spread);
      const Largest of_tiles = block.reduce(largest, [&](const Largest& a, const Largest& b) { return Largest{a.finite > b.finite ? a.finite : b.finite, a.special || b.special}; });
      most = of_tiles.finite;
      if (of_tiles.special) block.each([&](int thread) { meet_special_values(shared, task, tile, thread, product[thread], allowed[thread]); });
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
        scan.finish(bound, shared.row[thread].last - shared.row[thread].first);
      }
      const ExpectedElement sum = scan.log_sum_exp(bound);
      const Index place = layout.sum_element(shared.row[thread], layout.tokens());
      results.sum_value[place] = sum.value;
      results.sum_error[place] = sum.error;
    });
    block.each([&](int thread) {
      for (int i = 0; i < ValueShare::row_parts; ++i) {
        const int row = thread / 32 / 4 * 16 + ValueShare::row(thread, i);
        if (!shared.there[row]) continue;
        const Index output_row = layout.output_row(shared.row[row]);
        for (int j = 0; j < ValueShare::column_parts; ++j)
          for (int which = 0; which < 2; ++which) {
            const Index column = task.first_column + thread / 32 % 4 * 32 + ValueShare::column(thread, j, which);
            if (column >= layout.value_depth) continue;
            const ExpectedElement element = shared.scan[row].output(bound, layout.zeros, product[thread].values[i][j][which], allowed[thread].values[i][j][which], spread[thread].values[i][j][which], most);
            results.value[output_row * layout.value_depth + column] = element.value;
            results.error[output_row * layout.value_depth + column] = element.error;
          }
      }
    });
  }

  template <class Block, class PerThreadSums, class PerThreadLargest, class PerThreadShare>
  ASSAY_FUNCTION void multiply_values(Block& block, Shared& shared, const Task& task, Index tile, bool independent, PerThreadSums& sums, PerThreadLargest& largest, PerThreadShare& product,
                                      PerThreadShare& allowed, PerThreadShare& spread) const {
    const std::integral_constant<int, value_chunk> depth{};
    const Index tile_first = task.first + tile * keys;
    typename Block::template PerThread<ValueCodes> codes;
    block.each([&](int thread) {
      fetch_values(shared, task, tile_first, 0, thread, codes[thread]);
      weigh(shared, task, tile, thread, sums[thread]);
      put_values(shared, task, tile_first, 0, thread, codes[thread], largest[thread]);
    });
    for (int part = 0; part < keys / value_chunk; ++part) {
      const bool more = part + 1 < keys / value_chunk;
      const auto fetch_next = [&](int thread) {
        if (more) fetch_values(shared, task, tile_first, part + 1, thread, codes[thread]);
      };
      const auto put_next = [&](int thread) {
        if (more) put_values(shared, task, tile_first, part + 1, thread, codes[thread], largest[thread]);
      };
      const auto nothing = [&](int) {};
      const auto value_at = [&](int group, int k, int column) { return shared.values[part % 2][k][group % 4 * 32 + column]; };
      block.multiply_accumulate(
          product, depth, [&](int group, int row, int k) { return shared.scores[group / 4 * 16 + row][part * value_chunk + k]; }, value_at, fetch_next, nothing);
      if (independent)
        block.multiply_accumulate(
            spread, depth, [&](int group, int row, int k) { return shared.squares[group / 4 * 16 + row][part * value_chunk + k]; },
            [&](int group, int k, int column) {
              const double v = value_at(group, k, column);
              return v * v;
            },
            nothing, nothing);
      block.multiply_accumulate(
          allowed, depth, [&](int group, int row, int k) { return shared.allowances[group / 4 * 16 + row][part * value_chunk + k]; },
          [&](int group, int k, int column) { return absolute(value_at(group, k, column)); }, nothing, put_next);
    }
  }
};

/// Computes references on a device. `ErrorKind::unsupported` where its blocks have too little memory for it.
template <BlockBackend B>
[[nodiscard]] Result<void> block_attention_reference(B& backend, typename B::Stream& stream, const AttentionProblem& problem, const AttentionLayout& layout, const AttentionBound& bound,
                                                     const AttentionResults& results) {
  Index queries = problem.storage == AttentionStorage::packed ? 0 : problem.queries;
  for (const Index length : problem.query_lengths) queries = queries > length ? queries : length;
  if (problem.heads == 0) return {};
  const Index tiles = (problem.heads / problem.key_heads * queries + BlockAttention::rows - 1) / BlockAttention::rows;
  const BlockAttention work{layout, bound, results, QuickDecoder(problem.query), QuickDecoder(problem.key_value), tiles};
  return backend.parallel_blocks(stream, static_cast<std::size_t>(problem.batch * problem.key_heads * tiles), work);
}

}  // namespace assay::detail
