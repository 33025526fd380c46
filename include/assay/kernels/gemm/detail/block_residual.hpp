#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/backends/multiply_shares.hpp"
#include "assay/kernels/gemm/detail/residual_grid.hpp"
#include "assay/kernels/gemm/detail/residual_sums.hpp"
#include "assay/tensor/strided_view.hpp"

namespace assay::inline v0::detail {

/// Sums up one tile of 256 rows on a device. Elements go as they are stored, in chunks of 16 bytes, through shared
/// memory to the thread that has their row: so memory is read along whichever dimension is contiguous, and nothing is
/// added across threads. While 64 bytes of every row are summed up, the next ones are on their way.
template <Format T, ResidualPass Pass, bool Compensated>
struct SumResidualBlock {
  static constexpr int threads = 128;
  static constexpr int blocks_at_once = Compensated ? 3 : 4;
  static constexpr int rows_of_thread = 2;
  static constexpr int rows = threads * rows_of_thread;
  static constexpr int length = 16 / static_cast<int>(sizeof(T));   ///< elements of a chunk
  static constexpr int chunks = length * 4 < 32 ? 4 : 32 / length;  ///< of a row at a time
  static constexpr int columns = chunks * length;                   ///< at a time
  static constexpr int pitch = chunks + 1;                          ///< an odd distance: rows begin in different banks
  static constexpr int values = Pass == ResidualPass::product ? static_cast<int>(ResidualValues<Compensated>::count)
                                                              : static_cast<int>(residual_vectors);
  static constexpr int weights_of_thread = (columns * values + threads - 1) / threads;

  struct alignas(16) Chunk {
    T elements[length];
  };
  struct alignas(16) Weights {
    double value[(values + 1) / 2 * 2];
  };
  struct Shared {
    Chunk elements[2][rows * pitch];
    Weights weights[2][columns];
  };

  StridedView<const T, 3> matrix;
  ResidualGrid grid;
  const double* weights;  ///< value after value, `residual_stride(grid.columns)` apart
  Index weight_batch_stride;
  double* partials;
  bool along_columns;  ///< threads that are neighbors read one row, else one column
  bool aligned;        ///< whole chunks may be loaded at once

