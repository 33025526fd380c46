#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "assay/compare/lanes.hpp"
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
    using Word = typename Vector<std::int32_t, VectorBytes>::Type;
    constexpr Index lanes = static_cast<Index>(VectorBytes / sizeof(float));
    constexpr bool singles = std::is_same_v<T, float32> || std::is_same_v<T, bfloat16> || std::is_same_v<T, float16>;
    const Index chunks = (terms + chunk_depth - 1) / chunk_depth;
    float limits[levels][vectors_at_once];
    for (Index vector = 0; vector < count; ++vector) {
      const LevelLimits own(root_mean_square_of(norms + vector, pitch, chunks, terms));
      for (int k = 0; k < levels; ++k) limits[k][vector] = own.limit[k];
    }
    std::int64_t reached[vectors_at_once][levels] = {};
    Index done = 0;  // vectors
    if constexpr (singles)
      for (; vector_stride == 1 && term_stride != 1 && done + lanes <= count; done += lanes) {
        Word own[levels] = {};
        add<VectorBytes>(source + done, term_stride, terms, &limits[0][done], own);
        for (Index lane = 0; lane < lanes; ++lane)
          for (int k = 0; k < levels; ++k) reached[done + lane][k] = own[k][lane];
      }
    for (Index vector = done; vector < count; ++vector) {
      alignas(64) float limit[levels][vectors_at_once], decoded[chunk_depth];
      for (int k = 0; k < levels; ++k)
        for (Index lane = 0; lane < lanes; ++lane) limit[k][lane] = limits[k][vector];
      const T* const from = source + vector * vector_stride;
      Word own[levels] = {};
      Index term = 0;
      if constexpr (singles)
        if (term_stride == 1) {
          add<VectorBytes>(from, lanes, terms / lanes, limit[0], own);
          term = terms / lanes * lanes;
        }
      for (; term < terms; term += chunk_depth) {
        for (Index i = 0; i < chunk_depth; ++i)  // NaN reaches nothing
          decoded[i] =
              term + i < terms ? static_cast<float>(decode(from[(term + i) * term_stride])) : __builtin_nanf("");
        add<VectorBytes>(static_cast<const float*>(decoded), lanes, chunk_depth / lanes, limit[0], own);
      }
      for (int k = 0; k < levels; ++k)
        for (Index lane = 0; lane < lanes; ++lane) reached[vector][k] += own[k][lane];
    }
    for (Index vector = 0; vector < count; ++vector) {
      double shares[levels];
      for (int k = 0; k < levels; ++k) shares[k] = static_cast<double>(reached[vector][k]) / static_cast<double>(terms);
      least.meet(shares);
    }
  }

  /// own[k] += whether the magnitudes of a vector of elements reach limits[k·vectors_at_once], lane by lane, `steps`
  /// times, each `stride` elements further.
  template <std::size_t VectorBytes, class T>
  ASSAY_DETAIL_INLINE static void add(const T* from, Index stride, Index steps, const float* limits,
                                      typename Vector<std::int32_t, VectorBytes>::Type (&own)[levels]) {
    using Single = typename Vector<float, VectorBytes>::Type;
    using Place = typename Vector<float, VectorBytes>::Unaligned;
    using Word = typename Vector<std::int32_t, VectorBytes>::Type;
    Single limit[levels];
    Word counts[levels];
#pragma GCC unroll 6
    for (int k = 0; k < levels; ++k) {
      limit[k] = *reinterpret_cast<const Place*>(limits + k * vectors_at_once);
      counts[k] = own[k];
    }
    for (Index step = 0; step < steps; ++step) {
      Single size{};
      Lanes<VectorBytes>::load_single(from + step * stride, size);
      size = reinterpret_cast<Single>(reinterpret_cast<Word>(size) & INT32_MAX);
#pragma GCC unroll 6
      for (int k = 0; k < levels; ++k) counts[k] -= reinterpret_cast<Word>(size >= limit[k]);
    }
#pragma GCC unroll 6
    for (int k = 0; k < levels; ++k) own[k] = counts[k];
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

  [[nodiscard]] Index tasks() const {
    return (vectors + CountMagnitudes::vectors_at_once - 1) / CountMagnitudes::vectors_at_once;
  }

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
