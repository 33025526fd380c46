#pragma once

#include "assay/core/index.hpp"

namespace assay::inline v0::detail {

/// y ← x·w (+ bias), row-major: x rows × inner, w inner × columns. Sums run over `inner` in ascending order.
template <class Real>
void multiply(const Real* x, const Real* w, const Real* bias, Real* y, Index rows, Index inner, Index columns) {
  for (Index row = 0; row < rows; ++row, x += inner, y += columns) {
    for (Index column = 0; column < columns; ++column) y[column] = bias != nullptr ? bias[column] : Real(0);
    for (Index k = 0; k < inner; ++k)
      for (Index column = 0; column < columns; ++column) y[column] += x[k] * w[k * columns + column];
  }
}

/// The gradients of `multiply`: dw += xᵀ·dy and dbias += the columns' sums where they are given; dx ← dy·wᵀ where it
/// is.
template <class Real>
void multiply_backward(const Real* x, const Real* w, const Real* dy, Real* dw, Real* dbias, Real* dx, Index rows,
                       Index inner, Index columns) {
  for (Index row = 0; row < rows; ++row, x += inner, dy += columns) {
    for (Index k = 0; k < inner && dw != nullptr; ++k)
      for (Index column = 0; column < columns; ++column) dw[k * columns + column] += x[k] * dy[column];
    for (Index column = 0; column < columns && dbias != nullptr; ++column) dbias[column] += dy[column];
    for (Index k = 0; k < inner && dx != nullptr; ++k) {
      Real sum = 0;
      for (Index column = 0; column < columns; ++column) sum += dy[column] * w[k * columns + column];
      dx[row * inner + k] = sum;
    }
  }
}

}  // namespace assay::inline v0::detail
