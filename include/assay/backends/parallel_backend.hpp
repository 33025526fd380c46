#pragma once

#include <cstddef>
#include <type_traits>

#include "assay/backends/backend.hpp"

namespace assay::inline v0 {

namespace detail {
/// The least a backend must be able to run: a copyable functor at namespace scope.
struct IndexedWork {
  void operator()(std::size_t) const {}
};
}  // namespace detail

/// A backend on which references, fills and comparisons run in place.
///
/// `parallel_for(stream, count, functor)` calls `functor(i)` once for every i in [0, count), in any order and in
/// parallel. The functor is copied; it is trivially copyable, reads and writes the backend's memory only, does not
/// allocate or throw, and calls for different i touch no common memory that one of them writes. The host's
/// floating-point environment is the default one (round to nearest, subnormals kept) in every call.
/// Device failures surface in the returned `Result` or at `synchronize`.
template <class B>
concept ParallelBackend = Backend<B> && requires(B& backend, typename B::Stream& stream, std::size_t count) {
  requires std::is_same_v<decltype(backend.parallel_for(stream, count, detail::IndexedWork{})), Result<void>>;
};

/// Whether functors run in threads of this process, so that they may use what only host code has: a backend says so by
/// a static member `runs_on_host` that is true.
template <class B>
inline constexpr bool backend_runs_on_host = [] {
  if constexpr (requires { B::runs_on_host; })
    return static_cast<bool>(B::runs_on_host);
  else
    return false;
}();

}  // namespace assay::inline v0
