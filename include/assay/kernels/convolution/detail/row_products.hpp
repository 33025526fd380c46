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

/// One row of weights times `count` neighbouring columns, of which term t stands at `terms[t]`, and the same of magnitudes. Products of singles are exact, sums go from term to term.
struct RowProducts {
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(const float* weights, const float* columns, const Index* terms, Index depth, Index count,
                                      double* products, double* magnitudes) {
    using Double = typename Vector<double, VectorBytes>::Type;
    using Place = typename Vector<double, VectorBytes>::Unaligned;
    using Long = typename Vector<std::int64_t, VectorBytes>::Type;
    constexpr Index lanes = VectorBytes / sizeof(double), parts = 4;
    Index first = 0;
    for (; first + parts * lanes <= count; first += parts * lanes) {
      Double product[parts] = {}, magnitude[parts] = {};
      for (Index term = 0; term < depth; ++term) {
        const float* const from = columns + terms[term] + first;
        const double weight = static_cast<double>(weights[term]);
#pragma GCC unroll 4
        for (Index part = 0; part < parts; ++part) {
          Double value;
          WidenSingles<VectorBytes>::load(from + part * lanes, value);
          value *= weight;
          product[part] += value;
          magnitude[part] += Double(Long(value) & INT64_MAX);
        }
      }
      for (Index part = 0; part < parts; ++part) {
        *reinterpret_cast<Place*>(products + first + part * lanes) = product[part];
        *reinterpret_cast<Place*>(magnitudes + first + part * lanes) = magnitude[part];
      }
    }
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
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
