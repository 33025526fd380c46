#pragma once

#include <atomic>
#include <cstddef>
#include <thread>

#include "assay/kernels/gemm/detail/reference_work.hpp"
#include "assay/kernels/gemm/detail/scale_bound.hpp"
#include "assay/kernels/gemm/gemm.hpp"

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// The block of C that one task computes: its sums and its packed rows of A fit a core's second-level cache.
struct BlockShape {
  Index rows = 96;      ///< a multiple of row_multiple
  Index columns = 240;  ///< a multiple of panel_columns

  /// Smaller blocks for small problems, so that every thread has work.
  [[nodiscard]] static BlockShape of(Index rows, Index columns, Index batches, unsigned threads) {
    BlockShape shape;
    const auto tasks = [&] {
      return batches * (round_up(rows, shape.rows) / shape.rows) * (round_up(columns, shape.columns) / shape.columns);
    };
    while (threads > 1 && tasks() < 4 * static_cast<Index>(threads) &&
           (shape.rows > row_multiple || shape.columns > 64)) {
      if (shape.columns > 64)
        shape.columns = round_up(shape.columns / 2, panel_columns);
      else
        shape.rows /= 2;
    }
    if (shape.columns > round_up(columns, panel_columns)) shape.columns = round_up(columns, panel_columns);
    if (shape.rows > round_up(rows, row_multiple)) shape.rows = round_up(rows, row_multiple);
    return shape;
  }
  [[nodiscard]] Index elements() const { return rows * columns; }
  [[nodiscard]] Index workspace() const { return 3 * elements() + (rows + columns) * block_depth; }
};

/// Workspaces, one for each thread that may run at the same time, free to whichever comes.
struct Workspaces {
  double* memory;
  int* taken;  ///< zero where free
  Index count;
  Index size;  ///< doubles in each

  [[nodiscard]] Index claim() const {
    for (;;) {
      for (Index slot = 0; slot < count; ++slot)
        if (std::atomic_ref<int>(taken[slot]).exchange(1, std::memory_order_acquire) == 0) return slot;
      std::this_thread::yield();
    }
  }
  void release(Index slot) const { std::atomic_ref<int>(taken[slot]).store(0, std::memory_order_release); }
};

/// Packs groups of panels of B for a range of columns and batches.
template <Format T>
struct PackPanels {
  static constexpr Index group = 8;
  StridedView<const T, 3> b;
  Index first_batch, first_column, columns;
  double* panels;
  InstructionSet set;

  [[nodiscard]] static Index groups(Index columns) {
    return (columns + group * panel_columns - 1) / (group * panel_columns);
  }
  [[nodiscard]] static Index depths(Index k) { return (k + block_depth - 1) / block_depth; }

  void operator()(std::size_t task) const {
    const Index k = b.extents[1], groups_of_matrix = groups(columns), blocks = depths(k);
    const Index index = static_cast<Index>(task), matrix = index / (groups_of_matrix * blocks);
    const Index start = index / groups_of_matrix % blocks * block_depth,
                first = index % groups_of_matrix * group * panel_columns;
    const Index depth = k - start < block_depth ? k - start : block_depth;
    const Index present = columns - first < group * panel_columns ? columns - first : group * panel_columns;
    const T* source =
        b.data + (first_batch + matrix) * b.strides[0] + start * b.strides[1] + (first_column + first) * b.strides[2];
    double* packed = panels + (matrix * round_up(columns, panel_columns) + first) * k + start * panel_columns;
    Index panel_stride = k * panel_columns;
    run_variant<PackColumns>(set, source, b.strides[2], b.strides[1], present, depth, packed, panel_stride);
  }
};

/// A matrix of the product as a block's task reads it: `vectors` are rows of the left or columns of the right one.
template <class T>
struct Factor {
  const T* data;
  Index vector_stride;
  Index term_stride;
};

/// The norms that bound S; null where S is summed exactly.
struct Norms {
  const double* rows[2] = {nullptr, nullptr};     ///< chunks × m: plain, weighted
  const double* columns[2] = {nullptr, nullptr};  ///< chunks × n
  Index chunks = 0;
};

/// Packed blocks of one task.
struct PackedBlock {
  double* rows;
  double* columns;
};

