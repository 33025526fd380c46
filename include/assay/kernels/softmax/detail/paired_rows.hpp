#pragma once

#include <cstddef>

#include "assay/kernels/detail/pair_exponential.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// What `ApproximateSoftmax` computes, by exponentials from a table, as single references or as pairs: y =
/// e^z·(e^−m/s), the factor being in the table, E = y·(constant − slope·z) + underflow.
struct TabledSoftmax {
  double factor;
  float constant, slope, underflow;
  bool in_pairs;
  float greatest = 80;
  PairPowers powers{};

  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE void prepare() {
    PairExponential<Bytes>::fill(factor, in_pairs, powers);
  }
  ASSAY_DETAIL_INLINE void rest(std::ptrdiff_t, std::ptrdiff_t) const {}

  template <std::size_t Bytes, class Singles = typename Vector<float, Bytes>::Type>
  ASSAY_DETAIL_INLINE void at(std::ptrdiff_t, const Singles& x, Singles& value, Singles& rest, Singles& e) const {
    Singles power, r, q;
    e = constant - slope * x;
    PairExponential<Bytes>::apply(powers, x, Singles{}, power, r, q);
    PairExponential<Bytes>::pair(power, r, q, value, rest);
    normalize_pair(value, rest);
    e = value * e + underflow;
  }
  template <std::size_t Bytes, class Singles = typename Vector<float, Bytes>::Type>
  ASSAY_DETAIL_INLINE void at(std::ptrdiff_t, Singles& x, Singles& e) const {
    e = constant - slope * x;
    PairExponential<Bytes>::apply(powers, x);
    e = x * e + underflow;
  }
};

/// The same of logarithms: y = z − (m + log s), E = constant − slope·z + slope·|y|.
struct PairedLogSoftmax {
  float subtrahend, subtrahend_rest, constant, slope;
  float greatest = 0x1p60F;

  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE void prepare() const {}
  ASSAY_DETAIL_INLINE void rest(std::ptrdiff_t, std::ptrdiff_t) const {}

  template <std::size_t Bytes, class Singles = typename Vector<float, Bytes>::Type>
  ASSAY_DETAIL_INLINE void at(std::ptrdiff_t, const Singles& x, Singles& value, Singles& rest, Singles& e) const {
    exact_sum(x, Singles{} - subtrahend, value, rest);
    rest = rest - subtrahend_rest;
    normalize_pair(value, rest);
    e = (constant - slope * x) - slope * value;
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
