#pragma once

#include "assay/kernels/gemm/detail/vector_panels.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// Makes a value opaque to g++, so that it does not contract the operation that made it with one that uses it. (clang
/// is told by a pragma, and checks operands of assembly before it knows the variant.)
template <class V>
ASSAY_DETAIL_INLINE void keep_rounded([[maybe_unused]] V& value) {
#if defined(__x86_64__) && !defined(__clang__)
  asm("" : "+v"(value));
#endif
}

/// What a product of packed panels adds up.
enum class Summand {
  product,   ///< a·b
  magnitude  ///< a·|b|, for packed rows that have lost their signs
};

/// Rows of a tile, as many as registers hold with so many panels, and of those that take what is left of a block's
/// rows.
template <std::size_t VectorBytes, Index Panels>
inline constexpr Index tile_rows = VectorBytes == 64   ? 24 / Panels
                                   : VectorBytes == 32 ? 6
                                                       : 2;
template <std::size_t VectorBytes, Index Panels>
inline constexpr Index last_tile_rows = VectorBytes == 64 ? 8 / Panels : 2;

/// Tiles of C that stay in registers while k runs: rows × so many panels of columns.
template <std::size_t VectorBytes, Index Panels, Index rows>
struct ProductTile {
  static constexpr Index vectors = 64 / static_cast<Index>(VectorBytes);  ///< of a panel
  using Double = typename Vector<double, VectorBytes>::Type;
  using Word = typename Vector<std::uint64_t, VectorBytes>::Type;
  using Unaligned = typename Vector<double, VectorBytes>::Unaligned;

  /// c += a·b over `depth` terms in ascending order, or c = a·b where it is `fresh`: the sums of the plain triple loop,
  /// bit for bit, since every product of formats of up to 26 significand bits is exact in double (so that fused or not
  /// is the same). Meanwhile fetches `pace` bytes a term from `coming` on: requests that come faster than memory
  /// answers would stop all others.
  template <Summand Kind>
  ASSAY_DETAIL_INLINE static void multiply(const double* a, const double* b, Index panel_stride, Index depth, double* c,
                                           Index c_stride, bool fresh, const char* coming, Index pace) {
    constexpr Index all = Panels * vectors, lanes = panel_columns / vectors;
    Double sum[rows][all];
    if (fresh) {
#pragma GCC unroll 24
      for (Index row = 0; row < rows; ++row) {
#pragma GCC unroll 4
        for (Index vector = 0; vector < all; ++vector) sum[row][vector] = Double{};
#pragma GCC unroll 4
        for (Index panel = 0; panel < Panels; ++panel)
          __builtin_prefetch(c + row * c_stride + panel * panel_columns, 1);
      }
    } else {
#pragma GCC unroll 24
      for (Index row = 0; row < rows; ++row) {
#pragma GCC unroll 4
        for (Index vector = 0; vector < all; ++vector)
          sum[row][vector] = *reinterpret_cast<const Unaligned*>(c + row * c_stride + vector * lanes);
      }
    }
    for (Index term = 0; term < depth; ++term) {
      Double right[all];
#pragma GCC unroll 4
      for (Index vector = 0; vector < all; ++vector) {
        right[vector] =
            *reinterpret_cast<const Unaligned*>(b + vector / vectors * panel_stride + vector % vectors * lanes);
        if constexpr (Kind == Summand::magnitude)
          right[vector] = reinterpret_cast<Double>(reinterpret_cast<Word>(right[vector]) & 0x7fffffffffffffffu);
      }
      __builtin_prefetch(coming);
      coming += pace;
#pragma GCC unroll 24
      for (Index row = 0; row < rows; ++row) {
        const double left = a[row * block_depth];
#pragma GCC unroll 4
        for (Index vector = 0; vector < all; ++vector) sum[row][vector] += left * right[vector];
      }
      ++a;
      b += panel_columns;
#if defined(__x86_64__)
      asm("" : "+r"(a), "+r"(b));  // keeps the addresses a pointer and a constant
#endif
    }
#pragma GCC unroll 24
    for (Index row = 0; row < rows; ++row) {
#pragma GCC unroll 4
      for (Index vector = 0; vector < all; ++vector)
        *reinterpret_cast<Unaligned*>(c + row * c_stride + vector * lanes) = sum[row][vector];
    }
  }
};

/// The same in double-double, for formats whose products double cannot hold: high + low is Σ a·b, magnitude Σ |a·b|.
/// Needs a fused multiply-add, hence AVX2 or wider.
template <std::size_t VectorBytes>
struct DoubleDoubleTile {
  static constexpr Index rows = VectorBytes == 64 ? 6 : 3;
  static constexpr Index lanes = static_cast<Index>(VectorBytes / sizeof(double));
  using Double = typename Vector<double, VectorBytes>::Type;
  using Word = typename Vector<std::uint64_t, VectorBytes>::Type;
  using Unaligned = typename Vector<double, VectorBytes>::Unaligned;

