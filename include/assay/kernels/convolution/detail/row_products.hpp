#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/core/index.hpp"
#include "assay/kernels/detail/vector_exponential.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// One row of weights times `count` neighboring columns, of which term t stands at `terms[t]`, and the same of
/// magnitudes. Products of singles are exact, sums go from term to term.
struct RowProducts {
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(const float* weights, const float* columns, const Index* terms, Index depth,
                                      Index count, double* products, double* magnitudes) {
    constexpr Index lanes = VectorBytes / sizeof(double);
    Index first = 0;
    for (; first + 4 * lanes <= count; first += 4 * lanes)
      part<VectorBytes, 4>(weights, columns, terms, depth, first, products, magnitudes);
    for (; first + lanes <= count; first += lanes)
      part<VectorBytes, 1>(weights, columns, terms, depth, first, products, magnitudes);
    if (first == count) return;
    if (count >= lanes)
      return part<VectorBytes, 1>(weights, columns, terms, depth, count - lanes, products, magnitudes);
    for (; first < count; ++first) {
      double product = 0, magnitude = 0;
      for (Index term = 0; term < depth; ++term) {
        const double value = static_cast<double>(weights[term]) * static_cast<double>(columns[terms[term] + first]);
        product += value;
        magnitude += absolute(value);
      }
      products[first] = product;
      magnitudes[first] = magnitude;
    }
  }

 private:
  template <std::size_t VectorBytes, int vectors>
  ASSAY_DETAIL_INLINE static void part(const float* weights, const float* columns, const Index* terms, Index depth,
                                       Index first, double* products, double* magnitudes) {
    using Double = typename Vector<double, VectorBytes>::Type;
    using Place = typename Vector<double, VectorBytes>::Unaligned;
    using Long = typename Vector<std::int64_t, VectorBytes>::Type;
    constexpr Index lanes = VectorBytes / sizeof(double);
    Double product[vectors] = {}, magnitude[vectors] = {};
    for (Index term = 0; term < depth; ++term) {
      const float* const from = columns + terms[term] + first;
      const double weight = static_cast<double>(weights[term]), size = __builtin_fabs(weight);
#pragma GCC unroll 4
      for (Index vector = 0; vector < vectors; ++vector) {
        Double value;
        WidenSingles<VectorBytes>::load(from + vector * lanes, value);
        product[vector] += value * weight;
        magnitude[vector] += Double(Long(value) & INT64_MAX) * size;
      }
    }
#pragma GCC unroll 4
    for (Index vector = 0; vector < vectors; ++vector) {
      *reinterpret_cast<Place*>(products + first + vector * lanes) = product[vector];
      *reinterpret_cast<Place*>(magnitudes + first + vector * lanes) = magnitude[vector];
    }
  }
};

/// Results of neighboring columns, finished: value = product + bias, E = growth·(magnitude + |bias|) + underflow.
/// `plain`: whether that is so of all, 0 < magnitude < most and the product a number; else nothing of it is to be read.
struct FinishColumns {
  const double* product;
  const double* magnitude;
  Index count;
  double bias, most, growth, underflow;
  double* value;
  double* error;

  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(const FinishColumns& work, bool& plain) {
    using Double = typename Vector<double, VectorBytes>::Type;
    using Place = typename Vector<double, VectorBytes>::Unaligned;
    using Long = typename Vector<std::int64_t, VectorBytes>::Type;
    constexpr Index lanes = VectorBytes / sizeof(double);
    const Index count = work.count;
    const double bias = work.bias, size = absolute(bias), most = work.most, growth = work.growth,
                 underflow = work.underflow;
    plain = count >= lanes;
    Long usual = Long{} - 1;
    for (Index first = 0; plain && first < count; first += lanes) {
      const Index at = first + lanes <= count ? first : count - lanes;
      const Double product = *reinterpret_cast<const Place*>(work.product + at),
                   magnitude = *reinterpret_cast<const Place*>(work.magnitude + at);
      usual &=
          settled(Long(magnitude > 0.0)) & settled(Long(magnitude < most)) & settled(Long(product - product == 0.0));
      *reinterpret_cast<Place*>(work.value + at) = product + bias;
      *reinterpret_cast<Place*>(work.error + at) = growth * (magnitude + size) + underflow;
    }
    for (Index lane = 0; lane < lanes; ++lane) plain = plain && usual[lane] != 0;
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