/// The sums of one block of C over all of k.
struct SumBlock {
  template <std::size_t VectorBytes, class A, class B, bool DoubleDoubleSums>
  ASSAY_DETAIL_INLINE static void run(const Factor<A>& a, const Factor<B>& b, Index rows, Index columns, Index k,
                                      const double* panels, const Factor<double> (&norms)[4], Index chunks,
                                      const BlockSums& sums, const PackedBlock& packed,
                                      const std::integral_constant<bool, DoubleDoubleSums>&) {
    const Index padded = round_up(rows, row_multiple);
    if (DoubleDoubleSums || k == 0) {
      for (double* area : {sums.product, sums.residual, sums.magnitude})
        for (Index i = 0; i < padded * sums.stride; ++i) area[i] = 0;
    }
    for (Index start = 0; start < k; start += block_depth) {
      const Index depth = k - start < block_depth ? k - start : block_depth;
      PackRows::run<VectorBytes>(a.data + start * a.term_stride, a.vector_stride, a.term_stride, rows, depth,
                                 packed.rows);
      if (panels == nullptr) pack_columns<VectorBytes>(b, start, depth, columns, packed.columns);
      const double* right = panels != nullptr ? panels + start * panel_columns : packed.columns;
      const Index panel_stride = (panels != nullptr ? k : block_depth) * panel_columns;
      if constexpr (DoubleDoubleSums) {
        if constexpr (VectorBytes > 16)
          MultiplyBlock::add_double_double<VectorBytes>(packed.rows, right, panel_stride, depth, rows, columns, sums);
      } else {
        MultiplyBlock::add<VectorBytes, Summand::product>(packed.rows, right, panel_stride, depth, rows, columns,
                                                          sums.product, sums.stride, start == 0);
        if (chunks == 0) {
          for (Index i = 0; i < padded * block_depth; ++i) packed.rows[i] = __builtin_fabs(packed.rows[i]);
          MultiplyBlock::add<VectorBytes, Summand::magnitude>(packed.rows, right, panel_stride, depth, rows, columns,
                                                              sums.magnitude, sums.stride, start == 0);
        }
      }
    }
    if (chunks > 0) bound_magnitude<VectorBytes>(norms, chunks, rows, columns, sums, packed);
  }

 private:
  template <std::size_t VectorBytes, class B>
  ASSAY_DETAIL_INLINE static void pack_columns(const Factor<B>& b, Index start, Index depth, Index columns,
                                               double* packed) {
    PackColumns::run<VectorBytes>(b.data + start * b.term_stride, b.vector_stride, b.term_stride, columns, depth,
                                  packed, block_depth * panel_columns);
  }

  /// magnitude = the smaller of the plain and the weighted bound; residual serves as the second one's sums.
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void bound_magnitude(const Factor<double> (&norms)[4], Index chunks, Index rows,
                                                  Index columns, const BlockSums& sums, const PackedBlock& packed) {
    for (int kind = 0; kind < 2; ++kind) {
      const Factor<double>& left = norms[2 * kind];
      for (Index start = 0; start < chunks; start += block_depth) {
        const Index depth = chunks - start < block_depth ? chunks - start : block_depth;
        PackRows::run<VectorBytes>(left.data + start * left.term_stride, left.vector_stride, left.term_stride, rows,
                                   depth, packed.rows);
        pack_columns<VectorBytes>(norms[2 * kind + 1], start, depth, columns, packed.columns);
        MultiplyBlock::add<VectorBytes, Summand::product>(
            packed.rows, packed.columns, block_depth * panel_columns, depth, rows, columns,
            kind == 0 ? sums.magnitude : sums.residual, sums.stride, start == 0);
      }
    }
    using Unaligned = typename Vector<double, VectorBytes>::Unaligned;
    for (Index row = 0; row < rows; ++row) {
      for (Index column = 0; column < columns; column += static_cast<Index>(Vector<double, VectorBytes>::lanes)) {
        auto& plain = *reinterpret_cast<Unaligned*>(sums.magnitude + row * sums.stride + column);
        const auto& weighted = *reinterpret_cast<const Unaligned*>(sums.residual + row * sums.stride + column);
        plain = weighted < plain ? weighted : plain;
      }
    }
  }
};

/// r and E of a block where α = 1, β = 0 and nothing is special; false, and nothing written, if anything is.
struct FinishBlock {
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(const BlockSums& sums, Index rows, Index columns, const GemmBound& bound,
                                      double* value, double* error, Index stride, bool& finished) {
    using Double = typename Vector<double, VectorBytes>::Type;
    using Word = typename Vector<std::uint64_t, VectorBytes>::Type;
    using Unaligned = typename Vector<double, VectorBytes>::Unaligned;
    constexpr Index lanes = static_cast<Index>(Vector<double, VectorBytes>::lanes);
    const double room = 1 + bound.growth + bound.scaling;
    Word usable = ~Word{};
    for (Index row = 0; row < rows; ++row) {
      for (Index column = 0; column < columns; column += lanes) {
        const Double product = *reinterpret_cast<const Unaligned*>(sums.product + row * sums.stride + column);
        const Double magnitude = *reinterpret_cast<const Unaligned*>(sums.magnitude + row * sums.stride + column);
        usable &= reinterpret_cast<Word>(magnitude * room <= bound.accumulator_max) &
                  reinterpret_cast<Word>(product - product == 0);
      }
    }
    finished = true;
    for (Index lane = 0; lane < lanes; ++lane) finished = finished && usable[lane] != 0;
    if (!finished) return;
    for (Index row = 0; row < rows; ++row) {
      const double* product = sums.product + row * sums.stride;
      const double* magnitude = sums.magnitude + row * sums.stride;
      double* to_value = value + row * stride;
      double* to_error = error + row * stride;
      const Index coming = row + 2 < rows ? 2 * stride : 0;
      Index column = 0;
      for (; column + lanes <= columns; column += lanes) {
        __builtin_prefetch(to_value + coming + column, 1);
        __builtin_prefetch(to_error + coming + column, 1);
        const Double of_product = *reinterpret_cast<const Unaligned*>(product + column),
                     size = *reinterpret_cast<const Unaligned*>(magnitude + column);
        const Double absolute = reinterpret_cast<Double>(reinterpret_cast<Word>(of_product) & 0x7fffffffffffffffu);
        *reinterpret_cast<Unaligned*>(to_value + column) = of_product;
        *reinterpret_cast<Unaligned*>(to_error + column) =
            bound.growth * size + bound.scaling * absolute + bound.underflow + bound.reference_growth * size;
      }
      for (; column < columns; ++column) {
        const double size = magnitude[column];
        to_value[column] = product[column];
        to_error[column] = bound.growth * size + bound.scaling * __builtin_fabs(product[column]) + bound.underflow +
                           bound.reference_growth * size;
      }
    }
  }
};

