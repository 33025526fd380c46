#pragma once

#include "assay/adapters/detail/blas_gemm.hpp"
#include "assay/formats/format_traits.hpp"

namespace assay::testing {

/// Does on the host what a column-major BLAS is told, with every extent, leading dimension and stride taken by its
/// word.
template <Format A, Format B, Format C>
void interpret_blas(const detail::BlasGemm& gemm, double alpha, double beta, const C* added,
                    Index added_leading_dimension) {
  const auto* a = static_cast<const A*>(gemm.a);
  const auto* b = static_cast<const B*>(gemm.b);
  auto* c = static_cast<C*>(gemm.c);
  for (Index batch = 0; batch < gemm.batch; ++batch)
    for (Index i = 0; i < gemm.m; ++i)
      for (Index j = 0; j < gemm.n; ++j) {
        double sum = 0;
        for (Index p = 0; p < gemm.k; ++p)
          sum += FormatTraits<A>::decode(
                     a[batch * gemm.stride_a + (gemm.transpose_a ? p + i * gemm.lda : i + p * gemm.lda)]) *
                 FormatTraits<B>::decode(
                     b[batch * gemm.stride_b + (gemm.transpose_b ? j + p * gemm.ldb : p + j * gemm.ldb)]);
        sum *= alpha;
        if (beta != 0)
          sum += beta * FormatTraits<C>::decode(added[batch * gemm.stride_c + i + j * added_leading_dimension]);
        c[batch * gemm.stride_c + i + j * gemm.ldc] = FormatTraits<C>::encode(sum);
      }
}

}  // namespace assay::testing
