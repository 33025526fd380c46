#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/backends/multiply_shares.hpp"
#include "assay/formats/format_traits.hpp"
#include "assay/tensor/strided_view.hpp"

namespace assay::inline v0::detail {

/// How blocks read an operand: in chunks of a few consecutive elements, 16 bytes where elements have two bytes or more.
struct ChunkAccess {
  bool along_terms = false;  ///< chunks run along k, else from one row of A (or column of B) to the next
  bool aligned = false;      ///< whole chunks may be loaded at once

  /// The more local direction, and whether every chunk that begins at a multiple of its length is contiguous and
  /// aligned.
  template <Format T>
  [[nodiscard]] static ChunkAccess of(const StridedView<const T, 3>& operand, int vector_dimension, int term_dimension,
                                      Index length) {
    const auto distance = [&](int dimension) {
      return operand.strides[dimension] < 0 ? -operand.strides[dimension] : operand.strides[dimension];
    };
    ChunkAccess access;
    access.along_terms = distance(term_dimension) == 1 ||
                         (distance(vector_dimension) != 1 && distance(term_dimension) < distance(vector_dimension));
    const int along = access.along_terms ? term_dimension : vector_dimension,
              across = access.along_terms ? vector_dimension : term_dimension;
    access.aligned =
        operand.strides[along] == 1 && operand.strides[across] % length == 0 && operand.strides[0] % length == 0 &&
        reinterpret_cast<std::uintptr_t>(operand.data) % (static_cast<std::uintptr_t>(length) * sizeof(T)) == 0;
    return access;
  }
};

/// One matrix of a batch, as a product reads it: vectors are the rows of A or the columns of B.
template <Format T>
struct TermVectors {
  const T* data;
  Index vectors, terms;
  Index vector_stride, term_stride;
  ChunkAccess access;

  /// The first matrix of an operand, in chunks of that length.
  [[nodiscard]] static TermVectors of(const StridedView<const T, 3>& operand, int vector_dimension, int term_dimension,
                                      Index length) {
    return {operand.data,
            operand.extents[vector_dimension],
            operand.extents[term_dimension],
            operand.strides[vector_dimension],
            operand.strides[term_dimension],
            ChunkAccess::of(operand, vector_dimension, term_dimension, length)};
  }
  [[nodiscard]] ASSAY_FUNCTION TermVectors after(Index elements) const {
    return {data + elements, vectors, terms, vector_stride, term_stride, access};
  }
};

/// Brings tiles of Vectors × Depth elements into shared memory, decoded; zeros where there are none. The threads of a
/// block take `count` chunks each; fetching and storing are two steps, between which others can be done while memory
/// answers.
template <Format T, int Vectors, int Depth, int Threads>
struct TileLoader {
  static constexpr int share = Vectors * Depth / Threads;  ///< elements a thread brings
  static constexpr int most = share < 8 ? share : 8;
  static constexpr int length = 16 / static_cast<int>(sizeof(T)) < most ? 16 / static_cast<int>(sizeof(T)) : most;
  static constexpr int count = share / length;
  static_assert(Vectors % 16 == 0 && Depth % 16 == 0 && count * length * Threads == Vectors * Depth);

  struct alignas(length * sizeof(T)) Chunk {
    T elements[length];
  };
  struct Chunks {
    Chunk chunk[count];
  };

  /// Where an element lies in shared memory: in the row of its term, at a column whose bits are mixed so that threads
  /// which store along k, or along vectors, and groups which read 4 terms of 8 vectors, each meet different banks.
  [[nodiscard]] ASSAY_FUNCTION static constexpr int position(int vector, int term) {
    return term * Vectors + column(vector, term);
  }
  [[nodiscard]] ASSAY_FUNCTION static constexpr int column(int vector, int term) {
    return vector ^ (vector >> 4 & 7) ^ (4 * ((term ^ term >> 2) & 3));
  }

  ASSAY_FUNCTION static void fetch(const TermVectors<T>& from, Index first_vector, Index first_term, int thread,
                                   Chunks& chunks) {
    ASSAY_DETAIL_UNROLL
    for (int i = 0; i < count; ++i) {
      const Place at = place(from, first_vector, first_term, thread + i * Threads);
      if (at.present == 0) continue;
      const T* source =
          from.data + (first_vector + at.vector) * from.vector_stride + (first_term + at.term) * from.term_stride;
      if (at.present == length && from.access.aligned) {
        chunks.chunk[i] = *reinterpret_cast<const Chunk*>(source);
      } else {
        const Index stride = from.access.along_terms ? from.term_stride : from.vector_stride;
        ASSAY_DETAIL_UNROLL
        for (int e = 0; e < length; ++e)
          if (e < at.present) chunks.chunk[i].elements[e] = source[e * stride];
      }
    }
  }

  ASSAY_FUNCTION static void store(const TermVectors<T>& from, Index first_vector, Index first_term, int thread,
                                   const Chunks& chunks, bool magnitudes, double* tile) {
    ASSAY_DETAIL_UNROLL
    for (int i = 0; i < count; ++i) {
      const Place at = place(from, first_vector, first_term, thread + i * Threads);
      double values[length];
      ASSAY_DETAIL_UNROLL
      for (int e = 0; e < length; ++e) {
        values[e] = decode(chunks.chunk[i].elements[e]);
        if (magnitudes) values[e] = __builtin_fabs(values[e]);
      }
      if (at.present < length) {
        ASSAY_DETAIL_UNROLL
        for (int e = 0; e < length; ++e)
          if (e >= at.present) values[e] = 0;
      }
      // bits are mixed by exclusive or, and a chunk begins at a multiple of its length: what differs within it is known
      // now
      const int row = at.term * Vectors, first = column(at.vector, at.term);
      if (from.access.along_terms) {
        ASSAY_DETAIL_UNROLL
        for (int e = 0; e < length; ++e) tile[row + e * Vectors + (first ^ column(0, e))] = values[e];
      } else {
        ASSAY_DETAIL_UNROLL
        for (int e = 0; e < length; ++e) tile[row + (first ^ column(e, 0))] = values[e];
      }
    }
  }

 private:
  /// Of a chunk within its tile, and how many of its elements there are in the matrix.
  struct Place {
    int vector, term, present;
  };

  [[nodiscard]] ASSAY_FUNCTION static Place place(const TermVectors<T>& from, Index first_vector, Index first_term,
                                                  int chunk) {
    constexpr int per_vector = Depth / length, per_term = Vectors / length;
    const Index vectors_left = from.vectors - first_vector, terms_left = from.terms - first_term;
    const int vectors = vectors_left < Vectors ? static_cast<int>(vectors_left) : Vectors,
              terms = terms_left < Depth ? static_cast<int>(terms_left) : Depth;
    const bool along_terms = from.access.along_terms;
    const int vector = along_terms ? chunk / per_vector : chunk % per_term * length,
              term = along_terms ? chunk % per_vector * length : chunk / per_term;
    const int along = along_terms ? terms - term : vectors - vector,
              across = along_terms ? vectors - vector : terms - term;
    return {vector, term, across <= 0 || along <= 0 ? 0 : along < length ? along : length};
  }
};

}  // namespace assay::inline v0::detail