/// The reference and bound of one block of C.
template <class Op, bool DoubleDoubleSums>
struct ReferenceBlock {
  typename Op::Arguments arguments;
  GemmBound bound;
  BlockShape shape;
  Index first_batch, first_column, columns;  ///< what `panels` holds
  const double* panels;                      ///< null: every task packs what it needs of B
  Norms norms;
  Workspaces workspaces;
  double* value;
  double* error;
  InstructionSet set;

  [[nodiscard]] Index row_blocks() const { return round_up(arguments.c.extents[1], shape.rows) / shape.rows; }
  [[nodiscard]] Index column_blocks() const { return round_up(columns, shape.columns) / shape.columns; }

  void operator()(std::size_t task) const {
    const auto& [a, b, c] = arguments;
    const Index index = static_cast<Index>(task), m = c.extents[1], n = c.extents[2];
    Index k = a.extents[2], chunks = norms.chunks;
    const Index matrix = index / (row_blocks() * column_blocks()), batch = first_batch + matrix;
    const Index row = index / column_blocks() % row_blocks() * shape.rows,
                first = index % column_blocks() * shape.columns, column = first_column + first;
    const Index rows = m - row < shape.rows ? m - row : shape.rows,
                width = columns - first < shape.columns ? columns - first : shape.columns;

    const Index slot = workspaces.claim();
    double* memory = workspaces.memory + slot * workspaces.size;
    const BlockSums sums{memory, memory + shape.elements(), memory + 2 * shape.elements(), shape.columns};
    double* packed_rows = memory + 3 * shape.elements();
    const PackedBlock packed{packed_rows, packed_rows + shape.rows * block_depth};
    const Factor<typename Op::FormatA> left{a.data + batch * a.strides[0] + row * a.strides[1], a.strides[1],
                                            a.strides[2]};
    const Factor<typename Op::FormatB> right{b.data + batch * b.strides[0] + column * b.strides[2], b.strides[2],
                                             b.strides[1]};
    const double* right_panels =
        panels == nullptr ? nullptr : panels + (matrix * round_up(columns, panel_columns) + first) * k;
    Factor<double> of_norms[4] = {};
    for (int kind = 0; kind < 2 && chunks > 0; ++kind) {
      of_norms[2 * kind] = {norms.rows[kind] + row, 1, m};
      of_norms[2 * kind + 1] = {norms.columns[kind] + column, 1, n};
    }
    const std::integral_constant<bool, DoubleDoubleSums> kind;
    const Factor<double>(&bounded)[4] = of_norms;
    run_variant<SumBlock>(set, left, right, rows, width, k, right_panels, bounded, chunks, sums, packed, kind);
    finish(sums, batch, row, column, rows, width, m, n);
    workspaces.release(slot);
  }

 private:
  void finish(const BlockSums& sums, Index batch, Index row, Index column, Index rows, Index width, Index m,
              Index n) const {
    const Index corner = (batch * m + row) * n + column;
    if constexpr (!DoubleDoubleSums) {
      if (bound.alpha == 1 && bound.beta == 0) {
        double* to_value = value + corner;
        double* to_error = error + corner;
        bool finished = false;
        run_variant<FinishBlock>(set, sums, rows, width, bound, to_value, to_error, n, finished);
        if (finished) return;
      }
    }
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < width; ++j) {
        const double old = bound.beta == 0 ? 0 : decode(arguments.c(batch, row + i, column + j));
        const Index from = i * sums.stride + j, to = corner + i * n + j;
        const ExpectedElement expected = finish_element<typename Op::FormatC, DoubleDoubleSums>(
            bound, sums.product[from], DoubleDoubleSums ? sums.residual[from] : 0, sums.magnitude[from], old);
        value[to] = expected.value;
        error[to] = expected.error;
      }
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail
