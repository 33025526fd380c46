#pragma once

#include <cstddef>

#include "assay/backends/block_backend.hpp"
#include "assay/core/result.hpp"
#include "assay/kernels/gemm/detail/block_norms.hpp"
#include "assay/kernels/gemm/detail/block_product.hpp"
#include "assay/kernels/gemm/detail/reference_work.hpp"
#include "assay/kernels/gemm/gemm.hpp"

namespace assay::detail {

/// Computes r and E in double on a device, by products of tiles: Σ a·b, and Σ |a·b| by a second product, or its bound by two
/// products over chunks of k. Bounded scales take a quarter of a byte of workspace for every element of A and B.
template <class Op, BlockBackend B>
class BlockReference {
 public:
  using FormatA = typename Op::FormatA;
  using FormatB = typename Op::FormatB;

  BlockReference(B& backend, typename B::Stream& stream, const typename Op::Arguments& arguments, const GemmBound& bound, bool bounded_scales)
      : backend_(backend), stream_(stream), arguments_(arguments), bound_(bound), bounded_scales_(bounded_scales) {}

  [[nodiscard]] Result<void> run(double* value, double* error) {
    const auto& [a, b, c] = arguments_;
    const std::size_t elements = static_cast<std::size_t>(c.size());
    if (elements == 0) return {};
    // the sums of magnitudes stand where their bound will be
    if (!bounded_scales_) {
      if (auto summed = block_product(backend_, stream_, a, b, {.magnitudes = true}, error); !summed) return summed;
      return finish(elements, value, error);
    }
    const Index batches = a.extents[0], m = a.extents[1], n = b.extents[2], k = a.extents[2], chunks = (k + chunk_depth - 1) / chunk_depth;
    auto norms = backend_.template allocate<double>(static_cast<std::size_t>(batches * chunks * (m + n)));
    if (!norms) return norms.propagate();
    const Index blocks_a = (m + norm_vectors - 1) / norm_vectors, blocks_b = (n + norm_vectors - 1) / norm_vectors;
    auto squares = backend_.template allocate<double>(static_cast<std::size_t>(batches * k * (blocks_a + blocks_b)));
    if (!squares) return squares.propagate();
    auto weights = backend_.template allocate<double>(static_cast<std::size_t>(2 * batches * k));
    if (!weights) return weights.propagate();
    double *rows = norms.value().data(), *columns = rows + batches * chunks * m;
    double *squares_a = squares.value().data(), *squares_b = squares_a + batches * k * blocks_a;
    double *weights_a = weights.value().data(), *weights_b = weights_a + batches * k;
    const StridedView<const double, 3> left{rows, {batches, m, chunks}, {chunks * m, 1, m}}, right{columns, {batches, chunks, n}, {chunks * n, n, 1}};

    if (auto taken = take_norms(nullptr, nullptr, rows, columns, squares_a, squares_b); !taken) return taken;
    if (auto plain = block_product(backend_, stream_, left, right, {}, error); !plain) return plain;
    const BalanceTerms balance{k, blocks_a, blocks_b, squares_a, squares_b, weights_a, weights_b};
    if (auto balanced = backend_.parallel_for(stream_, static_cast<std::size_t>(batches * k), balance); !balanced) return balanced;
    if (auto taken = take_norms(weights_a, weights_b, rows, columns, nullptr, nullptr); !taken) return taken;
    if (auto weighted = block_product(backend_, stream_, left, right, {.keep_smaller = true}, error); !weighted) return weighted;
    return finish(elements, value, error);
  }

 private:
  [[nodiscard]] Result<void> take_norms(const double* weights_a, const double* weights_b, double* rows, double* columns, double* squares_a, double* squares_b) {
    using OfA = ChunkSquares<FormatA>;
    using OfB = ChunkSquares<FormatB>;
    const auto& [a, b, c] = arguments_;
    const OfA of_a{TermVectors<FormatA>::of(a, 1, 2, OfA::Loader::length), a.extents[0], a.strides[0], weights_a, rows, squares_a};
    if (auto taken = backend_.parallel_blocks(stream_, static_cast<std::size_t>(of_a.blocks()), of_a); !taken) return taken;
    const OfB of_b{TermVectors<FormatB>::of(b, 2, 1, OfB::Loader::length), b.extents[0], b.strides[0], weights_b, columns, squares_b};
    return backend_.parallel_blocks(stream_, static_cast<std::size_t>(of_b.blocks()), of_b);
  }

  [[nodiscard]] Result<void> finish(std::size_t elements, double* value, double* error) {
    if (auto summed = block_product(backend_, stream_, arguments_.a, arguments_.b, {}, value); !summed) return summed;
    const FinishReference<typename Op::FormatC, false> work{{value, nullptr, error}, arguments_.c, bound_};
    if (auto finished = backend_.parallel_for(stream_, elements, work); !finished) return finished;
    return backend_.synchronize(stream_);
  }

  B& backend_;
  typename B::Stream& stream_;
  const typename Op::Arguments& arguments_;
  const GemmBound& bound_;
  bool bounded_scales_;
};

}  // namespace assay::detail
