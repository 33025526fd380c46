#pragma once

#include <cmath>
#include <cstddef>

#include "assay/kernels/gemm/detail/chunk_weights.hpp"
#include "assay/kernels/gemm/detail/tile_loader.hpp"

namespace assay::inline v0::detail {

inline constexpr int norm_vectors = 64;  ///< of one block

/// The norms of chunks of vectors (rows of A, columns of B) that bound |A||B|, see chunk_weights.hpp, and Σ x² of every
/// term over each block's vectors: one block of threads takes one chunk of 64 vectors.
template <Format T>
struct ChunkSquares {
  static constexpr int threads = 128;
  static constexpr int depth = static_cast<int>(chunk_depth);
  using Loader = TileLoader<T, norm_vectors, depth, threads>;
  struct Shared {
    double tile[norm_vectors * depth];
  };

  TermVectors<T> first;  ///< of the batch
  Index batches, batch_stride;
  const double* weights;  ///< (batch, term), or null
  double* norms;          ///< (batch, chunk, vector)
  double* squares;        ///< (batch, block of vectors, term), or null

  [[nodiscard]] ASSAY_FUNCTION Index chunks() const { return (first.terms + depth - 1) / depth; }
  [[nodiscard]] ASSAY_FUNCTION Index vector_blocks() const { return (first.vectors + norm_vectors - 1) / norm_vectors; }
  [[nodiscard]] Index blocks() const { return batches * chunks() * vector_blocks(); }

  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared& shared) const {
    const Index index = static_cast<Index>(block.index()), vector_block = index % vector_blocks();
    const Index chunk = index / vector_blocks() % chunks(), batch = index / vector_blocks() / chunks();
    const Index first_vector = vector_block * norm_vectors, first_term = chunk * depth;
    const Index vectors = first.vectors, terms = first.terms;
    const TermVectors<T> from = first.after(batch * batch_stride);
    const double* factors = weights == nullptr ? nullptr : weights + batch * terms + first_term;
    const int present_terms = terms - first_term < depth ? static_cast<int>(terms - first_term) : depth;

    block.each([&](int thread) {
      typename Loader::Chunks chunks_of_thread;
      Loader::fetch(from, first_vector, first_term, thread, chunks_of_thread);
      Loader::store(from, first_vector, first_term, thread, chunks_of_thread, false, shared.tile);
    });
    block.each([&](int thread) {
      const int place = thread % 64;
      double sum = 0;
      if (thread < 64) {
        for (int term = 0; term < present_terms; ++term) {
          const double value = shared.tile[Loader::position(place, term)] * (factors == nullptr ? 1.0 : factors[term]);
          sum += value * value;
        }
        if (first_vector + place < vectors)
          norms[(batch * chunks() + chunk) * vectors + first_vector + place] = std::sqrt(sum) * norm_inflation;
      } else if (squares != nullptr && place < present_terms) {
        for (int vector = 0; vector < norm_vectors; ++vector) {
          const double value = shared.tile[Loader::position(vector, place)];
          sum += value * value;
        }
        squares[(batch * vector_blocks() + vector_block) * terms + first_term + place] = sum;
      }
    });
  }
};

/// The weights of all terms, from the squares that blocks of vectors have of them.
struct BalanceTerms {
  Index terms, blocks_a, blocks_b;
  const double *squares_a, *squares_b;  ///< (batch, block of vectors, term)
  double *weights_a, *weights_b;        ///< (batch, term)

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index batch = static_cast<Index>(index) / terms, term = static_cast<Index>(index) % terms;
    double a = 0, b = 0;
    for (Index block = 0; block < blocks_a; ++block) a += squares_a[(batch * blocks_a + block) * terms + term];
    for (Index block = 0; block < blocks_b; ++block) b += squares_b[(batch * blocks_b + block) * terms + term];
    balance(a, b);
    weights_a[index] = a;
    weights_b[index] = b;
  }
};

}  // namespace assay::inline v0::detail
