#pragma once

#include <cstddef>
#include <type_traits>

#include "assay/backends/block_backend.hpp"
#include "assay/backends/matrix_share.hpp"
#include "assay/core/result.hpp"
#include "assay/kernels/gemm/detail/tile_loader.hpp"

namespace assay::inline v0::detail {

/// The part of a product that one block of threads computes, and what of that a group of 32 threads does.
template <int Rows, int Columns, int GroupRows, int GroupColumns>
struct BlockTile {
  static constexpr int rows = Rows, columns = Columns, group_rows = GroupRows, group_columns = GroupColumns;
  static constexpr int depth = 16;  ///< terms in shared memory at a time
  static constexpr int groups_across = Columns / GroupColumns;
  static constexpr int threads = 32 * (Rows / GroupRows) * groups_across;
  static_assert(Rows % GroupRows == 0 && Columns % GroupColumns == 0);
};

/// Two blocks fill a multiprocessor's registers, and shared memory is read half as fast as it could be. Operands of
/// eight bytes need more registers on their way, and leave less for sums.
template <Format A, Format B>
using LargeBlockTile =
    std::conditional_t<sizeof(A) + sizeof(B) <= 8, BlockTile<128, 64, 64, 32>, BlockTile<64, 64, 32, 32>>;

/// For products that large tiles would leave to a few multiprocessors.
using SmallBlockTile = BlockTile<32, 32, 16, 16>;

/// Σ_k a_ik·b_kj of a batch of matrices, or Σ_k |a_ik·b_kj|, in double: (batch·m) × n results. While the matrix units
/// work on one tile of operands in shared memory, the next one is on its way.
template <Format A, Format B, class Tile>
struct MultiplyTiles {
  static constexpr int threads = Tile::threads;
  using LoaderA = TileLoader<A, Tile::rows, Tile::depth, threads>;
  using LoaderB = TileLoader<B, Tile::columns, Tile::depth, threads>;
  using Share = MatrixShare<Tile::group_rows, Tile::group_columns>;

  struct Shared {
    double rows[2][Tile::rows * Tile::depth];
    double columns[2][Tile::columns * Tile::depth];
  };

  TermVectors<A> first_rows;  ///< of the batch
  TermVectors<B> first_columns;
  Index batches, row_batch_stride, column_batch_stride;
  bool magnitudes;    ///< of the operands
  bool keep_smaller;  ///< of the sum and what `results` holds
  double* results;

  [[nodiscard]] static MultiplyTiles of(const StridedView<const A, 3>& a, const StridedView<const B, 3>& b,
                                        bool of_magnitudes, bool keeps_smaller, double* to) {
    return {TermVectors<A>::of(a, 1, 2, LoaderA::length),
            TermVectors<B>::of(b, 2, 1, LoaderB::length),
            a.extents[0],
            a.strides[0],
            b.strides[0],
            of_magnitudes,
            keeps_smaller,
            to};
  }

  [[nodiscard]] ASSAY_FUNCTION Index row_tiles() const { return (first_rows.vectors + Tile::rows - 1) / Tile::rows; }
  [[nodiscard]] ASSAY_FUNCTION Index column_tiles() const {
    return (first_columns.vectors + Tile::columns - 1) / Tile::columns;
  }
  [[nodiscard]] Index blocks() const { return batches * row_tiles() * column_tiles(); }

  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared& shared) const {
    struct Fetched {
      typename LoaderA::Chunks rows;
      typename LoaderB::Chunks columns;
    };
    const Corner corner = corner_of(static_cast<Index>(block.index()));
    const Index depth = Tile::depth, terms = first_rows.terms;
    const TermVectors<A> rows = first_rows.after(corner.batch * row_batch_stride);
    const TermVectors<B> columns = first_columns.after(corner.batch * column_batch_stride);
    typename Block::template PerThread<Share> sums;
    typename Block::template PerThread<Fetched> fetched;

    const auto fetch = [&](int thread, Index term) {
      LoaderA::fetch(rows, corner.row, term, thread, fetched[thread].rows);
      LoaderB::fetch(columns, corner.column, term, thread, fetched[thread].columns);
    };
    const auto store = [&](int thread, Index term, int buffer) {
      LoaderA::store(rows, corner.row, term, thread, fetched[thread].rows, magnitudes, shared.rows[buffer]);
      LoaderB::store(columns, corner.column, term, thread, fetched[thread].columns, magnitudes, shared.columns[buffer]);
    };
    if (terms > 0) {
      block.each([&](int thread) {
        fetch(thread, 0);
        store(thread, 0, 0);
      });
    }
    int buffer = 0;
    for (Index term = 0; term < terms; term += depth, buffer ^= 1) {
      const Index next = term + depth;
      const double* left = shared.rows[buffer];
      const double* right = shared.columns[buffer];
      block.multiply_accumulate(
          sums, std::integral_constant<int, Tile::depth>{},
          [&](int group, int row, int k) {
            return left[LoaderA::position(group / Tile::groups_across * Tile::group_rows + row, k)];
          },
          [&](int group, int k, int column) {
            return right[LoaderB::position(group % Tile::groups_across * Tile::group_columns + column, k)];
          },
          [&](int thread) {
            if (next < terms) fetch(thread, next);
          },
          [&](int thread) {
            if (next < terms) store(thread, next, buffer ^ 1);
          });
    }
    block.each([&](int thread) { finish(corner, thread, sums[thread]); });
  }

