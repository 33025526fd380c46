#pragma once

#include <cstddef>

#include "assay/core/detail/vector_variants.hpp"
#include "assay/kernels/detail/vector_exponential.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// What `SoftmaxElements` computes, in single precision, where the temperature is 1 and t·(1 + 0.72·t) is told by a line.
///
/// softmax: y = exp(z − m)/s, E = y·(constant + slope·(m − z)) + underflow.
/// logarithm: y = (z − m) − log s, E = constant + slope·(m − z) + slope·|y|.
template <bool logarithm>
struct ApproximateSoftmax {
  float maximum, inverse_sum, log_sum;
  float constant, slope, underflow;

  ASSAY_DETAIL_INLINE void rest(std::ptrdiff_t, std::ptrdiff_t) const {}

  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE void at(std::ptrdiff_t, typename Vector<float, Bytes>::Type& x, typename Vector<float, Bytes>::Type& e) const {
    x = x - maximum;
    e = constant - slope * x;
    if constexpr (logarithm) {
      x = x - log_sum;
      e = e - slope * x;
    } else {
      SingleExponential<Bytes>::apply(x);
      x = x * inverse_sum;
      e = x * e + underflow;
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
