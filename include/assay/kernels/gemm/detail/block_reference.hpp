#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "assay/backends/block_backend.hpp"
#include "assay/core/result.hpp"
#include "assay/kernels/gemm/detail/block_magnitudes.hpp"
#include "assay/kernels/gemm/detail/block_norms.hpp"
#include "assay/kernels/gemm/detail/block_product.hpp"
#include "assay/kernels/gemm/detail/reference_work.hpp"
#include "assay/kernels/gemm/gemm.hpp"

namespace assay::inline v0::detail {

/// Computes r and E in double on a device, by products of tiles: Σ a·b, and Σ |a·b| by a second product, or its bound
/// by two products over chunks of k. Bounded scales take a quarter of a byte of workspace for every element of A and B.
template <class Op, BlockBackend B>
class BlockReference {
 public:
  using FormatA = typename Op::FormatA;
  using FormatB = typename Op::FormatB;

  BlockReference(B& backend, typename B::Stream& stream, const typename Op::Arguments& arguments,
                 const GemmBound& bound, bool bounded_scales)
      : backend_(backend), stream_(stream), arguments_(arguments), bound_(bound), bounded_scales_(bounded_scales) {}

  [[nodiscard]] Result<void> run(double* value, double* error) {
    const auto submitted = submit(value, error);
    const auto done =
        backend_.synchronize(stream_);  // also where something was refused: what was submitted before uses the memory
    return submitted ? done : submitted;
  }

  /// Whether scales were bounded, after `run`.
  [[nodiscard]] bool bounded() const { return bounded_; }

 private:
  using Buffer = typename B::template Buffer<double>;

  [[nodiscard]] Result<void> submit(double* value, double* error) {
    const auto& [a, b, c] = arguments_;
    const std::size_t elements = static_cast<std::size_t>(c.size());
    if (elements == 0) return {};
    // the sums of magnitudes stand where their bound will be
    if (bounded_scales_)
      if (auto bounded = bound_magnitudes(error); !bounded) return bounded;
    if (!bounded_)
      if (auto summed = block_product(backend_, stream_, a, b, {.magnitudes = true}, error); !summed) return summed;
    if (auto summed = block_product(backend_, stream_, a, b, {}, value); !summed) return summed;
    return backend_.parallel_for(stream_, elements,
                                 FinishReference<typename Op::FormatC, false>{{value, nullptr, error}, c, bound_});
  }

  /// Leaves them where norms may be too loose: scales are then exact.
  [[nodiscard]] Result<void> bound_magnitudes(double* error) {
    const auto& [a, b, c] = arguments_;
    const Index batches = a.extents[0], m = a.extents[1], n = b.extents[2], k = a.extents[2],
                chunks = (k + chunk_depth - 1) / chunk_depth;
    const Index blocks_a = (m + norm_vectors - 1) / norm_vectors, blocks_b = (n + norm_vectors - 1) / norm_vectors;
    const Index sizes[] = {batches * chunks * m,   batches * chunks * n, batches * k * blocks_a,
                           batches * k * blocks_b, batches * k,          batches * k};
    double* parts[6];
    Index whole = 0;
    for (Index size : sizes) whole += size;
    auto memory = backend_.template allocate<double>(static_cast<std::size_t>(whole));
    if (!memory) return memory.propagate();
    parts[0] = memory_.emplace(std::move(memory).value()).data();
    for (int part = 1; part < 6; ++part) parts[part] = parts[part - 1] + sizes[part - 1];
    const auto [rows, columns, squares_a, squares_b, weights_a, weights_b] = parts;
    const StridedView<const double, 3> left{rows, {batches, m, chunks}, {chunks * m, 1, m}},
        right{columns, {batches, chunks, n}, {chunks * n, n, 1}};

    if (auto taken = take_norms(nullptr, nullptr, rows, columns, squares_a, squares_b); !taken) return taken;
    auto looseness = most_looseness_of(rows, columns);
    if (!looseness) return looseness.propagate();
    if (!(looseness.value() <= tolerated_looseness)) return {};
    bounded_ = true;
    if (auto plain = block_product(backend_, stream_, left, right, {}, error); !plain) return plain;
    const BalanceTerms balance{k, blocks_a, blocks_b, squares_a, squares_b, weights_a, weights_b};
    if (auto balanced = backend_.parallel_for(stream_, static_cast<std::size_t>(batches * k), balance); !balanced)
      return balanced;
    if (auto taken = take_norms(weights_a, weights_b, rows, columns, nullptr, nullptr); !taken) return taken;
    return block_product(backend_, stream_, left, right, {.keep_smaller = true}, error);
  }

