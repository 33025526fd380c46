#pragma once

/// Configuration of the numeric layers: what the compiler offers and what we refuse to be compiled with.

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__)
#error \
    "assay: references and bounds need IEEE 754 arithmetic; compile this translation unit without -ffast-math, -ffinite-math-only, -fassociative-math and -freciprocal-math (the kernels under test may be compiled with them in units of their own)."
#endif

#if __cplusplus < 202002L
#error "assay: C++20 is required; compile with -std=c++20 or newer."
#endif

#if defined(__CUDACC__) || defined(__HIPCC__)
#define ASSAY_FUNCTION __host__ __device__
#else
#define ASSAY_FUNCTION
#endif

// Before the definitions in implementation files (.ipp): part of every unit, or, where ASSAY_COMPILED is defined, of
// one library.
#if defined(ASSAY_COMPILED)
#define ASSAY_DETAIL_HEADER_INLINE
#else
#define ASSAY_DETAIL_HEADER_INLINE inline
#endif

// What catches exceptions has names of its own in units that may throw and in those that may not, so that the linker
// cannot give one kind what was compiled for the other.
#if defined(__cpp_exceptions)
#define ASSAY_DETAIL_EXCEPTIONS unit_with_exceptions
#else
#define ASSAY_DETAIL_EXCEPTIONS unit_without_exceptions
#endif

namespace assay::inline v0 {
inline namespace ASSAY_DETAIL_EXCEPTIONS {

/// Whether this translation unit may throw. Misuse aborts with the same message where it may not.
#if defined(__cpp_exceptions)
inline constexpr bool exceptions_enabled = true;
#else
inline constexpr bool exceptions_enabled = false;
#endif

}  // namespace ASSAY_DETAIL_EXCEPTIONS
}  // namespace assay::inline v0
