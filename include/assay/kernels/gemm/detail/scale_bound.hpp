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

/// Σ x² of each of `count` vectors (rows of A, columns of B) over a chunk of terms; and Σ x² of each term over vectors.
struct SquaredNorms {
  static constexpr Index vectors_at_once = 24;

  template <std::size_t VectorBytes, Format T>
  ASSAY_DETAIL_INLINE static void run(const T* source, Index vector_stride, Index term_stride, Index count, Index depth,
                                      const double* weights, double* of_vectors, Index target_stride, double* of_terms) {
    using Double = typename Vector<double, VectorBytes>::Type;
    using Unaligned = typename Vector<double, VectorBytes>::Unaligned;
    constexpr Index lanes = static_cast<Index>(Vector<double, VectorBytes>::lanes);
    alignas(64) double decoded[vectors_at_once * chunk_depth] = {};
    alignas(64) double terms[chunk_depth] = {}, factors[chunk_depth] = {};
    for (Index term = 0; term < depth; ++term) factors[term] = weights != nullptr ? weights[term] : 1;
    for (Index first = 0; first < count; first += vectors_at_once) {
      const Index present = count - first < vectors_at_once ? count - first : vectors_at_once;
      DecodeBlock::run<VectorBytes>(source + first * vector_stride, vector_stride, term_stride, present, depth, decoded, chunk_depth,
                                    Index{1});
      for (Index vector = 0; vector < present; ++vector) {
        Double sum = {};
        for (Index term = 0; term < chunk_depth; term += lanes) {
          const Double value = *reinterpret_cast<const Unaligned*>(decoded + vector * chunk_depth + term) *
                               *reinterpret_cast<const Unaligned*>(factors + term);
          const Double square = value * value;
          sum += square;
          *reinterpret_cast<Unaligned*>(terms + term) += square;
        }
        double total = 0;
        for (Index lane = 0; lane < lanes; ++lane) total += sum[lane];
        of_vectors[(first + vector) * target_stride] = std::sqrt(total) * norm_inflation;
      }
    }
    if (of_terms != nullptr)
      for (Index term = 0; term < depth; ++term) of_terms[term] = terms[term];
  }
};

/// The norms of one chunk of both operands, plain and weighted.
template <Format A, Format B>
struct ChunkNorms {
  StridedView<const A, 3> a;
  StridedView<const B, 3> b;
  Index batch;
  Index chunks;
  double* rows[2];     ///< m × chunks each: plain, weighted
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
  void norms(int kind, Index chunk, Index start, Index depth, Index m, Index n, const double* weights_a, const double* weights_b,
             double* terms_a, double* terms_b) const {
    const A* source_a = a.data + batch * a.strides[0] + start * a.strides[2];
    const B* source_b = b.data + batch * b.strides[0] + start * b.strides[1];
    double* target_a = rows[kind] + chunk;
    double* target_b = columns[kind] + chunk * n;
    Index one = 1;
    run_variant<SquaredNorms>(set, source_a, a.strides[1], a.strides[2], m, depth, weights_a, target_a, chunks, terms_a);
    run_variant<SquaredNorms>(set, source_b, b.strides[2], b.strides[1], n, depth, weights_b, target_b, one, terms_b);
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
