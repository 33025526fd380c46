#pragma once

#include <cstddef>

#include "assay/core/vector_variants.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// total ± a·b of vectors of singles, in one rounding whatever the compiler is told of contraction; slowly where the
/// instruction set has no such instruction.
template <class Singles>
ASSAY_DETAIL_INLINE void add_product(Singles& total, const Singles& a, const Singles& b) {
#if defined(__x86_64__)
  if constexpr (sizeof(Singles) > 16) {
#if defined(__clang__)
#pragma clang fp contract(on)
    total = a * b + total;
#else
    asm("vfmadd231ps %2, %1, %0" : "+v"(total) : "v"(a), "v"(b));
#endif
    return;
  }
#endif
  for (std::size_t lane = 0; lane < sizeof(Singles) / sizeof(float); ++lane)
    total[lane] = __builtin_fmaf(a[lane], b[lane], total[lane]);
}
template <class Singles>
ASSAY_DETAIL_INLINE void subtract_product(Singles& total, const Singles& a, const Singles& b) {
#if defined(__x86_64__)
  if constexpr (sizeof(Singles) > 16) {
#if defined(__clang__)
#pragma clang fp contract(on)
    total = total - a * b;
#else
    asm("vfnmadd231ps %2, %1, %0" : "+v"(total) : "v"(a), "v"(b));
#endif
    return;
  }
#endif
  for (std::size_t lane = 0; lane < sizeof(Singles) / sizeof(float); ++lane)
    total[lane] = __builtin_fmaf(-a[lane], b[lane], total[lane]);
}

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
