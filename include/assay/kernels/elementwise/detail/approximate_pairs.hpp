#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/compare/lanes.hpp"
#include "assay/core/vector_extremes.hpp"
#include "assay/core/vector_variants.hpp"
#include "assay/kernels/elementwise/function.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// Sums, differences and products of two numbers of 16 bits as singles, which mostly hold them: NaN where they do not.
/// A product's 22 bits fit unless it is below the normal numbers, or beyond all: infinite ones are in no sum, and so
/// looked at beside doubles. A sum s = x + y is exact if s − x = y and s − y = x (one of the two is what Dekker's fast
/// two-sum subtracts, whichever operand is larger).
template <class T, ElementwiseFunction function>
struct ApproximatePairs {
  const T* second;
  float unit, underflow;
  T rest_of_second[32] = {};

  ASSAY_DETAIL_INLINE void rest(std::ptrdiff_t i, std::ptrdiff_t left) {
    for (std::ptrdiff_t lane = 0; lane < left; ++lane) rest_of_second[lane] = second[i + lane];
    second = rest_of_second;
  }

  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE void at(std::ptrdiff_t i, typename Vector<float, Bytes>::Type& x,
                              typename Vector<float, Bytes>::Type& e) const {
    using Singles = typename Vector<float, Bytes>::Type;
    using Bits = typename Vector<std::int32_t, Bytes>::Type;
    Singles y{}, size;
    Lanes<Bytes>::load_single(second + i, y);
    if constexpr (function == ElementwiseFunction::multiply) {
      const Singles product = x * y;
      magnitude(product, size);
      const Bits lost = settled(Bits(size < 0x1p-126F)) & settled(Bits(x != 0.0F)) & settled(Bits(y != 0.0F));
      x = Singles(Bits(product) | (lost & 0x7fc00000));
    } else {
      if constexpr (function == ElementwiseFunction::subtract) y = -y;
      const Singles sum = x + y, found_y = sum - x, found_x = sum - y;
      const Bits lost = settled(Bits(found_y != y)) | settled(Bits(found_x != x));
      x = Singles(Bits(sum) | (lost & 0x7fc00000));
    }
    magnitude(x, size);
    e = unit * size + underflow;
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
