#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "assay/core/vector_variants.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// Whether every lane of vectors of that size is worked on by one instruction that g++ makes of a comparison and a
/// choice only under -ffast-math.
template <class Values>
inline constexpr bool has_extremes_at_once =
#if defined(__x86_64__) && !defined(__clang__)
    sizeof(Values) > 16;
#else
    false;
#endif

/// The larger, or smaller, of each lane; `bound` where `value` is NaN. Singles or doubles.
template <class Values>
ASSAY_DETAIL_INLINE void at_least(Values& value, const Values& bound) {
  if constexpr (!has_extremes_at_once<Values>) value = value > bound ? value : bound;
#if defined(__x86_64__)
  else if constexpr (sizeof(value[0]) == 8)
    asm("vmaxpd %1, %0, %0" : "+v"(value) : "v"(bound));
  else
    asm("vmaxps %1, %0, %0" : "+v"(value) : "v"(bound));
#endif
}
template <class Values>
ASSAY_DETAIL_INLINE void at_most(Values& value, const Values& bound) {
  if constexpr (!has_extremes_at_once<Values>) value = value < bound ? value : bound;
#if defined(__x86_64__)
  else if constexpr (sizeof(value[0]) == 8)
    asm("vminpd %1, %0, %0" : "+v"(value) : "v"(bound));
  else
    asm("vminps %1, %0, %0" : "+v"(value) : "v"(bound));
#endif
}

/// |value| of each lane, and −|value|.
template <class Values>
ASSAY_DETAIL_INLINE void magnitude(const Values& value, Values& size) {
  using Element = std::conditional_t<sizeof(value[0]) == 8, std::int64_t, std::int32_t>;
  using Bits = typename Vector<Element, sizeof(Values)>::Type;
  constexpr Element without_sign = static_cast<Element>(~(std::uint64_t{1} << (8 * sizeof(Element) - 1)));
  size = Values(Bits(value) & without_sign);
}
template <class Values>
ASSAY_DETAIL_INLINE void negative_magnitude(const Values& value, Values& size) {
  using Element = std::conditional_t<sizeof(value[0]) == 8, std::int64_t, std::int32_t>;
  using Bits = typename Vector<Element, sizeof(Values)>::Type;
  constexpr Element sign = static_cast<Element>(std::uint64_t{1} << (8 * sizeof(Element) - 1));
  size = Values(Bits(value) | sign);
}

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