  ASSAY_DETAIL_INLINE static void multiply(const double* a, const double* b, Index depth, double* high, double* low,
                                           double* magnitude, Index stride) {
#if defined(__clang__)
#pragma clang fp contract(off)
#endif
    Double sum[rows], rest[rows], size[rows];
#pragma GCC unroll 6
    for (Index row = 0; row < rows; ++row) {
      sum[row] = *reinterpret_cast<const Unaligned*>(high + row * stride);
      rest[row] = *reinterpret_cast<const Unaligned*>(low + row * stride);
      size[row] = *reinterpret_cast<const Unaligned*>(magnitude + row * stride);
    }
    for (Index term = 0; term < depth; ++term) {
      const Double right = *reinterpret_cast<const Unaligned*>(b + term * panel_columns);
#pragma GCC unroll 6
      for (Index row = 0; row < rows; ++row) {
        const Double left = a[row * block_depth + term] - Double{};
        Double product = left * right;
        keep_rounded(product);
        Double error = product;
        product_error(left, right, error);
        const Double total = sum[row] + product;  // two_sum
        const Double product_part = total - sum[row];
        const Double sum_part = total - product_part;
        rest[row] += ((sum[row] - sum_part) + (product - product_part)) + error;
        sum[row] = total;
        size[row] += reinterpret_cast<Double>(reinterpret_cast<Word>(product) & 0x7fffffffffffffffu);
      }
    }
#pragma GCC unroll 6
    for (Index row = 0; row < rows; ++row) {
      *reinterpret_cast<Unaligned*>(high + row * stride) = sum[row];
      *reinterpret_cast<Unaligned*>(low + row * stride) = rest[row];
      *reinterpret_cast<Unaligned*>(magnitude + row * stride) = size[row];
    }
  }

 private:
  /// error = a·b − error, in one rounding. Not left to contraction, which flags may turn off.
  ASSAY_DETAIL_INLINE static void product_error([[maybe_unused]] const Double& a, [[maybe_unused]] const Double& b,
                                                [[maybe_unused]] Double& error) {
#if defined(__clang__)
#if __has_builtin(__builtin_elementwise_fma)
    error = __builtin_elementwise_fma(a, b, -error);
#else
    for (Index lane = 0; lane < lanes; ++lane) error[lane] = __builtin_fma(a[lane], b[lane], -error[lane]);
#endif
#elif defined(__x86_64__)
    asm("vfmsub231pd {%2, %1, %0|%0, %1, %2}" : "+v"(error) : "v"(a), "v"(b));
#endif
  }
};

/// Sums of a block of C: `rows` rows (padded to row_multiple) of `stride` columns, a multiple of panel_columns.
struct BlockSums {
  double* product;
  double* residual;   ///< in double-double only
  double* magnitude;  ///< Σ |a·b|
  Index stride;
};

/// Adds packed rows of A times packed panels of B to a block of sums.
struct MultiplyBlock {
  /// Rows are taken together, as far as they go: sums of no more are written than of the next multiple of it.
  static constexpr Index rows_written = 8;

  /// `fresh`: the sums begin here, whatever is in their place.
  template <std::size_t VectorBytes, Summand Kind>
  ASSAY_DETAIL_INLINE static void add(const double* a, const double* b, Index panel_stride, Index depth, Index rows,
                                      Index columns, double* sums, Index stride, bool fresh = false) {
    constexpr Index pair = VectorBytes == 64 ? 2 : 1;  // fewer loads an element; narrower sets have no registers for it
    Index column = 0;
    for (; column + (pair - 1) * panel_columns < columns; column += pair * panel_columns, b += pair * panel_stride)
      add_panels<VectorBytes, pair, Kind>(a, b, panel_stride, depth, rows, columns - column, sums + column, stride,
                                          fresh);
    if (column < columns)
      add_panels<VectorBytes, 1, Kind>(a, b, panel_stride, depth, rows, columns - column, sums + column, stride, fresh);
  }

  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void add_double_double(const double* a, const double* b, Index panel_stride, Index depth,
                                                    Index rows, Index columns, const BlockSums& sums) {
    using Tile = DoubleDoubleTile<VectorBytes>;
    for (Index column = 0; column < columns; column += panel_columns, b += panel_stride) {
      for (Index row = 0; row < rows; row += Tile::rows) {
        for (Index vector = 0; vector < panel_columns; vector += Tile::lanes) {
          const Index corner = row * sums.stride + column + vector;
          Tile::multiply(a + row * block_depth, b + vector, depth, sums.product + corner, sums.residual + corner,
                         sums.magnitude + corner, sums.stride);
        }
      }
    }
  }

 private:
  /// A column of tiles. While they last, the panels after these come to the first-level cache, at an even pace.
  template <std::size_t VectorBytes, Index Panels, Summand Kind>
  ASSAY_DETAIL_INLINE static void add_panels(const double* a, const double* b, Index panel_stride, Index depth,
                                             Index rows, Index columns, double* sums, Index stride, bool fresh) {
    constexpr Index whole = tile_rows<VectorBytes, Panels>, last = last_tile_rows<VectorBytes, Panels>;
    constexpr Index bytes = panel_columns * static_cast<Index>(sizeof(double));  // of a term in a panel
    const Index whole_tiles = rows / whole, tiles = whole_tiles + (rows % whole + last - 1) / last,
                tiles_of_panel = (tiles + Panels - 1) / Panels;
    const Index pace = (bytes + tiles_of_panel - 1) / tiles_of_panel;
    for (Index tile = 0; tile < tiles; ++tile) {
      const Index next = Panels + tile / tiles_of_panel;  // panel, from b
      const char* coming =
          reinterpret_cast<const char*>(b + (next * panel_columns < columns ? next * panel_stride : 0)) +
          tile % tiles_of_panel * pace * depth;
      const Index row = tile < whole_tiles ? tile * whole : whole_tiles * whole + (tile - whole_tiles) * last;
      const double* const left = a + row * block_depth;
      double* const to = sums + row * stride;
      if (tile < whole_tiles)
        ProductTile<VectorBytes, Panels, whole>::template multiply<Kind>(left, b, panel_stride, depth, to, stride,
                                                                         fresh, coming, pace);
      else
        ProductTile<VectorBytes, Panels, last>::template multiply<Kind>(left, b, panel_stride, depth, to, stride, fresh,
                                                                        coming, pace);
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
