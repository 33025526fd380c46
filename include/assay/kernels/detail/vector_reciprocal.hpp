#pragma once

#include <cstddef>

#include "assay/core/vector_conversion.hpp"
#include "assay/core/vector_variants.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// 1/d of a vector of doubles, 1 ≤ d ≤ 2. Processors take 16 cycles for eight quotients of doubles and 5 for as many of
/// singles, of which the terms e and e² of 1/(1 − e) make doubles (e ≤ 2⁻²³). The relative error is about 2⁻⁵².
template <std::size_t Bytes>
struct VectorReciprocal {
  using Doubles = typename Vector<double, Bytes>::Type;
  using Singles = typename Vector<float, Bytes / 2>::Type;

  ASSAY_DETAIL_INLINE static void apply(const Doubles& d, Doubles& reciprocal) {
    if constexpr (Bytes == 16) {
      reciprocal = 1.0 / d;
    } else {
      Singles singles;
      convert_lanes(d, singles);
      singles = 1.0F / singles;
      Doubles rough;
      convert_lanes(singles, rough);
      const Doubles e = 1.0 - d * rough;
      reciprocal = rough + rough * (e + e * e);
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
