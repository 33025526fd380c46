#pragma once

#include "assay/kernels/gemm/detail/vector_panels.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// Makes a value opaque to g++, so that it does not contract the operation that made it with one that uses it. (clang is
/// told by a pragma, and checks operands of assembly before it knows the variant.)
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

/// Tiles of C that stay in registers while k runs: rows × panel_columns.
template <std::size_t VectorBytes>
struct ProductTile {
  static constexpr Index vectors = 64 / static_cast<Index>(VectorBytes);
  static constexpr Index rows = VectorBytes == 64 ? 24 : VectorBytes == 32 ? 6 : 2;
  using Double = typename Vector<double, VectorBytes>::Type;
  using Word = typename Vector<std::uint64_t, VectorBytes>::Type;
  using Unaligned = typename Vector<double, VectorBytes>::Unaligned;

  /// c += a·b over `depth` terms in ascending order: the sums of the plain triple loop, bit for bit, since every product
  /// of formats of up to 26 significand bits is exact in double (so that fused or not is the same).
  template <Summand Kind>
  ASSAY_DETAIL_INLINE static void multiply(const double* a, const double* b, Index depth, double* c, Index c_stride) {
    constexpr Index lanes = panel_columns / vectors;
    Double sum[rows][vectors];
#pragma GCC unroll 24
    for (Index row = 0; row < rows; ++row) {
#pragma GCC unroll 4
      for (Index vector = 0; vector < vectors; ++vector)
        sum[row][vector] = *reinterpret_cast<const Unaligned*>(c + row * c_stride + vector * lanes);
    }
    for (Index term = 0; term < depth; ++term) {
      Double right[vectors];
#pragma GCC unroll 4
      for (Index vector = 0; vector < vectors; ++vector) {
        right[vector] = *reinterpret_cast<const Unaligned*>(b + vector * lanes);
        if constexpr (Kind == Summand::magnitude)
          right[vector] = reinterpret_cast<Double>(reinterpret_cast<Word>(right[vector]) & 0x7fffffffffffffffu);
      }
#pragma GCC unroll 24
      for (Index row = 0; row < rows; ++row) {
        const double left = a[row * block_depth];
#pragma GCC unroll 4
        for (Index vector = 0; vector < vectors; ++vector) sum[row][vector] += left * right[vector];
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
      for (Index vector = 0; vector < vectors; ++vector)
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

  ASSAY_DETAIL_INLINE static void multiply(const double* a, const double* b, Index depth, double* high, double* low, double* magnitude,
                                           Index stride) {
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
  template <std::size_t VectorBytes, Summand Kind>
  ASSAY_DETAIL_INLINE static void add(const double* a, const double* b, Index panel_stride, Index depth, Index rows, Index columns,
                                      double* sums, Index stride) {
    using Tile = ProductTile<VectorBytes>;
    const Index lines = (depth * Tile::rows + rows - 1) / rows;  // of the next panel, for each tile to fetch
    for (Index column = 0; column < columns; column += panel_columns, b += panel_stride) {
      const double* coming = b + (column + panel_columns < columns ? panel_stride : 0);
      for (Index row = 0; row < rows; row += Tile::rows) {
        for (Index line = 0; line < lines; ++line, coming += panel_columns) __builtin_prefetch(coming);
        double* tile = sums + row * stride + column;
        Tile::template multiply<Kind>(a + row * block_depth, b, depth, tile, stride);
      }
    }
  }

  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void add_double_double(const double* a, const double* b, Index panel_stride, Index depth, Index rows,
                                                    Index columns, const BlockSums& sums) {
    using Tile = DoubleDoubleTile<VectorBytes>;
    for (Index column = 0; column < columns; column += panel_columns, b += panel_stride) {
      for (Index row = 0; row < rows; row += Tile::rows) {
        for (Index vector = 0; vector < panel_columns; vector += Tile::lanes) {
          const Index corner = row * sums.stride + column + vector;
          Tile::multiply(a + row * block_depth, b + vector, depth, sums.product + corner, sums.residual + corner, sums.magnitude + corner,
                         sums.stride);
        }
      }
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
