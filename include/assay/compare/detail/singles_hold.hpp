#pragma once

#include "assay/compare/lanes.hpp"

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// Whether references are zero or at least `least` in magnitude, and none rounds up to a power of two as a single.
template <class L, class Reference>
ASSAY_DETAIL_INLINE bool singles_hold(const Reference* expected, Index elements, float least) {
  using Real = typename L::Real;
  using Bits = typename L::Bits;
  constexpr std::int64_t fraction = (std::int64_t{1} << 52) - 1, rounds_up = fraction + 1 - (std::int64_t{1} << 28);
  Bits unfit{};
  for (Index from = 0; from < elements; from += static_cast<Index>(L::count)) {
    Real reference{};
    L::load(expected + from, reference);
    Real size;
    magnitude(reference, size);
    unfit |= (settled(Bits(size > 0)) & settled(Bits(size < Real{} + static_cast<double>(least)))) |
             settled(Bits((Bits(size) & fraction) >= rounds_up));
  }
  return L::signs(unfit) == 0;
}

/// Whether error bounds are zero or at least `least`.
template <class L, class Error>
ASSAY_DETAIL_INLINE bool errors_hold(const Error* errors, Index elements, float least) {
  using Real = typename L::Real;
  using Bits = typename L::Bits;
  Bits unfit{};
  for (Index from = 0; from < elements; from += static_cast<Index>(L::count)) {
    Real error{};
    L::load(errors + from, error);
    unfit |= settled(Bits(error > 0)) & settled(Bits(error < Real{} + static_cast<double>(least)));
  }
  return L::signs(unfit) == 0;
}

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail
