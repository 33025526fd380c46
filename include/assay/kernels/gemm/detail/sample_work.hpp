#pragma once

#include <cstddef>

#include "assay/formats/classify.hpp"
#include "assay/formats/double_double.hpp"
#include "assay/kernels/gemm/gemm.hpp"

namespace assay {

/// An element of the output of a GEMM.
struct GemmPosition {
  Index batch = 0, row = 0, column = 0;

  friend constexpr bool operator==(const GemmPosition&, const GemmPosition&) = default;
  friend constexpr auto operator<=>(const GemmPosition&, const GemmPosition&) = default;
};

namespace detail {

/// Fetches the output and the old C of one position, and computes its exact Σ a·b and Σ |a·b|.
template <class Op>
struct SampleElement {
  typename Op::Arguments arguments;
  StridedView<const typename Op::FormatC, 3> before;  ///< null where β = 0
  const GemmPosition* positions;
  typename Op::FormatC* actual;
  typename Op::FormatC* initial;
  double* product;
  double* residual;
  double* magnitude;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const auto& [a, b, c] = arguments;
    const GemmPosition at = positions[index];
    actual[index] = c(at.batch, at.row, at.column);
    if (before.data != nullptr) initial[index] = before(at.batch, at.row, at.column);
    const Index terms = a.extents[2], stride_a = a.strides[2], stride_b = b.strides[1];
    const auto* left = a.data + at.batch * a.strides[0] + at.row * a.strides[1];
    const auto* right = b.data + at.batch * b.strides[0] + at.column * b.strides[2];
    double high = 0, low = 0, size = 0;
    for (Index k = 0; k < terms; ++k) {
      const DoubleDouble exact = two_product(decode(left[k * stride_a]), decode(right[k * stride_b]));
      const DoubleDouble sum = two_sum(high, exact.high);
      high = sum.high;
      low += sum.low + exact.low;
      size += exact.high < 0 ? -exact.high : exact.high;
    }
    product[index] = high;
    residual[index] = low;
    magnitude[index] = size;
  }
};

/// NaN and infinities of one line of an output: how many, the first and the last.
struct LineScan {
  std::uint64_t count = 0;
  Index first = -1, last = -1;
};

/// Scans one line (a row, or a column where columns are contiguous) of one matrix of the batch.
template <Format T>
struct ScanLine {
  StridedView<const T, 3> matrix;  ///< (batch, line, position)

  ASSAY_FUNCTION void operator()(std::size_t index, LineScan& scan) const {
    const Index batch = static_cast<Index>(index) / matrix.extents[1], line = static_cast<Index>(index) % matrix.extents[1];
    const T* element = matrix.data + batch * matrix.strides[0] + line * matrix.strides[1];
    for (Index position = 0; position < matrix.extents[2]; ++position, element += matrix.strides[2]) {
      if (is_finite(*element)) continue;
      if (scan.count++ == 0) scan.first = position;
      scan.last = position;
    }
  }
};

}  // namespace detail
}  // namespace assay
