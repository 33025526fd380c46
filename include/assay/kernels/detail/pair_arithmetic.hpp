#pragma once

#include "assay/core/vector_fused.hpp"
#include "assay/core/vector_variants.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// Whether vectors look up so small tables in registers, which makes pairs worth their while.
#if defined(__x86_64__) && !defined(__clang__)
inline constexpr bool has_pair_exponential = true;
#else
inline constexpr bool has_pair_exponential = false;
#endif

/// value + rest = h + l, of which h is nearest to both; |value| ≥ |rest|, or rest is 0.
template <class Singles>
ASSAY_DETAIL_INLINE void normalize_pair(Singles& value, Singles& rest) {
  const Singles sum = value + rest;
  rest = rest - (sum - value);
  value = sum;
}
/// a + b = sum + rest exactly. Knuth's two-sum.
template <class Singles>
ASSAY_DETAIL_INLINE void exact_sum(const Singles& a, const Singles& b, Singles& sum, Singles& rest) {
  sum = a + b;
  const Singles found = sum - a;
  rest = (a - (sum - found)) + (b - found);
}

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
