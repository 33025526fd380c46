#pragma once

#include <cstddef>

#include "assay/core/vector_extremes.hpp"
#include "assay/core/vector_variants.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// What `NormalizedElements` computes, in single precision, the mean in two parts: y = ((x − mean) −
/// mean_rest)·inverse·gamma + beta, E likewise.
template <bool own_gamma, bool own_beta>
struct ApproximateNormalization {
  float mean, mean_rest, inverse, offset, slope, share, underflow;
  const float *gammas, *betas;
  float gamma, beta;
  float rest_of_gammas[16] = {}, rest_of_betas[16] = {};

  ASSAY_DETAIL_INLINE void rest(std::ptrdiff_t i, std::ptrdiff_t left) {
    for (std::ptrdiff_t lane = 0; lane < left; ++lane) {
      if constexpr (own_gamma) rest_of_gammas[lane] = gammas[i + lane];
      if constexpr (own_beta) rest_of_betas[lane] = betas[i + lane];
    }
    gammas = rest_of_gammas;
    betas = rest_of_betas;
  }

  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE void at(std::ptrdiff_t i, typename Vector<float, Bytes>::Type& x,
                              typename Vector<float, Bytes>::Type& e) const {
    using Singles = typename Vector<float, Bytes>::Type;
    using Place = typename Vector<float, Bytes>::Unaligned;
    Singles scale = Singles{} + gamma, shift = Singles{} + beta, far, size, weight;
    if constexpr (own_gamma) scale = *reinterpret_cast<const Place*>(gammas + i);
    if constexpr (own_beta) shift = *reinterpret_cast<const Place*>(betas + i);
    const Singles distance = (x - mean) - mean_rest;
    x = distance * (inverse * scale) + shift;
    magnitude(distance, far);
    magnitude(x, size);
    magnitude(scale, weight);
    e = weight * (offset + slope * far) + (share * size + underflow);
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
