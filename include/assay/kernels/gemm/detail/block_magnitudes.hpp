#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "assay/kernels/gemm/detail/chunk_weights.hpp"
#include "assay/kernels/gemm/detail/magnitude_shares.hpp"
#include "assay/kernels/gemm/detail/tile_loader.hpp"

namespace assay::inline v0::detail {

/// How many elements of a vector reach each level.
struct MagnitudeCounts {
  std::int32_t reached[MagnitudeShares::levels] = {};

  [[nodiscard]] MagnitudeShares shares(Index terms) const {
    MagnitudeShares found;
    for (int k = 0; k < MagnitudeShares::levels; ++k)
      found.share[k] = static_cast<double>(reached[k]) / static_cast<double>(terms > 0 ? terms : 1);
    return found;
  }

  [[nodiscard]] ASSAY_FUNCTION static MagnitudeCounts sum(const MagnitudeCounts& a, const MagnitudeCounts& b) {
    MagnitudeCounts joined;
    for (int k = 0; k < MagnitudeShares::levels; ++k) joined.reached[k] = a.reached[k] + b.reached[k];
    return joined;
  }
  [[nodiscard]] ASSAY_FUNCTION static MagnitudeCounts least(const MagnitudeCounts& a, const MagnitudeCounts& b) {
    MagnitudeCounts joined;
    for (int k = 0; k < MagnitudeShares::levels; ++k)
      joined.reached[k] = a.reached[k] < b.reached[k] ? a.reached[k] : b.reached[k];
    return joined;
  }
};

/// Counts the magnitudes of every vector of a batch, one block of threads for each.
template <Format T>
struct CountVectorMagnitudes {
  static constexpr int threads = 128;
  struct Shared {};

  TermVectors<T> first;  ///< of the batch
  Index batches, batch_stride;
  const double* norms;      ///< (batch, chunk, vector), rounded up
  MagnitudeCounts* counts;  ///< (batch, vector)

  [[nodiscard]] Index blocks() const { return batches * first.vectors; }

  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared&) const {
    const Index index = static_cast<Index>(block.index()), batch = index / first.vectors,
                vector = index % first.vectors;
    const Index terms = first.terms, chunks = (terms + chunk_depth - 1) / chunk_depth;
    const Index start =
        batch * batch_stride + vector * first.vector_stride;  // no pointer: without terms there may be no data
    typename Block::template PerThread<double> squares;
    block.each([&](int thread) {
      double sum = 0;
      for (Index chunk = thread; chunk < chunks; chunk += threads) {
        const double norm = norms[(batch * chunks + chunk) * first.vectors + vector];
        sum += norm * norm;
      }
      squares[thread] = sum;
    });
    const double all = block.reduce(squares, [](double a, double b) { return a + b; });
    const double root_mean_square = std::sqrt(all / static_cast<double>(terms)) * norm_inflation;
    typename Block::template PerThread<MagnitudeCounts> own;
    block.each([&](int thread) {
      MagnitudeCounts seen;
      for (Index term = thread; term < terms; term += threads) {
        const double size = absolute(decode(first.data[start + term * first.term_stride]));
        for (int k = 0; k < MagnitudeShares::levels; ++k)
          seen.reached[k] += size >= MagnitudeShares::level(k) * root_mean_square ? 1 : 0;
      }
      own[thread] = seen;
    });
    const MagnitudeCounts total = block.reduce(
        own, [](const MagnitudeCounts& a, const MagnitudeCounts& b) { return MagnitudeCounts::sum(a, b); });
    block.each([&](int thread) {
      if (thread == 0) counts[index] = total;
    });
  }
};

/// The least counts of all vectors of each batch, one block of threads for each.
struct LeastMagnitudes {
  static constexpr int threads = 256;
  struct Shared {};

  const MagnitudeCounts* counts;  ///< (batch, vector)
  Index vectors, terms;
  MagnitudeCounts* least;  ///< (batch)

  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared&) const {
    const Index batch = static_cast<Index>(block.index());
    typename Block::template PerThread<MagnitudeCounts> own;
    block.each([&](int thread) {
      MagnitudeCounts seen;
      for (std::int32_t& count : seen.reached) count = static_cast<std::int32_t>(terms);
      for (Index vector = thread; vector < vectors; vector += threads)
        seen = MagnitudeCounts::least(seen, counts[batch * vectors + vector]);
      own[thread] = seen;
    });
    const MagnitudeCounts all = block.reduce(
        own, [](const MagnitudeCounts& a, const MagnitudeCounts& b) { return MagnitudeCounts::least(a, b); });
    block.each([&](int thread) {
      if (thread == 0) least[batch] = all;
    });
  }
};

}  // namespace assay::inline v0::detail
