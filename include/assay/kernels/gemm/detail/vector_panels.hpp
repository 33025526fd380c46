#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "assay/core/vector_variants.hpp"
#include "assay/formats/format_traits.hpp"
#include "assay/tensor/strided_view.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

inline constexpr Index block_depth = 192;  ///< terms of k in a packed block
inline constexpr Index panel_columns = 8;  ///< columns of B in a packed panel: 64 bytes, whatever the instruction set
inline constexpr Index row_multiple = 24;  ///< packed rows of A are padded to it: a multiple of every tile's rows

[[nodiscard]] constexpr Index round_up(Index value, Index multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// Decodes as many consecutive elements as a vector has doubles.
template <std::size_t VectorBytes, Format T>
ASSAY_DETAIL_INLINE void load_decoded(const T* source, typename Vector<double, VectorBytes>::Type& values) {
  using Double = typename Vector<double, VectorBytes>::Type;
  using Word = typename Vector<std::uint64_t, VectorBytes>::Type;
  if constexpr (std::is_same_v<T, float64>) {
    values = *reinterpret_cast<const typename Vector<double, VectorBytes>::Unaligned*>(source);
  } else if constexpr (std::is_same_v<T, float32>) {
    values = __builtin_convertvector(
        *reinterpret_cast<const typename Vector<float, VectorBytes / 2>::Unaligned*>(source), Double);
  } else if constexpr (std::is_same_v<T, bfloat16>) {
    using Half = typename Vector<std::uint32_t, VectorBytes / 2>::Type;
    const Half bits =
        __builtin_convertvector(
            *reinterpret_cast<const typename Vector<std::uint16_t, VectorBytes / 4>::Unaligned*>(source), Half)
        << 16;
    values = __builtin_convertvector(reinterpret_cast<typename Vector<float, VectorBytes / 2>::Type>(bits), Double);
  } else if constexpr (std::is_same_v<T, float16>) {
    const Word code = __builtin_convertvector(
        *reinterpret_cast<const typename Vector<std::uint16_t, VectorBytes / 4>::Unaligned*>(source), Word);
    // the fraction and exponent where double has them; the product with a power of two mends the bias, and subnormals
    Word magnitude = (code & 0x7fff) << 42;
    const Double scaled = reinterpret_cast<Double>(magnitude) * 0x1p1008;
    const Word special = reinterpret_cast<Word>((magnitude >> 52) == 31);
    magnitude = reinterpret_cast<Word>(scaled) | (special & 0x7ff0000000000000u) | ((code & 0x8000) << 48);
    values = reinterpret_cast<Double>(magnitude);
  } else {
    for (std::size_t lane = 0; lane < Vector<double, VectorBytes>::lanes; ++lane) values[lane] = decode(source[lane]);
  }
}

/// Decodes `count` vectors of an operand (rows of A or columns of B) over `depth` terms, into doubles. `vector_stride`
/// and `term_stride` are the operand's; `target(vector, term)` lies at vector·target_vector + term·target_term.
struct DecodeBlock {
  template <std::size_t VectorBytes, Format T>
  ASSAY_DETAIL_INLINE static void run(const T* source, Index vector_stride, Index term_stride, Index count, Index depth,
                                      double* target, Index target_vector, Index target_term) {
    if (term_stride == 1 && target_term == 1) {
      decode_lines<VectorBytes>(source, vector_stride, count, depth, target, target_vector);
    } else if (vector_stride == 1 && target_vector == 1) {
      decode_lines<VectorBytes>(source, term_stride, depth, count, target, target_term);
    } else if (term_stride == 1) {
      transpose<VectorBytes>(source, vector_stride, count, depth, target, target_vector, target_term);
    } else if (vector_stride == 1) {
      transpose<VectorBytes>(source, term_stride, depth, count, target, target_term, target_vector);
    } else {
      for (Index vector = 0; vector < count; ++vector)
        for (Index term = 0; term < depth; ++term)
          target[vector * target_vector + term * target_term] =
              decode(source[vector * vector_stride + term * term_stride]);
    }
  }

 private:
  /// `lines` lines of consecutive elements. They are too short for the processor to foresee the next one.
  template <std::size_t VectorBytes, Format T>
  ASSAY_DETAIL_INLINE static void decode_lines(const T* source, Index stride, Index lines, Index count, double* target,
                                               Index between) {
    constexpr Index lanes = static_cast<Index>(Vector<double, VectorBytes>::lanes), ahead = 8;
    for (Index line = 0; line < lines; ++line) {
      const T* from = source + line * stride;
      const T* coming = source + (line + ahead < lines ? line + ahead : line) * stride;
      double* to = target + line * between;
      Index i = 0;
      for (; i + lanes <= count; i += lanes) {
        __builtin_prefetch(coming + i);
        typename Vector<double, VectorBytes>::Type values = {};
        load_decoded<VectorBytes>(from + i, values);
        *reinterpret_cast<typename Vector<double, VectorBytes>::Unaligned*>(to + i) = values;
      }
      for (; i < count; ++i) to[i] = decode(from[i]);
    }
  }

  /// `lines` lines of consecutive elements, each written with stride `along`, `between` apart.
  template <std::size_t VectorBytes, Format T>
  ASSAY_DETAIL_INLINE static void transpose(const T* source, Index stride, Index lines, Index count, double* target,
                                            Index between, Index along) {
    constexpr Index lanes = static_cast<Index>(Vector<double, VectorBytes>::lanes);
    for (Index line = 0; line < lines; ++line) {
      const T* from = source + line * stride;
      double* to = target + line * between;
      Index i = 0;
      for (; i + lanes <= count; i += lanes) {
        typename Vector<double, VectorBytes>::Type values = {};
        load_decoded<VectorBytes>(from + i, values);
#pragma GCC unroll 8
        for (Index lane = 0; lane < lanes; ++lane) to[(i + lane) * along] = values[lane];
      }
      for (; i < count; ++i) to[i * along] = decode(from[i]);
    }
  }
};

/// Packs a block of rows of A: `depth` ≤ block_depth terms of each at the constant stride block_depth. Rows past
/// `count`, up to a multiple of row_multiple, are zero.
struct PackRows {
  template <std::size_t VectorBytes, Format T>
  ASSAY_DETAIL_INLINE static void run(const T* source, Index row_stride, Index term_stride, Index count, Index depth,
                                      double* packed) {
    DecodeBlock::run<VectorBytes>(source, row_stride, term_stride, count, depth, packed, block_depth, Index{1});
    for (double* rest = packed + count * block_depth; rest < packed + round_up(count, row_multiple) * block_depth;
         ++rest)
      *rest = 0;
  }
};

/// Packs panels of panel_columns columns of B as [term][column], panel_stride apart. Columns past `count` are zero.
struct PackColumns {
  template <std::size_t VectorBytes, Format T>
  ASSAY_DETAIL_INLINE static void run(const T* source, Index column_stride, Index term_stride, Index count, Index depth,
                                      double* packed, Index panel_stride) {
    Index column = 0;
    if (column_stride == 1) {
      column = count / panel_columns * panel_columns;
      side_by_side<VectorBytes>(source, term_stride, column, depth, packed, panel_stride);
    }
    for (; column < count; column += panel_columns) {
      double* panel = packed + column / panel_columns * panel_stride;
      const Index present = count - column < panel_columns ? count - column : panel_columns;
      if (present < panel_columns)
        for (Index i = 0; i < depth * panel_columns; ++i) panel[i] = 0;
      DecodeBlock::run<VectorBytes>(source + column * column_stride, column_stride, term_stride, present, depth, panel,
                                    Index{1}, panel_columns);
    }
  }

 private:
  /// Whole panels of columns that are neighbors in memory: term after term, so that lines are read once.
  template <std::size_t VectorBytes, Format T>
  ASSAY_DETAIL_INLINE static void side_by_side(const T* source, Index term_stride, Index columns, Index depth,
                                               double* packed, Index panel_stride) {
    constexpr Index lanes = static_cast<Index>(Vector<double, VectorBytes>::lanes), ahead = 8;
    for (Index term = 0; term < depth; ++term, packed += panel_columns) {
      const T* line = source + term * term_stride;
      const T* coming = line + (term + ahead < depth ? ahead : 0) * term_stride;
      double* panel = packed;
      for (Index column = 0; column < columns; column += panel_columns, panel += panel_stride) {
        __builtin_prefetch(coming + column);
#pragma GCC unroll 4
        for (Index lane = 0; lane < panel_columns; lane += lanes) {
          typename Vector<double, VectorBytes>::Type values = {};
          load_decoded<VectorBytes>(line + column + lane, values);
          *reinterpret_cast<typename Vector<double, VectorBytes>::Unaligned*>(panel + lane) = values;
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
