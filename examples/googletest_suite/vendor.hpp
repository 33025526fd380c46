#pragma once

#include <cstddef>

#include "assay/formats/format_traits.hpp"

// The kernels under test: what a vendor's library would be.
namespace vendor {

/// y = α·x + y.
inline void saxpy(std::size_t n, float alpha, const float* x, float* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] += alpha * x[i];
}

/// C = A·B, row-major, in bfloat16 with float32 sums, four at a time.
inline void gemm(std::size_t m, std::size_t n, std::size_t k, const assay::bfloat16* a, const assay::bfloat16* b,
                 assay::bfloat16* c) {
  for (std::size_t row = 0; row < m; ++row)
    for (std::size_t column = 0; column < n; ++column) {
      float sums[4] = {};
      for (std::size_t i = 0; i < k; ++i)
        sums[i % 4] += static_cast<float>(decode(a[row * k + i])) * static_cast<float>(decode(b[i * n + column]));
      c[row * n + column] = assay::bfloat16((sums[0] + sums[1]) + (sums[2] + sums[3]));
    }
}

}  // namespace vendor
