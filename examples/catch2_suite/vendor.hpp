#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "assay/formats/format_traits.hpp"

// The kernels under test: what a vendor's library would be.
namespace vendor {

inline void softmax(const float* x, float* y, std::size_t n) {
  const float largest = *std::max_element(x, x + n);
  float sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += y[i] = std::exp(x[i] - largest);
  for (std::size_t i = 0; i < n; ++i) y[i] /= sum;
}

/// C = A·B, row-major, in bfloat16 with float32 sums.
inline void gemm(std::size_t m, std::size_t n, std::size_t k, const assay::bfloat16* a, const assay::bfloat16* b,
                 assay::bfloat16* c) {
  for (std::size_t row = 0; row < m; ++row)
    for (std::size_t column = 0; column < n; ++column) {
      float sum = 0;
      for (std::size_t i = 0; i < k; ++i)
        sum += static_cast<float>(decode(a[row * k + i])) * static_cast<float>(decode(b[i * n + column]));
      c[row * n + column] = assay::bfloat16(sum);
    }
}

}  // namespace vendor
