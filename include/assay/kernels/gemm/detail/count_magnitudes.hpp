#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "assay/compare/detail/lanes.hpp"
#include "assay/kernels/gemm/detail/chunk_weights.hpp"
#include "assay/kernels/gemm/detail/magnitude_shares.hpp"
#include "assay/kernels/gemm/detail/vector_product.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675
#endif

namespace assay::inline v0::detail {

inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// Counts of a block of vectors what reaches the levels; the least shares of them.
struct CountMagnitudes {
  static constexpr Index vectors_at_once = 32;
  static constexpr int levels = MagnitudeShares::levels;

  /// `norms`: chunks × `pitch` of the vectors' norms over chunks, rounded up.
  template <std::size_t VectorBytes, Format T>
  ASSAY_DETAIL_INLINE static void run(const T* source, Index vector_stride, Index term_stride, Index count, Index terms,
                                      const double* norms, Index pitch, MagnitudeShares& least) {
    double limits[vectors_at_once] = {};
    const Index chunks = (terms + chunk_depth - 1) / chunk_depth;
    for (Index chunk = 0; chunk < chunks; ++chunk)
      for (Index vector = 0; vector < count; ++vector) limits[vector] += norms[chunk * pitch + vector] * norms[chunk * pitch + vector];
    for (double& limit : limits) limit = std::sqrt(limit / static_cast<double>(terms)) * norm_inflation;
    std::int64_t reached[vectors_at_once][levels] = {};
    Index counted = 0;
    if constexpr (std::is_same_v<T, float32> || std::is_same_v<T, bfloat16> || std::is_same_v<T, float16>) {
      if (term_stride == 1)
        counted = along_terms<VectorBytes>(source, vector_stride, count, terms, limits, reached);
      else if (vector_stride == 1 && count % static_cast<Index>(VectorBytes / sizeof(float)) == 0)
        counted = across_vectors<VectorBytes>(source, term_stride, count, terms, limits, reached);
    }
    for (Index vector = 0; vector < count; ++vector) {
      for (Index term = counted; term < terms; ++term) {
        const double size = absolute(decode(source[vector * vector_stride + term * term_stride]));
        for (int k = 0; k < levels; ++k) reached[vector][k] += size >= MagnitudeShares::level(k) * limits[vector] ? 1 : 0;
      }
      double shares[levels];
      for (int k = 0; k < levels; ++k) shares[k] = static_cast<double>(reached[vector][k]) / static_cast<double>(terms);
      least.meet(shares);
    }
  }

 private:
  /// No less than a level of a vector.
  ASSAY_DETAIL_INLINE static float limit_of(int k, double root_mean_square) {
    return static_cast<float>(MagnitudeShares::level(k) * root_mean_square * (1 + 0x1p-22));
  }

  template <std::size_t VectorBytes, class T>
  ASSAY_DETAIL_INLINE static Index along_terms(const T* source, Index vector_stride, Index count, Index terms, const double* limits,
                                               std::int64_t (*reached)[levels]) {
    using Single = typename Vector<float, VectorBytes>::Type;
    using Word = typename Vector<std::int32_t, VectorBytes>::Type;
    constexpr Index lanes = static_cast<Index>(VectorBytes / sizeof(float));
    const Index whole = terms / lanes * lanes;
    for (Index vector = 0; vector < count; ++vector) {
      Single limit[levels];
      Word own[levels];
#pragma GCC unroll 6
      for (int k = 0; k < levels; ++k) {
        limit[k] = Single{} + limit_of(k, limits[vector]);
        own[k] = Word{};
      }
      for (Index term = 0; term < whole; term += lanes) {
        Single size{};
        Lanes<VectorBytes>::load_single(source + vector * vector_stride + term, size);
        size = reinterpret_cast<Single>(reinterpret_cast<Word>(size) & INT32_MAX);
#pragma GCC unroll 6
        for (int k = 0; k < levels; ++k) own[k] -= reinterpret_cast<Word>(size >= limit[k]);
      }
#pragma GCC unroll 6
      for (int k = 0; k < levels; ++k)
        for (Index lane = 0; lane < lanes; ++lane) reached[vector][k] += own[k][lane];
    }
    return whole;
  }

  template <std::size_t VectorBytes, class T>
  ASSAY_DETAIL_INLINE static Index across_vectors(const T* source, Index term_stride, Index count, Index terms, const double* limits,
                                                  std::int64_t (*reached)[levels]) {
    using Single = typename Vector<float, VectorBytes>::Type;
    using Word = typename Vector<std::int32_t, VectorBytes>::Type;
    constexpr Index lanes = static_cast<Index>(VectorBytes / sizeof(float));
    for (Index first = 0; first < count; first += lanes) {
      Single limit[levels];
      Word own[levels];
#pragma GCC unroll 6
      for (int k = 0; k < levels; ++k) {
        for (Index lane = 0; lane < lanes; ++lane) limit[k][lane] = limit_of(k, limits[first + lane]);
        own[k] = Word{};
      }
      for (Index term = 0; term < terms; ++term) {
        Single size{};
        Lanes<VectorBytes>::load_single(source + term * term_stride + first, size);
        size = reinterpret_cast<Single>(reinterpret_cast<Word>(size) & INT32_MAX);
#pragma GCC unroll 6
        for (int k = 0; k < levels; ++k) own[k] -= reinterpret_cast<Word>(size >= limit[k]);
      }
#pragma GCC unroll 6
      for (int k = 0; k < levels; ++k)
        for (Index lane = 0; lane < lanes; ++lane) reached[first + lane][k] += own[k][lane];
    }
    return terms;
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
