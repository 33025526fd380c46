#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "assay/backends/block_backend.hpp"
#include "assay/kernels/gemm/detail/block_residual.hpp"
#include "assay/kernels/gemm/detail/residual_grid.hpp"
#include "assay/kernels/gemm/detail/residual_load.hpp"
#include "assay/kernels/gemm/detail/residual_sums.hpp"
#include "assay/tensor/strided_view.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675
#endif

namespace assay::inline v0::detail {

/// A tile of a matrix on its way through a pass.
template <Format T>
struct ResidualTile {
  const T* data;
  Index rows, columns, row_stride, column_stride;
  const double* weights;  ///< value after value, weight_stride apart; zeros up to a multiple of 16 columns
  Index weight_stride;
  double* partials;  ///< value after value, partial_stride apart, which is a multiple of 16 rows
  Index partial_stride;
};

inline namespace ASSAY_DETAIL_UNIT_VARIANT {

template <Format T, ResidualPass Pass, bool Compensated>
inline constexpr std::size_t residual_weights =
    Pass == ResidualPass::product ? ResidualValues<Compensated>::count : residual_vectors;

/// A tile whose rows are contiguous: lanes run along a row, and are added up at its end.
template <Format T, ResidualPass Pass, bool Compensated>
struct ContiguousRows {
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(const ResidualTile<T>& tile) {
    constexpr Index together =
        VectorBytes == 64 ? 4 : 2;  // as many as there are registers for: weights are loaded once for all
    Index row = 0;
    for (; row + together <= tile.rows; row += together) rows<VectorBytes, together>(tile, row);
    for (; row < tile.rows; ++row) rows<VectorBytes, 1>(tile, row);
  }

 private:
  template <std::size_t VectorBytes, Index Rows>
  ASSAY_DETAIL_INLINE static void rows(const ResidualTile<T>& tile, Index first) {
    using Value = typename Vector<double, VectorBytes>::Type;
    constexpr Index lanes = static_cast<Index>(Vector<double, VectorBytes>::lanes);
    ResidualSums<Value, T, Pass, Compensated> sums[Rows];
    DecodedPair<VectorBytes> elements;
    Value weights[2][residual_weights<T, Pass, Compensated>];
    const T* source = tile.data + first * tile.row_stride;
    Index column = 0;
    for (; column + 2 * lanes <= tile.columns; column += 2 * lanes) {
      load_weights<VectorBytes>(tile, column, weights[0]);
      load_weights<VectorBytes>(tile, column + lanes, weights[1]);
#pragma GCC unroll 4
      for (Index row = 0; row < Rows; ++row) {
        elements.load(source + row * tile.row_stride + column);
        __builtin_prefetch(source + (row + Rows) * tile.row_stride + column);
        sums[row].add(elements.values[0], weights[0]);
        sums[row].add(elements.values[1], weights[1]);
      }
    }
    if (column < tile.columns) {
      load_weights<VectorBytes>(tile, column, weights[0]);
      load_weights<VectorBytes>(tile, column + lanes, weights[1]);
      for (Index row = 0; row < Rows; ++row) {
        elements.load_some(source + row * tile.row_stride + column, tile.columns - column);
        sums[row].add(elements.values[0], weights[0]);
        sums[row].add(elements.values[1], weights[1]);
      }
    }
#pragma GCC unroll 4
    for (Index row = 0; row < Rows; ++row) {
      alignas(64) double of_lanes[ResidualValues<Compensated>::partial_count * static_cast<std::size_t>(lanes)];
      sums[row].store(of_lanes, lanes);
      ResidualSums<double, T, Pass, Compensated> total;
      for (Index lane = 0; lane < lanes; ++lane) {
        ResidualSums<double, T, Pass, Compensated> one;
        one.load(of_lanes + lane, lanes);
        total.join(one);
      }
      total.store(tile.partials + first + row, tile.partial_stride);
    }
  }

  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void load_weights(const ResidualTile<T>& tile, Index column,
                                               typename Vector<double, VectorBytes>::Type* weights) {
#pragma GCC unroll 9
    for (std::size_t value = 0; value < residual_weights<T, Pass, Compensated>; ++value)
      weights[value] = *reinterpret_cast<const typename Vector<double, VectorBytes>::Unaligned*>(
          tile.weights + static_cast<Index>(value) * tile.weight_stride + column);
  }
};

/// A tile whose columns are contiguous: lanes are rows, whose sums stay in the partial results.
template <Format T, ResidualPass Pass, bool Compensated>
struct ContiguousColumns {
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(const ResidualTile<T>& tile) {
    for (Index value = 0; value < static_cast<Index>(ResidualValues<Compensated>::partial_count); ++value)
      for (Index row = 0; row < tile.partial_stride; ++row) tile.partials[value * tile.partial_stride + row] = 0;
    Index column = 0;
    for (; column + 4 <= tile.columns; column += 4) columns<VectorBytes, 4>(tile, column);
    for (; column < tile.columns; ++column) columns<VectorBytes, 1>(tile, column);
  }

 private:
  template <std::size_t VectorBytes, Index Columns>
  ASSAY_DETAIL_INLINE static void columns(const ResidualTile<T>& tile, Index first) {
    using Value = typename Vector<double, VectorBytes>::Type;
    constexpr Index lanes = static_cast<Index>(Vector<double, VectorBytes>::lanes);
    constexpr std::size_t values = residual_weights<T, Pass, Compensated>;
    Value weights[Columns][values];
    for (Index column = 0; column < Columns; ++column)
      for (std::size_t value = 0; value < values; ++value)
        weights[column][value] =
            tile.weights[static_cast<Index>(value) * tile.weight_stride + first + column] - Value{};
    const T* source = tile.data + first * tile.column_stride;
    Index row = 0;
    for (; row + 2 * lanes <= tile.rows; row += 2 * lanes) {
      ResidualSums<Value, T, Pass, Compensated> sums[2];
      sums[0].load(tile.partials + row, tile.partial_stride);
      sums[1].load(tile.partials + row + lanes, tile.partial_stride);
#pragma GCC unroll 4
      for (Index column = 0; column < Columns; ++column) {
        DecodedPair<VectorBytes> elements;
        elements.load(source + column * tile.column_stride + row);
        __builtin_prefetch(source + (column + Columns) * tile.column_stride + row);
        sums[0].add(elements.values[0], weights[column]);
        sums[1].add(elements.values[1], weights[column]);
      }
      sums[0].store(tile.partials + row, tile.partial_stride);
      sums[1].store(tile.partials + row + lanes, tile.partial_stride);
    }
    for (; row < tile.rows; row += lanes) {
      ResidualSums<Value, T, Pass, Compensated> sums;
      sums.load(tile.partials + row, tile.partial_stride);
      for (Index column = 0; column < Columns; ++column) {
        DecodedPair<VectorBytes> elements;
        elements.load_some(source + column * tile.column_stride + row,
                           tile.rows - row < lanes ? tile.rows - row : lanes);
        sums.add(elements.values[0], weights[column]);
      }
      sums.store(tile.partials + row, tile.partial_stride);
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT

/// Sums up one tile.
template <Format T, ResidualPass Pass, bool Compensated>
struct SumResidualTile {
  using Values = ResidualValues<Compensated>;
  StridedView<const T, 3> matrix;
  ResidualGrid grid;
  const double* weights;
  Index weight_batch_stride;
  double* partials;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index item = static_cast<Index>(index), column_tile = item % grid.column_tiles,
                row_tile = item / grid.column_tiles % grid.row_tiles;
    const Index batch = item / grid.column_tiles / grid.row_tiles, row = row_tile * grid.tile_rows,
                column = column_tile * grid.tile_columns;
    const Index rows = grid.rows - row < grid.tile_rows ? grid.rows - row : grid.tile_rows;
    const Index columns = grid.columns - column < grid.tile_columns ? grid.columns - column : grid.tile_columns;
    const ResidualTile<T> tile{
        matrix.data + batch * matrix.strides[0] + row * matrix.strides[1] + column * matrix.strides[2],
        rows,
        columns,
        matrix.strides[1],
        matrix.strides[2],
        weights + batch * weight_batch_stride + column,
        residual_stride(grid.columns),
        partials + item * static_cast<Index>(Values::partial_count) * grid.tile_rows,
        grid.tile_rows};
#if ASSAY_DETAIL_VECTOR_VARIANTS
    if (tile.column_stride == 1) return run_variant<ContiguousRows<T, Pass, Compensated>>(instruction_set(), tile);
    if (tile.row_stride == 1) return run_variant<ContiguousColumns<T, Pass, Compensated>>(instruction_set(), tile);
#endif
    sum_one_by_one(tile);
  }

 private:
  ASSAY_FUNCTION static void sum_one_by_one(const ResidualTile<T>& tile) {
    constexpr std::size_t values = Pass == ResidualPass::product ? Values::count : residual_vectors;
    for (Index row = 0; row < tile.rows; ++row) {
      ResidualSums<double, T, Pass, Compensated> sums;
      for (Index column = 0; column < tile.columns; ++column) {
        double weight[values];
        for (std::size_t value = 0; value < values; ++value)
          weight[value] = tile.weights[static_cast<Index>(value) * tile.weight_stride + column];
        sums.add(decode(tile.data[row * tile.row_stride + column * tile.column_stride]), weight);
      }
      sums.store(tile.partials + row, tile.partial_stride);
    }
  }
};

/// Adds up the tiles of a row; rows beyond the last, up to a whole vector, are zero.
template <Format T, ResidualPass Pass, bool Compensated>
struct JoinResidualTiles {
  using Values = ResidualValues<Compensated>;
  ResidualGrid grid;
  const double* partials;
  double* sums;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index stride = residual_stride(grid.rows), batch = static_cast<Index>(index) / stride,
                row = static_cast<Index>(index) % stride;
    ResidualSums<double, T, Pass, Compensated> total;
    if (row < grid.rows) {
      for (Index tile = 0; tile < grid.column_tiles; ++tile) {
        const Index item = (batch * grid.row_tiles + row / grid.tile_rows) * grid.column_tiles + tile;
        ResidualSums<double, T, Pass, Compensated> part;
        part.load(partials + item * static_cast<Index>(Values::partial_count) * grid.tile_rows + row % grid.tile_rows,
                  grid.tile_rows);
        total.join(part);
      }
    }
    if constexpr (Compensated) {  // normalized: what was lost is below an ulp of the sum
      for (std::size_t v = 0; v < residual_vectors; ++v) {
        const double sum = total.sum[v] + total.rest[v];
        total.rest[v] = (total.sum[v] - sum) + total.rest[v];
        total.sum[v] = sum;
      }
    }
    double* values = sums + batch * static_cast<Index>(Values::count) * stride + row;
    for (std::size_t v = 0; v < residual_vectors; ++v) {
      values[static_cast<Index>(v) * stride] = total.sum[v];
      if constexpr (Compensated) values[static_cast<Index>(Values::rest + v) * stride] = total.rest[v];
    }
    double& magnitude = values[static_cast<Index>(Values::magnitude) * stride];
    if constexpr (Pass == ResidualPass::product)
      magnitude = total.magnitude;
    else if constexpr (total.wide)
      magnitude = std::sqrt(total.maximum) * std::sqrt(total.magnitude);
    else
      magnitude = std::sqrt(total.magnitude);
  }
};

/// Submits one pass over a batch of matrices: for each row of each, the values that `ResidualValues` lists, at a stride
/// of `residual_stride(rows)`. `weights` are laid out likewise over the columns; `weight_batch_stride` is 0 if all
/// matrices share them. What is given lies in `memory`, which must outlive the work.
template <ResidualPass Pass, bool Compensated, ParallelBackend B, class T>
[[nodiscard]] Result<const double*> residual_pass(B& backend, typename B::Stream& stream,
                                                  const StridedView<const T, 3>& matrix, const double* weights,
                                                  Index weight_batch_stride,
                                                  std::vector<typename B::template Buffer<double>>& memory) {
  using Values = ResidualValues<Compensated>;
  constexpr bool in_blocks = BlockBackend<B> && !backend_runs_on_host<B>;
  const ResidualGrid grid = in_blocks ? ResidualGrid::for_blocks(matrix) : ResidualGrid::over(matrix);
  const Index batches = matrix.extents[0];
  const std::size_t tiles = static_cast<std::size_t>(batches * grid.tiles());
  const std::size_t rows = static_cast<std::size_t>(batches * residual_stride(grid.rows));
  auto partials =
      backend.template allocate<double>(tiles * Values::partial_count * static_cast<std::size_t>(grid.tile_rows));
  if (!partials) return partials.propagate();
  double* const parts = memory.emplace_back(std::move(partials).value()).data();
  auto sums = backend.template allocate<double>(rows * Values::count);
  if (!sums) return sums.propagate();
  double* const totals = memory.emplace_back(std::move(sums).value()).data();
  if constexpr (in_blocks) {
    const auto sum = SumResidualBlock<T, Pass, Compensated>::of(matrix, grid, weights, weight_batch_stride, parts);
    if (auto summed = backend.parallel_blocks(stream, tiles, sum); !summed) return summed.propagate();
  } else {
    const SumResidualTile<T, Pass, Compensated> sum{matrix, grid, weights, weight_batch_stride, parts};
    if (auto summed = backend.parallel_for(stream, tiles, sum); !summed) return summed.propagate();
  }
  const JoinResidualTiles<T, Pass, Compensated> join{grid, parts, totals};
  if (auto joined = backend.parallel_for(stream, rows, join); !joined) return joined.propagate();
  return static_cast<const double*>(totals);
}

}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
