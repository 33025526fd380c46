#pragma once

#include <cstdint>

#include "assay/backends/multiply_shares.hpp"
#include "assay/formats/quick_decoder.hpp"
#include "assay/kernels/attention/detail/block_scores.hpp"
#include "assay/kernels/attention/results.hpp"

namespace assay::inline v0::detail {

/// What a block of a device keeps of an attention (32 queries, tiles of 64 keys, and values by the 128 columns), and
/// how it comes from memory: a phase fetches codes while the groups of its threads multiply, and decodes them when they
/// have.
///
/// In a tile, position j has key 8·(j mod 8) + j/8: so the threads of a row read neighboring positions, and consecutive
/// keys.
struct AttentionTiles {
  static constexpr int threads = 256, rows = 32, keys = 64, chunk = 32, columns = 128, value_chunk = 16;
  static constexpr int gap = 4;  ///< lets the threads of a group read from different banks of memory
  static_assert(rows * BlockScores::parts == threads && keys == BlockScores::parts * BlockScores::of_part);

  struct Operands {
    double keys[2][AttentionTiles::keys][chunk + gap];
    double queries[2][rows][chunk + gap];
  };
  struct Shared {
    AttentionRow row[rows];
    AttentionScan scan[rows];
    double slope[rows];
    Index query_place[rows], key_place[2][keys], value_place[keys];  ///< −1: there is none
    bool there[rows];
    unsigned char special[rows][columns];  ///< what NaN and infinite values are found to do to outputs
    union {
      Operands operands;
      double values[2][value_chunk][columns + gap];
      double spread[rows][columns + gap];  ///< at the end: Σ square·v²
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
  struct Largest {
    double finite = 0;
    bool special = false;
  };

  [[nodiscard]] ASSAY_FUNCTION static Index key_at(Index tile_first, int position) {
    return tile_first + position % 8 * 8 + position / 8;
  }
  [[nodiscard]] ASSAY_FUNCTION Index depth_chunks() const { return (layout.depth + chunk - 1) / chunk; }

  ASSAY_FUNCTION void find_keys(Shared& shared, const Task& task, Index tile, int thread) const {
    if (thread >= keys) return;
    const Index key = key_at(task.first + tile * keys, thread);
    shared.key_place[tile % 2][thread] =
        key < task.last ? layout.key_place(layout.operand(AttentionOperand::key), shared.row[0], key) : -1;
  }
  ASSAY_FUNCTION void find_values(Shared& shared, const Task& task, Index tile, int thread) const {
    if (thread < 0 || thread >= keys) return;
    const Index key = key_at(task.first + tile * keys, thread);
    shared.value_place[thread] =
        key < task.last ? layout.key_place(layout.operand(AttentionOperand::value), shared.row[0], key) : -1;
  }

  /// Step s of a walk: chunk s mod chunks of the depth, of tile s / chunks, whose keys have been found.
  ASSAY_FUNCTION void fetch(const Shared& shared, Index step, int thread, KeyCodes& of_keys,
                            QueryCodes& of_queries) const {
    const Operand &key = layout.operand(AttentionOperand::key), &queries = layout.operand(AttentionOperand::query);
    const Index depth = step % depth_chunks() * chunk + thread % chunk, key_stride = key.strides[key.rank - 1],
                query_stride = queries.strides[queries.rank - 1];
    const Index* const places = shared.key_place[step / depth_chunks() % 2];
    ASSAY_DETAIL_UNROLL
    for (int i = 0; i < keys * chunk / threads; ++i) {
      const Index place = places[thread / chunk + i * (threads / chunk)];
      of_keys.own[i] =
          place >= 0 && depth < layout.depth ? key.format.load_code(key.data, place + depth * key_stride) : 0;
    }
    ASSAY_DETAIL_UNROLL
    for (int i = 0; i < rows * chunk / threads; ++i) {
      const int own = thread / chunk + i * (threads / chunk);
      of_queries.own[i] = shared.there[own] && depth < layout.depth
                              ? queries.format.load_code(queries.data, shared.query_place[own] + depth * query_stride)
                              : 0;
    }
  }
  ASSAY_FUNCTION void put(Shared& shared, const Task& task, Index step, int thread, const KeyCodes& of_keys,
                          const QueryCodes& of_queries) const {
    const double stored_scale = layout.stored_scale(AttentionOperand::key_scale, task.key_head);
    const Index depth = step % depth_chunks() * chunk + thread % chunk;
    const Index* const places = shared.key_place[step / depth_chunks() % 2];
    Operands& to = shared.operands;
    // what is not there is 0, though a format may have none, and a scale be NaN
    ASSAY_DETAIL_UNROLL
    for (int i = 0; i < keys * chunk / threads; ++i) {
      const int position = thread / chunk + i * (threads / chunk);
      to.keys[step % 2][position][thread % chunk] =
          places[position] >= 0 && depth < layout.depth ? stored_scale * key_value(of_keys.own[i]) : 0;
    }
    ASSAY_DETAIL_UNROLL
    for (int i = 0; i < rows * chunk / threads; ++i) {
      const int own = thread / chunk + i * (threads / chunk);
      to.queries[step % 2][own][thread % chunk] =
          shared.there[own] && depth < layout.depth ? query(of_queries.own[i]) : 0;
    }
  }
  ASSAY_FUNCTION void fetch_values(const Shared& shared, const Task& task, int part, int thread,
                                   ValueCodes& codes) const {
    const Operand& value = layout.operand(AttentionOperand::value);
    const Index column = task.first_column + thread % columns, from = column * value.strides[value.rank - 1];
    ASSAY_DETAIL_UNROLL
    for (int i = 0; i < value_chunk * columns / threads; ++i) {
      const Index place = shared.value_place[part * value_chunk + thread / columns + i * (threads / columns)];
      codes.own[i] = place >= 0 && column < layout.value_depth ? value.format.load_code(value.data, place + from) : 0;
    }
  }
  ASSAY_FUNCTION void put_values(Shared& shared, const Task& task, int part, int thread, const ValueCodes& codes,
                                 Largest& largest) const {
    const double stored_scale = layout.stored_scale(AttentionOperand::value_scale, task.key_head);
    const Index column = task.first_column + thread % columns;
    ASSAY_DETAIL_UNROLL
    for (int i = 0; i < value_chunk * columns / threads; ++i) {
      const int position = thread / columns + i * (threads / columns);
      double v = shared.value_place[part * value_chunk + position] >= 0 && column < layout.value_depth
                     ? stored_scale * key_value(codes.own[i])
                     : 0;
      if (!is_finite(v)) {
        largest.special = true;
        v = 0;
      }
      if (absolute(v) > largest.finite) largest.finite = absolute(v);
      shared.values[part % 2][position][thread % columns] = v;
    }
  }
};

}  // namespace assay::inline v0::detail
