#pragma once

#include <cstddef>
#include <vector>

#include "assay/backends/parallel_backend.hpp"

namespace assay {

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

/// Reduces `chunks` pieces of work to one value, the same for any number of threads and any schedule:
/// `work(chunk, partial)` fills a value-initialised `Partial` in parallel, and `partial.join(next)` folds them on the
/// host in ascending order. What a chunk covers is the caller's choice and must not depend on the machine.
/// `Partial` is trivially copyable. Memory: chunks × sizeof(Partial), on the backend and on the host.
template <class Partial, ParallelBackend B, class Work>
[[nodiscard]] Result<Partial> parallel_reduce(B& backend, typename B::Stream& stream, std::size_t chunks, const Work& work) {
  static_assert(std::is_trivially_copyable_v<Partial>, "partial results are copied between the device and the host");
  Partial total{};
  if (chunks == 0) return total;
  auto partials = backend.template allocate<Partial>(chunks);
  if (!partials) return partials.propagate();
  if (auto run = backend.parallel_for(stream, chunks, detail::ReductionChunk<Partial, Work>{work, partials.value().data()}); !run)
    return run.propagate();
  std::vector<Partial> on_host(chunks);
  if (auto copied = backend.copy_to_host(stream, on_host.data(), partials.value().data(), chunks); !copied) return copied.propagate();
  if (auto done = backend.synchronize(stream); !done) return done.propagate();
  total = on_host.front();
  for (std::size_t chunk = 1; chunk < chunks; ++chunk) total.join(on_host[chunk]);
  return total;
}

}  // namespace assay
