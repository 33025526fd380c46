#pragma once

#include <cstddef>
#include <string>
#include <type_traits>

#include "assay/backends/parallel_backend.hpp"

namespace assay::inline v0 {

/// How many blocks of how many threads do a piece of work.
struct LaunchShape {
  unsigned blocks = 1;
  unsigned threads = 64;

  /// "108 × 256"
  [[nodiscard]] std::string text() const { return std::to_string(blocks) + " × " + std::to_string(threads); }
};

namespace detail {
/// What the threads of a grid do: thread t takes the indices t, t + all, …
template <class Functor>
struct GridStride {
  Functor functor;
  std::size_t count;
  std::size_t all;

  ASSAY_FUNCTION void operator()(std::size_t thread) const {
    for (std::size_t index = thread; index < count; index += all) functor(index);
  }
};
}  // namespace detail

/// `functor(i)` for every i in [0, count) by a grid of that shape, as `ParallelBackend::parallel_for` by one of its
/// choice. A backend without a member `parallel_for` that takes a shape, as the host, divides the work alike and runs
/// it as it does any work. Asynchronous.
template <ParallelBackend B, class Functor>
[[nodiscard]] Result<void> parallel_for_shaped(B& backend, typename B::Stream& stream, std::size_t count,
                                               const Functor& functor, const LaunchShape& shape) {
  static_assert(std::is_trivially_copyable_v<Functor>, "functors are copied to the device as bytes");
  if (count == 0) return {};
  if constexpr (requires { backend.parallel_for(stream, count, functor, shape.blocks, shape.threads); }) {
    return backend.parallel_for(stream, count, functor, shape.blocks, shape.threads);
  } else {
    const std::size_t all = std::size_t{shape.blocks} * shape.threads;
    return backend.parallel_for(stream, all < count ? all : count, detail::GridStride<Functor>{functor, count, all});
  }
}

}  // namespace assay::inline v0
