#pragma once

#include <cstddef>
#include <type_traits>

#include "assay/backends/parallel_backend.hpp"

namespace assay::inline v0 {

namespace detail {
/// The least that a backend with blocks must be able to run.
struct BlockWork {
  static constexpr int threads = 32;
  struct Shared {};
  template <class Block>
  ASSAY_FUNCTION void operator()(Block&, Shared&) const {}
};
}  // namespace detail

/// A backend that runs blocks of threads which share memory, as the fast references of devices need them.
///
/// `parallel_blocks(stream, blocks, functor)` calls `functor(block, shared)` once for every block in [0, blocks), in
/// any order and in parallel. The functor's type gives
/// - `static constexpr int threads`: a multiple of 32, at most 1024;
/// - `struct Shared`: what a block's threads share, trivially copyable, at most 48 KiB to be portable; its content is
///   indeterminate when a block begins;
/// - `static constexpr int blocks_at_once`, if it wants to: how many blocks a multiprocessor should hold at a time
///   (CUDA), 1 else;
/// - `template <class Block> ASSAY_FUNCTION void operator()(Block& block, Shared& shared) const`.
///
/// The functor's body is the code of the *block*: phases that all threads do, between which all have waited for each
/// other.
/// - `block.index()`: which block; `block.multiprocessor()`: the number of the multiprocessor (compute unit) on which
///   it runs, which may leave numbers out; −1 where that is not known, as on the host;
/// - `block.each([&](int thread) { … })`: a phase; `thread` in [0, threads). Threads of one phase may run in any order,
///   so none may read what another writes in the same phase.
/// - `typename Block::template PerThread<T>`: a variable of every thread's own, made in the body: `values[thread]`.
/// - `block.reduce(values, join)`: the values of all threads joined, the same for all; T is trivially copyable, at most
///   32 bytes, and `join(a, b)` gives a T. The order is the same on all backends: within groups of 32 threads t with t
///   + 16, 8, 4, 2, 1, then groups in ascending order; so sums have the same bits everywhere.
/// - `block.multiply_accumulate(shares, depth, left, right, before, after)`: every group of 32 threads adds the product
///   of two matrices of its own, Rows × depth and depth × Columns, to the sums that it keeps in
///   `PerThread<MatrixShare<Rows, Columns>> shares`. `depth` is a `std::integral_constant<int, …>`, a multiple of 4;
///   `left(group, row, k)` and `right(group, k, column)` give elements, of any finite or special value, from shared
///   memory that an earlier phase wrote. All is one phase, in which each thread also does `before(thread)` and
///   `after(thread)`: they may write what no group reads. Each sum takes its products in ascending k, fused, where
///   matrix units do what is known of them: see kernels/gemm/reference.hpp. Branches around phases must be the same for
///   all threads of a block: what they depend on comes from `block.index()`, the functor or `reduce`, never from a
///   thread's own values.
template <class B>
concept BlockBackend = ParallelBackend<B> && requires(B& backend, typename B::Stream& stream, std::size_t blocks) {
  requires std::is_same_v<decltype(backend.parallel_blocks(stream, blocks, detail::BlockWork{})), Result<void>>;
};

}  // namespace assay::inline v0
