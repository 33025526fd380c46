#pragma once

#include <cstddef>

#include "assay/core/instruction_set.hpp"

/// One body, compiled once for each instruction set, chosen at run time: code in a header reaches the machine's speed
/// whatever the unit is compiled for.
///
/// A body is a type with `template <std::size_t VectorBytes> ASSAY_DETAIL_INLINE static void run(arguments&…)`. It and
/// all it calls in its loops must be ASSAY_DETAIL_INLINE: only what is inlined is compiled for the variant, and lambdas
/// are not (nvcc drops their attributes). Vectors are locals or go by reference, never by value (their calling
/// convention depends on the flags). Unroll with `#pragma GCC unroll n`; but g++ keeps an array of vectors in memory,
/// three times as slow, if the variable of a loop around another loop is an index of it: make that a template's
/// argument. Masks of comparisons are `settled` before they meet in an operator. Floating-point contraction is on in
/// the variants of g++: write products whose rounding matters so that they are exact, or as an explicit
/// `__builtin_fma`.
///
/// nvcc's host pass compiles it, too, but warns of the pragma (1675): headers with bodies suppress that as this one
/// does.

#define ASSAY_DETAIL_INLINE __attribute__((always_inline)) inline

/// 1 where a functor that the host runs may take a vector path: not in a device's pass of the compiler.
#if defined(__GNUC__) && !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
#define ASSAY_DETAIL_VECTOR_VARIANTS 1
#else
#define ASSAY_DETAIL_VECTOR_VARIANTS 0
#endif

// The variants are weak symbols. Units compiled with different -march get differently named ones, so that the linker
// cannot pick code for one that the machine lacks.
#if defined(__AVX512F__)
#define ASSAY_DETAIL_UNIT_VARIANT unit_with_avx512
#elif defined(__AVX2__)
#define ASSAY_DETAIL_UNIT_VARIANT unit_with_avx2
#elif defined(__AVX__)
#define ASSAY_DETAIL_UNIT_VARIANT unit_with_avx
#else
#define ASSAY_DETAIL_UNIT_VARIANT unit_with_baseline
#endif

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// A vector of `Bytes` bytes, and the type through which it is loaded from and stored to any address.
template <class T, std::size_t Bytes>
struct Vector {
  using Type __attribute__((vector_size(Bytes))) = T;
  using Unaligned __attribute__((vector_size(Bytes), aligned(alignof(T)), may_alias)) = T;
  static constexpr std::size_t lanes = Bytes / sizeof(T);
};

/// The mask that a comparison made. g++ 12 and 13 combine comparisons that meet in a bitwise operator before they are
/// settled, and compute those of 64 bytes lane by lane: thirty times the instructions.
template <class Mask>
[[nodiscard]] ASSAY_DETAIL_INLINE Mask&& settled(Mask&& mask) {
#if defined(__x86_64__) && !defined(__clang__)
  if constexpr (sizeof(mask) == 64) asm("" : "+v"(mask));
#endif
  return static_cast<Mask&&>(mask);
}

template <class Body, class... Arguments>
__attribute__((noinline)) void run_baseline(Arguments&... arguments) {
  Body::template run<16>(arguments...);
}
#if defined(__x86_64__)
template <class Body, class... Arguments>
__attribute__((noinline, target("avx2,fma,f16c"))) void run_avx2(Arguments&... arguments) {
  Body::template run<32>(arguments...);
}
template <class Body, class... Arguments>
__attribute__((noinline, target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c"))) void run_avx512(
    Arguments&... arguments) {
  Body::template run<64>(arguments...);
}
#endif

/// Runs the variant of `Body` for `set`, which this machine must have.
template <class Body, class... Arguments>
void run_variant([[maybe_unused]] InstructionSet set, Arguments&... arguments) {
#if defined(__x86_64__)
  if (set == InstructionSet::avx512) return run_avx512<Body>(arguments...);
  if (set == InstructionSet::avx2) return run_avx2<Body>(arguments...);
#endif
  run_baseline<Body>(arguments...);
}

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