 private:
  struct Corner {
    Index batch, row, column;
  };

  /// Blocks that run at the same time share rows and columns: tiles go down eight rows of tiles before they go right.
  [[nodiscard]] ASSAY_FUNCTION Corner corner_of(Index index) const {
    const Index matrix = row_tiles() * column_tiles(), in_matrix = index % matrix, band = 8 * column_tiles();
    const Index first = in_matrix / band * 8, left = row_tiles() - first, height = left < 8 ? left : 8;
    return {index / matrix, (first + in_matrix % band % height) * Tile::rows,
            in_matrix % band / height * Tile::columns};
  }

  ASSAY_FUNCTION void finish(const Corner& corner, int thread, const Share& sums) const {
    const Index m = first_rows.vectors, n = first_columns.vectors;
    const int group = thread / 32;
    const Index first_row = corner.row + group / Tile::groups_across * Tile::group_rows,
                first_column = corner.column + group % Tile::groups_across * Tile::group_columns;
    ASSAY_DETAIL_UNROLL
    for (int i = 0; i < Share::row_parts; ++i) {
      const Index row = first_row + Share::row(thread, i);
      ASSAY_DETAIL_UNROLL
      for (int j = 0; j < Share::column_parts; ++j) {
        ASSAY_DETAIL_UNROLL
        for (int which = 0; which < 2; ++which) {
          const Index column = first_column + Share::column(thread, j, which);
          if (row >= m || column >= n) continue;
          double& result = results[(corner.batch * m + row) * n + column];
          const double sum = sums.values[i][j][which];
          result = !keep_smaller || sum < result ? sum : result;
        }
      }
    }
  }
};

/// What a product makes of its sums.
struct ProductUse {
  bool magnitudes = false;
  bool keep_smaller = false;
};

/// Submits the product of two batches of matrices. Nothing is synchronized.
template <BlockBackend Backend, Format A, Format B>
[[nodiscard]] Result<void> block_product(Backend& backend, typename Backend::Stream& stream,
                                         const StridedView<const A, 3>& a, const StridedView<const B, 3>& b,
                                         ProductUse use, double* results) {
  const auto run = [&]<class Tile>(const Tile&) {
    using Work = MultiplyTiles<A, B, Tile>;
    const Work work = Work::of(a, b, use.magnitudes, use.keep_smaller, results);
    return backend.parallel_blocks(stream, static_cast<std::size_t>(work.blocks()), work);
  };
  using Large = LargeBlockTile<A, B>;
  const double large_tiles = static_cast<double>(a.extents[0]) * static_cast<double>(a.extents[1]) *
                             static_cast<double>(b.extents[2]) / (Large::rows * Large::columns);
  const bool few = large_tiles * 1024 <
                   static_cast<double>(
                       backend.capabilities().concurrency);  // two of them are a multiprocessor's 2048 threads' worth
  return few ? run(SmallBlockTile{}) : run(Large{});
}

}  // namespace assay::inline v0::detail
