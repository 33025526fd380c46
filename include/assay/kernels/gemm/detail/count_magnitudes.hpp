#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "assay/kernels/gemm/detail/chunk_weights.hpp"
#include "assay/kernels/gemm/detail/magnitude_shares.hpp"
#include "assay/kernels/gemm/detail/vector_product.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675
#endif

namespace assay::inline v0::detail {

inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// Counts of a block of vectors, over all chunks of terms, what reaches the levels; the least shares of them.
struct CountMagnitudes {
  static constexpr Index vectors_at_once = 24;

  /// `norms`: chunks × `pitch` of the vectors' norms over chunks, rounded up.
  template <std::size_t VectorBytes, Format T>
  ASSAY_DETAIL_INLINE static void run(const T* source, Index vector_stride, Index term_stride, Index count, Index terms,
                                      const double* norms, Index pitch, MagnitudeShares& least) {
    using Double = typename Vector<double, VectorBytes>::Type;
    using Word = typename Vector<std::int64_t, VectorBytes>::Type;
    using Place = typename Vector<double, VectorBytes>::Unaligned;
    constexpr Index lanes = static_cast<Index>(Vector<double, VectorBytes>::lanes);
    constexpr int levels = MagnitudeShares::levels;
    alignas(64) double decoded[vectors_at_once * chunk_depth] = {}, limits[vectors_at_once] = {};
    Word reached[vectors_at_once][levels] = {};
    const Index chunks = (terms + chunk_depth - 1) / chunk_depth;
    for (Index vector = 0; vector < count; ++vector) {
      double squares = 0;
      for (Index chunk = 0; chunk < chunks; ++chunk) squares += norms[chunk * pitch + vector] * norms[chunk * pitch + vector];
      limits[vector] = std::sqrt(squares / static_cast<double>(terms)) * norm_inflation;
    }
    for (Index start = 0; start < terms; start += chunk_depth) {
      const Index depth = terms - start < chunk_depth ? terms - start : chunk_depth;
      if (depth < chunk_depth)
        for (double& element : decoded) element = __builtin_nan("");  // reaches nothing
      DecodeBlock::run<VectorBytes>(source + start * term_stride, vector_stride, term_stride, count, depth, decoded, chunk_depth, Index{1});
      for (Index vector = 0; vector < count; ++vector) {
        Double limit[levels];
        Word own[levels];
#pragma GCC unroll 6
        for (int k = 0; k < levels; ++k) {
          limit[k] = Double{} + limits[vector] * MagnitudeShares::level(k);
          own[k] = reached[vector][k];
        }
        for (Index term = 0; term < chunk_depth; term += lanes) {
          const Word bits = reinterpret_cast<Word>(*reinterpret_cast<const Place*>(decoded + vector * chunk_depth + term)) & INT64_MAX;
          const Double size = reinterpret_cast<Double>(bits);
#pragma GCC unroll 6
          for (int k = 0; k < levels; ++k) own[k] -= reinterpret_cast<Word>(size >= limit[k]);
        }
#pragma GCC unroll 6
        for (int k = 0; k < levels; ++k) reached[vector][k] = own[k];
      }
    }
    for (Index vector = 0; vector < count; ++vector) {
      double shares[levels];
      for (int k = 0; k < levels; ++k) {
        std::int64_t sum = 0;
        for (Index lane = 0; lane < lanes; ++lane) sum += reached[vector][k][lane];
        shares[k] = static_cast<double>(sum) / static_cast<double>(terms);
      }
      least.meet(shares);
    }
  }
};

/// The same of a whole matrix, as tasks of a block of vectors each.
template <Format T>
struct CountShares {
  const T* source;
  Index vector_stride, term_stride, vectors, terms;
  const double* norms;  ///< chunks × vectors
  MagnitudeShares* least;
  InstructionSet set;

  [[nodiscard]] Index tasks() const { return (vectors + CountMagnitudes::vectors_at_once - 1) / CountMagnitudes::vectors_at_once; }

  void operator()(std::size_t task) const {
    const Index first = static_cast<Index>(task) * CountMagnitudes::vectors_at_once, left = vectors - first;
    Index count = left < CountMagnitudes::vectors_at_once ? left : CountMagnitudes::vectors_at_once;
    const T* from = source + first * vector_stride;
    const double* own_norms = norms + first;
    least[task] = {};
    run_variant<CountMagnitudes>(set, from, vector_stride, term_stride, count, terms, own_norms, vectors, least[task]);
  }
  [[nodiscard]] MagnitudeShares of_all() const {
    MagnitudeShares all;
    for (Index task = 0; task < tasks(); ++task) all.meet(least[task].share);
    return all;
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
