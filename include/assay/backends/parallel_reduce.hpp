#pragma once

#include <cstddef>
#include <vector>

#include "assay/backends/parallel_backend.hpp"
#include "assay/backends/wait_at_end.hpp"

namespace assay::inline v0 {

namespace detail {
template <class Partial, class Work>
struct ReductionChunk {
  Work work;
  Partial* partials;

  ASSAY_FUNCTION void operator()(std::size_t chunk) const {
    Partial partial{};
    work(chunk, partial);
    partials[chunk] = partial;
  }
};
}  // namespace detail

/// The results of `chunks` independent pieces of work, in their order: `work(chunk, partial)` fills a value-initialized
/// `Partial` in parallel on the backend, and all are copied to the host. `Partial` is trivially copyable. Synchronizes
/// the stream. Memory: chunks × sizeof(Partial), on the backend and on the host.
template <class Partial, ParallelBackend B, class Work>
[[nodiscard]] Result<std::vector<Partial>> parallel_partials(B& backend, typename B::Stream& stream, std::size_t chunks,
                                                             const Work& work) {
  static_assert(std::is_trivially_copyable_v<Partial>, "partial results are copied between the device and the host");
  std::vector<Partial> on_host(chunks);
  if (chunks == 0) return on_host;
  auto partials = backend.template allocate<Partial>(chunks);
  if (!partials) return partials.propagate();
  detail::WaitAtEnd work_on_them(backend, stream);
  if (auto run =
          backend.parallel_for(stream, chunks, detail::ReductionChunk<Partial, Work>{work, partials.value().data()});
      !run)
    return run.propagate();
  if (auto copied = backend.copy_to_host(stream, on_host.data(), partials.value().data(), chunks); !copied)
    return copied.propagate();
  if (auto done = work_on_them.wait(); !done) return done.propagate();
  return on_host;
}

/// Reduces pieces of work to one value, the same for any number of threads and any schedule: the partial results are
/// folded with `partial.join(next)` in ascending order. What a chunk covers is the caller's choice and must not depend
/// on the machine. Synchronizes the stream; memory as `parallel_partials`.
template <class Partial, ParallelBackend B, class Work>
[[nodiscard]] Result<Partial> parallel_reduce(B& backend, typename B::Stream& stream, std::size_t chunks,
                                              const Work& work) {
  auto partials = parallel_partials<Partial>(backend, stream, chunks, work);
  if (!partials) return partials.propagate();
  Partial total{};
  for (const Partial& partial : partials.value()) total.join(partial);
  return total;
}

}  // namespace assay::inline v0
