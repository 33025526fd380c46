#pragma once

#include "assay/core/vector_variants.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// Doubles to as many singles, rounded to nearest, or singles to doubles. g++ takes the generic form of vectors apart
/// that no SSE register holds.
template <class From, class To>
ASSAY_DETAIL_INLINE void convert_lanes(const From& from, To& to) {
#if defined(__x86_64__) && !defined(__clang__)
  if constexpr (sizeof(From) > 16 && sizeof(from[0]) == 8) {
    asm("vcvtpd2ps %1, %0" : "=v"(to) : "v"(from));
    return;
  } else if constexpr (sizeof(To) > 16 && sizeof(from[0]) == 4) {
    asm("vcvtps2pd %1, %0" : "=v"(to) : "v"(from));
    return;
  }
#endif
  to = __builtin_convertvector(from, To);
}

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