  [[nodiscard]] static SumResidualBlock of(const StridedView<const T, 3>& matrix, const ResidualGrid& grid,
                                           const double* weights, Index weight_batch_stride, double* partials) {
    const auto distance = [&](int dimension) {
      return matrix.strides[dimension] < 0 ? -matrix.strides[dimension] : matrix.strides[dimension];
    };
    const bool contiguous = matrix.strides[2] == 1 && matrix.strides[1] % length == 0 &&
                            matrix.strides[0] % length == 0 && reinterpret_cast<std::uintptr_t>(matrix.data) % 16 == 0;
    return {matrix, grid, weights, weight_batch_stride, partials, distance(2) <= distance(1), contiguous};
  }

  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared& shared) const {
    struct Fetched {
      Chunk elements[rows_of_thread * chunks];
      double factors[weights_of_thread];
    };
    using Sums = ResidualSums<double, T, Pass, Compensated>;
    struct RowSums {
      Sums of[rows_of_thread];
    };
    const Tile tile = tile_of(static_cast<Index>(block.index()));
    typename Block::template PerThread<Fetched> fetched;
    typename Block::template PerThread<RowSums> sums;

    const auto fetch = [&](int thread, Index column) {
      Fetched& to = fetched[thread];
      ASSAY_DETAIL_UNROLL
      for (int i = 0; i < rows_of_thread * chunks; ++i) fetch_chunk(tile, place(thread, i), column, to.elements[i]);
      ASSAY_DETAIL_UNROLL
      for (int i = 0; i < weights_of_thread; ++i) {
        const int index = thread + i * threads;
        const Index at = column + index % columns;
        to.factors[i] = index < columns * values && at < tile.columns
                            ? tile.weights[index / columns * residual_stride(grid.columns) + at]
                            : 0.0;
      }
    };
    const auto store = [&](int thread, int buffer) {
      const Fetched& from = fetched[thread];
      ASSAY_DETAIL_UNROLL
      for (int i = 0; i < rows_of_thread * chunks; ++i) {
        const Place at = place(thread, i);
        shared.elements[buffer][at.row * pitch + at.chunk] = from.elements[i];
      }
      ASSAY_DETAIL_UNROLL
      for (int i = 0; i < weights_of_thread; ++i) {
        const int index = thread + i * threads;
        if (index < columns * values) shared.weights[buffer][index % columns].value[index / columns] = from.factors[i];
      }
    };
    block.each([&](int thread) {
      fetch(thread, 0);
      store(thread, 0);
    });
    int buffer = 0;
    for (Index column = 0; column < tile.columns; column += columns, buffer ^= 1) {
      const int present = tile.columns - column < columns ? static_cast<int>(tile.columns - column) : columns;
      block.each([&](int thread) {
        const bool more = column + columns < tile.columns;
        if (more) fetch(thread, column + columns);
        if (present == columns) {
          ASSAY_DETAIL_UNROLL
          for (int chunk = 0; chunk < chunks; ++chunk) {
            Chunk elements[rows_of_thread];
            ASSAY_DETAIL_UNROLL
            for (int row = 0; row < rows_of_thread; ++row)
              elements[row] = shared.elements[buffer][(thread + row * threads) * pitch + chunk];
            ASSAY_DETAIL_UNROLL
            for (int e = 0; e < length; ++e) ASSAY_DETAIL_UNROLL
            for (int row = 0; row < rows_of_thread; ++row)
              sums[thread].of[row].add(decode(elements[row].elements[e]),
                                       shared.weights[buffer][chunk * length + e].value);
          }
        } else {
          ASSAY_DETAIL_KEEP_LOOP
          for (int i = 0; i < present; ++i) ASSAY_DETAIL_UNROLL
          for (int row = 0; row < rows_of_thread; ++row)
            sums[thread].of[row].add(
                decode(shared.elements[buffer][(thread + row * threads) * pitch + i / length].elements[i % length]),
                shared.weights[buffer][i].value);
        }
        if (more) store(thread, buffer ^ 1);
      });
    }
    block.each([&](int thread) {
      ASSAY_DETAIL_UNROLL
      for (int row = 0; row < rows_of_thread; ++row)
        sums[thread].of[row].store(tile.partials + thread + row * threads, grid.tile_rows);
    });
  }

 private:
  struct Tile {
    const T* data;
    Index rows, columns;
    const double* weights;
    double* partials;
  };
  /// Of a chunk within the part of a tile that is in shared memory.
  struct Place {
    int row, chunk;
  };

  [[nodiscard]] ASSAY_FUNCTION Tile tile_of(Index item) const {
    const Index column = item % grid.column_tiles * grid.tile_columns,
                row = item / grid.column_tiles % grid.row_tiles * grid.tile_rows,
                batch = item / grid.column_tiles / grid.row_tiles;
    return {matrix.data + batch * matrix.strides[0] + row * matrix.strides[1] + column * matrix.strides[2],
            grid.rows - row < grid.tile_rows ? grid.rows - row : grid.tile_rows,
            grid.columns - column < grid.tile_columns ? grid.columns - column : grid.tile_columns,
            weights + batch * weight_batch_stride + column,
            partials + item * static_cast<Index>(ResidualValues<Compensated>::partial_count) * grid.tile_rows};
  }

  [[nodiscard]] ASSAY_FUNCTION Place place(int thread, int index) const {
    if (!along_columns) return {thread + index / chunks * threads, index % chunks};
    const int chunk = thread + index * threads;
    return {chunk / chunks, chunk % chunks};
  }

  ASSAY_FUNCTION void fetch_chunk(const Tile& tile, const Place& at, Index column, Chunk& chunk) const {
    const Index first = column + at.chunk * length;
    if (at.row >= tile.rows || first >= tile.columns) return;
    const T* source = tile.data + at.row * matrix.strides[1] + first * matrix.strides[2];
    if (aligned && first + length <= tile.columns) {
      chunk = *reinterpret_cast<const Chunk*>(source);
      return;
    }
    const int present = tile.columns - first < length ? static_cast<int>(tile.columns - first) : length;
    ASSAY_DETAIL_UNROLL
    for (int e = 0; e < length; ++e)
      if (e < present) chunk.elements[e] = source[e * matrix.strides[2]];
  }
};

}  // namespace assay::inline v0::detail
