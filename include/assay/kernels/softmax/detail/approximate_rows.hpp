#pragma once

#include <cstddef>

#include "assay/core/vector_variants.hpp"
#include "assay/kernels/detail/vector_exponential.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {

/// t + 0.72·t² of t = c + slope·(m − z) as a line in m − z, which it nearly is, unless the accumulator's slope is
/// steep.
struct SoftmaxErrorLine {
  double constant, slope;
  bool holds;  ///< in all of the row, to 10⁻⁵ of itself

  SoftmaxErrorLine(double c, double given_slope, double range)
      : constant(c + 0.72 * c * c),
        slope(given_slope * (1 + 1.44 * c)),
        holds(0.72 * given_slope * given_slope * range * range <= 0.9e-5 * (c + given_slope * range)) {}
};

inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// What `SoftmaxElements` computes, in single precision, where the temperature is 1 and a line tells t + 0.72·t².
///
/// softmax: y = exp(z − m)/s, E = y·(constant + slope·(m − z)) + underflow.
/// logarithm: y = (z − m) − log s, E = constant + slope·(m − z) + slope·|y|.
template <bool logarithm>
struct ApproximateSoftmax {
  float maximum, inverse_sum, log_sum;
  float constant, slope, underflow;

  ASSAY_DETAIL_INLINE void rest(std::ptrdiff_t, std::ptrdiff_t) const {}

  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE void at(std::ptrdiff_t, typename Vector<float, Bytes>::Type& x,
                              typename Vector<float, Bytes>::Type& e) const {
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
