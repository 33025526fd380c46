#pragma once

#include <cstddef>

#include "assay/core/vector_extremes.hpp"
#include "assay/kernels/detail/pair_arithmetic.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// What `NormalizedElements` computes, its references as pairs, which mean and inverse are, too. Without `shifted` mean
/// and beta are 0.
template <bool shifted>
struct PairedNormalization {
  static constexpr bool bounded_below = !shifted;
  float mean, mean_rest, inverse, inverse_rest, offset, slope, share, underflow;
  const float *gammas, *betas;
  float greatest = 0x1p60F, least = 0;
  float rest_of_gammas[16] = {}, rest_of_betas[16] = {};

  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE void prepare() const {}
  ASSAY_DETAIL_INLINE void rest(std::ptrdiff_t i, std::ptrdiff_t left) {
    for (std::ptrdiff_t lane = 0; lane < left; ++lane) {
      rest_of_gammas[lane] = gammas[i + lane];
      if constexpr (shifted) rest_of_betas[lane] = betas[i + lane];
    }
    gammas = rest_of_gammas;
    betas = rest_of_betas;
  }

  template <std::size_t Bytes, class Singles = typename Vector<float, Bytes>::Type>
  ASSAY_DETAIL_INLINE void at(std::ptrdiff_t i, const Singles& x, Singles& value, Singles& rest, Singles& e) const {
    using Place = typename Vector<float, Bytes>::Unaligned;
    const Singles gamma = *reinterpret_cast<const Place*>(gammas + i);
    const Singles factor = gamma * inverse;
    Singles factor_rest = -factor, distance = x, distance_rest{}, far, size, weight;
    add_product(factor_rest, gamma, Singles{} + inverse);
    factor_rest = factor_rest + gamma * inverse_rest;
    if constexpr (shifted) {
      exact_sum(x, Singles{} - mean, distance, distance_rest);
      distance_rest = distance_rest - mean_rest;
    }
    value = distance * factor;
    rest = -value;
    add_product(rest, distance, factor);
    add_product(rest, distance, factor_rest);
    if constexpr (shifted) {
      add_product(rest, distance_rest, factor);
      const Singles product = value, beta = *reinterpret_cast<const Place*>(betas + i);
      Singles lost;
      exact_sum(product, beta, value, lost);
      rest = rest + lost;
    }
    normalize_pair(value, rest);
    if constexpr (shifted) distance = distance + distance_rest;
    magnitude(distance, far);
    magnitude(value, size);
    magnitude(gamma, weight);
    e = weight * (offset + slope * far) + (share * size + underflow);
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
