#pragma once

#include <cmath>

#include "assay/kernels/gemm/detail/chunk_weights.hpp"
#include "assay/kernels/gemm/detail/vector_product.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// The norms of `count` vectors (rows of A, columns of B) over a chunk of terms, weighted; and Σ x² of each term over
/// vectors.
struct ChunkNorms {
  static constexpr Index vectors_at_once = 24;

  template <std::size_t VectorBytes, Format T>
  ASSAY_DETAIL_INLINE static void run(const T* source, Index vector_stride, Index term_stride, Index count, Index depth,
                                      const double* weights, double* of_vectors, double* of_terms) {
    alignas(64) double factors[chunk_depth] = {}, terms[chunk_depth] = {};
    for (Index term = 0; term < depth; ++term) factors[term] = weights != nullptr ? weights[term] : 1;
    if (vector_stride == 1) {
      across_vectors<VectorBytes>(source, term_stride, count, depth, factors, of_vectors, terms);
    } else if (term_stride == 1 && depth == chunk_depth) {
      along_terms<VectorBytes>(source, vector_stride, count, factors, of_vectors, terms);
    } else {
      alignas(64) double decoded[vectors_at_once * chunk_depth] = {};
      for (Index first = 0; first < count; first += vectors_at_once) {
        const Index present = count - first < vectors_at_once ? count - first : vectors_at_once;
        DecodeBlock::run<VectorBytes>(source + first * vector_stride, vector_stride, term_stride, present, depth,
                                      decoded, chunk_depth, Index{1});
        along_terms<VectorBytes>(static_cast<const double*>(decoded), chunk_depth, present, factors, of_vectors + first,
                                 terms);
      }
    }
    for (Index vector = 0; vector < count; ++vector)
      of_vectors[vector] = std::sqrt(of_vectors[vector]) * norm_inflation;
    if (of_terms != nullptr)
      for (Index term = 0; term < depth; ++term) of_terms[term] = terms[term];
  }

 private:
  /// Squares of vectors whose chunk_depth terms are contiguous.
  template <std::size_t VectorBytes, Format T>
  ASSAY_DETAIL_INLINE static void along_terms(const T* source, Index vector_stride, Index count, const double* factors,
                                              double* of_vectors, double* of_terms) {
    using Double = typename Vector<double, VectorBytes>::Type;
    using Unaligned = typename Vector<double, VectorBytes>::Unaligned;
    constexpr Index lanes = static_cast<Index>(Vector<double, VectorBytes>::lanes), ahead = 8;
    for (Index vector = 0; vector < count; ++vector) {
      const T* line = source + vector * vector_stride;
      const T* coming = source + (vector + ahead < count ? vector + ahead : vector) * vector_stride;
      Double sum = {};
#pragma GCC unroll 8
      for (Index term = 0; term < chunk_depth; term += lanes) {
        __builtin_prefetch(coming + term);
        Double value = {};
        load_decoded<VectorBytes>(line + term, value);
        value *= *reinterpret_cast<const Unaligned*>(factors + term);
        const Double square = value * value;
        sum += square;
        *reinterpret_cast<Unaligned*>(of_terms + term) += square;
      }
      double total = 0;
#pragma GCC unroll 8
      for (Index lane = 0; lane < lanes; ++lane) total += sum[lane];
      of_vectors[vector] = total;
    }
  }

  /// Squares of vectors that lie side by side.
  template <std::size_t VectorBytes, Format T>
  ASSAY_DETAIL_INLINE static void across_vectors(const T* source, Index term_stride, Index count, Index depth,
                                                 const double* factors, double* of_vectors, double* of_terms) {
    for (Index vector = 0; vector < count; ++vector) of_vectors[vector] = 0;
    Index term = 0;
    for (; term + 4 <= depth; term += 4)
      add_terms<VectorBytes, 4>(source + term * term_stride, term_stride, count, factors + term, of_vectors,
                                of_terms + term);
    for (; term < depth; ++term)
      add_terms<VectorBytes, 1>(source + term * term_stride, term_stride, count, factors + term, of_vectors,
                                of_terms + term);
  }

  template <std::size_t VectorBytes, Index Terms, Format T>
  ASSAY_DETAIL_INLINE static void add_terms(const T* source, Index term_stride, Index count, const double* factors,
                                            double* of_vectors, double* of_terms) {
    using Double = typename Vector<double, VectorBytes>::Type;
    using Unaligned = typename Vector<double, VectorBytes>::Unaligned;
    constexpr Index lanes = static_cast<Index>(Vector<double, VectorBytes>::lanes);
    Double sums[Terms] = {};
    Index vector = 0;
    for (; vector + lanes <= count; vector += lanes) {
      Double of_lanes = *reinterpret_cast<const Unaligned*>(of_vectors + vector);
#pragma GCC unroll 4
      for (Index term = 0; term < Terms; ++term) {
        Double value = {};
        load_decoded<VectorBytes>(source + term * term_stride + vector, value);
        value *= factors[term];
        const Double square = value * value;
        sums[term] += square;
        of_lanes += square;
      }
      *reinterpret_cast<Unaligned*>(of_vectors + vector) = of_lanes;
    }
    for (Index term = 0; term < Terms; ++term) {
      for (Index rest = vector; rest < count; ++rest) {
        const double value = decode(source[term * term_stride + rest]) * factors[term];
        of_vectors[rest] += value * value;
        of_terms[term] += value * value;
      }
      for (Index lane = 0; lane < lanes; ++lane) of_terms[term] += sums[term][lane];
    }
  }
};

/// The norms of one chunk of both operands, plain and weighted.
template <Format A, Format B>
struct BoundChunk {
  StridedView<const A, 3> a;
  StridedView<const B, 3> b;
  Index batch;
  double* rows[2];     ///< chunks × m each: plain, weighted
  double* columns[2];  ///< chunks × n each
  InstructionSet set;

  void operator()(std::size_t index) const {
    const Index chunk = static_cast<Index>(index), start = chunk * chunk_depth;
    const Index m = a.extents[1], n = b.extents[2], k = a.extents[2];
    Index depth = k - start < chunk_depth ? k - start : chunk_depth;
    double terms_a[chunk_depth], terms_b[chunk_depth];
    norms(0, chunk, start, depth, m, n, nullptr, nullptr, terms_a, terms_b);
    for (Index term = 0; term < depth; ++term) balance(terms_a[term], terms_b[term]);
    norms(1, chunk, start, depth, m, n, terms_a, terms_b, nullptr, nullptr);
  }

 private:
  void norms(int kind, Index chunk, Index start, Index depth, Index m, Index n, const double* weights_a,
             const double* weights_b, double* terms_a, double* terms_b) const {
    const A* source_a = a.data + batch * a.strides[0] + start * a.strides[2];
    const B* source_b = b.data + batch * b.strides[0] + start * b.strides[1];
    double* target_a = rows[kind] + chunk * m;
    double* target_b = columns[kind] + chunk * n;
    run_variant<ChunkNorms>(set, source_a, a.strides[1], a.strides[2], m, depth, weights_a, target_a, terms_a);
    run_variant<ChunkNorms>(set, source_b, b.strides[2], b.strides[1], n, depth, weights_b, target_b, terms_b);
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