  /// Of all batches.
  [[nodiscard]] Result<double> most_looseness_of(const double* rows, const double* columns) {
    const auto& [a, b, c] = arguments_;
    const Index batches = a.extents[0], m = a.extents[1], n = b.extents[2], k = a.extents[2];
    auto memory = backend_.template allocate<MagnitudeCounts>(static_cast<std::size_t>(batches * (m + n + 2)));
    if (!memory) return memory.propagate();
    MagnitudeCounts* const of_rows = counts_.emplace(std::move(memory).value()).data();
    MagnitudeCounts *const of_columns = of_rows + batches * m, *const least = of_columns + batches * n;
    const auto all_batches = static_cast<std::size_t>(batches);
    const CountVectorMagnitudes<FormatA> of_a{TermVectors<FormatA>::of(a, 1, 2, 1), batches, a.strides[0], rows,
                                              of_rows};
    if (auto counted = backend_.parallel_blocks(stream_, static_cast<std::size_t>(of_a.blocks()), of_a); !counted)
      return counted.propagate();
    const CountVectorMagnitudes<FormatB> of_b{TermVectors<FormatB>::of(b, 2, 1, 1), batches, b.strides[0], columns,
                                              of_columns};
    if (auto counted = backend_.parallel_blocks(stream_, static_cast<std::size_t>(of_b.blocks()), of_b); !counted)
      return counted.propagate();
    if (auto met = backend_.parallel_blocks(stream_, all_batches, LeastMagnitudes{of_rows, m, k, least}); !met)
      return met.propagate();
    if (auto met = backend_.parallel_blocks(stream_, all_batches, LeastMagnitudes{of_columns, n, k, least + batches});
        !met)
      return met.propagate();
    std::vector<MagnitudeCounts> found(2 * all_batches);
    if (auto copied = backend_.copy_to_host(stream_, found.data(), least, found.size()); !copied)
      return copied.propagate();
    if (auto done = backend_.synchronize(stream_); !done) return done.propagate();
    double most = 1;
    for (std::size_t batch = 0; batch < all_batches; ++batch) {
      const double own = most_looseness(found[batch].shares(k), found[all_batches + batch].shares(k));
      most = own <= most ? most : own;  // also where it is infinite
    }
    return most;
  }
  [[nodiscard]] Result<void> take_norms(const double* weights_a, const double* weights_b, double* rows, double* columns,
                                        double* squares_a, double* squares_b) {
    using OfA = ChunkSquares<FormatA>;
    using OfB = ChunkSquares<FormatB>;
    const auto& [a, b, c] = arguments_;
    const OfA of_a{
        TermVectors<FormatA>::of(a, 1, 2, OfA::Loader::length), a.extents[0], a.strides[0], weights_a, rows, squares_a};
    if (auto taken = backend_.parallel_blocks(stream_, static_cast<std::size_t>(of_a.blocks()), of_a); !taken)
      return taken;
    const OfB of_b{TermVectors<FormatB>::of(b, 2, 1, OfB::Loader::length),
                   b.extents[0],
                   b.strides[0],
                   weights_b,
                   columns,
                   squares_b};
    return backend_.parallel_blocks(stream_, static_cast<std::size_t>(of_b.blocks()), of_b);
  }

  B& backend_;
  typename B::Stream& stream_;
  const typename Op::Arguments& arguments_;
  const GemmBound& bound_;
  bool bounded_scales_, bounded_ = false;
  std::optional<Buffer> memory_;  ///< of norms and weights
  std::optional<typename B::template Buffer<MagnitudeCounts>> counts_;
};

}  // namespace assay::inline v0::detail
