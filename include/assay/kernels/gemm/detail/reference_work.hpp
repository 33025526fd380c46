#pragma once

#include <cstddef>

#include "assay/formats/double_double.hpp"
#include "assay/formats/format_traits.hpp"
#include "assay/formats/limits.hpp"
#include "assay/kernels/gemm/bound.hpp"
#include "assay/tensor/strided_view.hpp"
#include "assay/tolerance/expected_element.hpp"

namespace assay::inline v0::detail {

inline constexpr Index tile_side = 4;      ///< a work item computes tile_side × tile_side outputs
inline constexpr Index panel_depth = 256;  ///< terms of k that are packed at a time
inline constexpr std::size_t panel_elements = static_cast<std::size_t>(tile_side * panel_depth);

[[nodiscard]] constexpr std::size_t tiles_of(Index extent) {
  return static_cast<std::size_t>((extent + tile_side - 1) / tile_side);
}

/// Where sums are kept between panels: Σ a·b, its residual in double-double, and Σ |a·b|.
struct GemmSums {
  double* product;
  double* residual;
  double* magnitude;
};

struct ZeroSums {
  GemmSums sums;
  bool double_double;

  ASSAY_FUNCTION void operator()(std::size_t element) const {
    sums.product[element] = 0;
    sums.magnitude[element] = 0;
    if (double_double) sums.residual[element] = 0;
  }
};

/// Decodes `depth` terms of one tile of rows of A (or columns of B) into [term][side] order, padded with zeros.
template <Format T>
struct PackPanel {
  StridedView<const T, 3> operand;
  Index batch;
  Index start;
  Index depth;
  bool columns;
  double* panel;

  ASSAY_FUNCTION void operator()(std::size_t tile) const {
    double* packed = panel + tile * panel_elements;
    const Index extent = columns ? operand.extents[2] : operand.extents[1];
    const Index vector_stride = columns ? operand.strides[2] : operand.strides[1];
    const Index term_stride = columns ? operand.strides[1] : operand.strides[2];
    const Index first = static_cast<Index>(tile) * tile_side;
    const T* source = operand.data + batch * operand.strides[0] + first * vector_stride + start * term_stride;
    for (Index side = 0; side < tile_side; ++side) {
      const bool present = first + side < extent;
      for (Index term = 0; term < depth; ++term)
        packed[term * tile_side + side] = present ? decode(source[side * vector_stride + term * term_stride]) : 0.0;
    }
  }
};

/// Adds the products of a panel to one tile of sums, in ascending k.
template <bool DoubleDoubleSums>
struct MultiplyPanels {
  const double* panel_a;
  const double* panel_b;
  Index depth;
  Index rows;
  Index columns;
  Index batch;
  std::size_t column_tiles;
  GemmSums sums;

  ASSAY_FUNCTION void operator()(std::size_t tile) const {
    const std::size_t tile_row = tile / column_tiles, tile_column = tile % column_tiles;
    const double* a = panel_a + tile_row * panel_elements;
    const double* b = panel_b + tile_column * panel_elements;
    double product[tile_side][tile_side] = {}, residual[tile_side][tile_side] = {},
           magnitude[tile_side][tile_side] = {};
    const Index first_row = static_cast<Index>(tile_row) * tile_side,
                first_column = static_cast<Index>(tile_column) * tile_side;
    for (Index i = 0; i < tile_side; ++i) {
      for (Index j = 0; j < tile_side; ++j) {
        if (first_row + i >= rows || first_column + j >= columns) continue;
        const Index element = (batch * rows + first_row + i) * columns + first_column + j;
        product[i][j] = sums.product[element];
        magnitude[i][j] = sums.magnitude[element];
        if constexpr (DoubleDoubleSums) residual[i][j] = sums.residual[element];
      }
    }
    for (Index term = 0; term < depth; ++term, a += tile_side, b += tile_side) {
      for (Index i = 0; i < tile_side; ++i) {
        for (Index j = 0; j < tile_side; ++j) {
          if constexpr (DoubleDoubleSums) {
            const DoubleDouble exact = two_product(a[i], b[j]);
            const DoubleDouble sum = two_sum(product[i][j], exact.high);
            product[i][j] = sum.high;
            residual[i][j] += sum.low + exact.low;
            magnitude[i][j] += exact.high < 0 ? -exact.high : exact.high;
          } else {
            const double exact = a[i] * b[j];
            product[i][j] += exact;
            magnitude[i][j] += exact < 0 ? -exact : exact;
          }
        }
      }
    }
    for (Index i = 0; i < tile_side; ++i) {
      for (Index j = 0; j < tile_side; ++j) {
        if (first_row + i >= rows || first_column + j >= columns) continue;
        const Index element = (batch * rows + first_row + i) * columns + first_column + j;
        sums.product[element] = product[i][j];
        sums.magnitude[element] = magnitude[i][j];
        if constexpr (DoubleDoubleSums) sums.residual[element] = residual[i][j];
      }
    }
  }
};

/// r and E of one element from its sums. `old` is C before the kernel ran, 0 where β = 0.
template <Format C, bool DoubleDoubleSums>
[[nodiscard]] ASSAY_FUNCTION inline ExpectedElement finish_element(const GemmBound& bound, double product,
                                                                   double residual, double magnitude, double old) {
  double value, rest = 0;
  // IEEE decides for NaN and infinities; α = 0 means that the product is not formed (BLAS)
  const double scaled = bound.alpha == 0 ? 0 : bound.alpha * product;
  const double added = bound.beta == 0 ? 0 : bound.beta * old;
  if constexpr (DoubleDoubleSums) {
    const DoubleDouble first = bound.alpha == 0 ? DoubleDouble{} : two_product(bound.alpha, product);
    const DoubleDouble second = bound.beta == 0 ? DoubleDouble{} : two_product(bound.beta, old);
    const DoubleDouble sum = two_sum(first.high, second.high);
    const double low = sum.low + first.low + second.low + (bound.alpha == 0 ? 0 : bound.alpha * residual);
    if (is_finite(sum.high) && is_finite(low)) {
      const DoubleDouble normalized = two_sum(sum.high, low);
      value = normalized.high;
      rest = normalized.low < 0 ? -normalized.low : normalized.low;
    } else {
      value = scaled + added;
    }
  } else {
    value = scaled + added;
  }
  return {value, is_finite(value) ? bound.error(product, magnitude, old, max_finite<C>()) + rest : 0};
}

/// Turns sums into the reference and its bound, in place: product becomes r, magnitude becomes E.
template <Format C, bool DoubleDoubleSums>
struct FinishReference {
  GemmSums sums;
  StridedView<C, 3> c;
  GemmBound bound;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index element = static_cast<Index>(index);
    const Index column = element % c.extents[2], row = element / c.extents[2] % c.extents[1],
                batch = element / c.extents[2] / c.extents[1];
    const double old = bound.beta == 0 ? 0 : decode(c(batch, row, column));
    const ExpectedElement finished = finish_element<C, DoubleDoubleSums>(
        bound, sums.product[index], DoubleDoubleSums ? sums.residual[index] : 0, sums.magnitude[index], old);
    sums.product[index] = finished.value;
    sums.magnitude[index] = finished.error;
  }
};

}  // namespace assay::inline v0::detail
