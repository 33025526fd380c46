#pragma once

#include "assay/formats/interchange.hpp"

/// The compiler's own 16-bit types, where it has them: `_Float16` (g++ ≥ 12 and clang on x86-64 and Arm) is `float16`,
/// `__bf16` (g++ ≥ 13, clang ≥ 16) is `bfloat16`. clang has no macro that tells of `__bf16`.

namespace assay::inline v0 {

#if defined(__FLT16_MANT_DIG__)
template <>
struct FormatTraits<_Float16> : InterchangeTraits<_Float16, float16> {};
#endif

#if defined(__BFLT16_MANT_DIG__) || \
    (defined(__clang__) && __clang_major__ >= 16 && defined(__SSE2__) && !defined(__CUDACC__))
template <>
struct FormatTraits<__bf16> : InterchangeTraits<__bf16, bfloat16> {};
#endif

}  // namespace assay::inline v0
