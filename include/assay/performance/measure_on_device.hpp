#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "assay/backends/backend.hpp"
#include "assay/performance/measure.hpp"

namespace assay::inline v0 {

/// Work on a device, timed by its events: what submitting costs the host does not count, and nor does what the host
/// does meanwhile. `submit(stream)` submits one run to the stream it is given and returns a `Result<void>`. `backend`
/// must outlive the contender. Errors: as of the backend's streams and events.
template <Backend B, class Submit>
[[nodiscard]] Result<Contender> device_contender(B& backend, std::string name, Submit submit) {
  struct State {
    B& backend;
    Submit submit;
    typename B::Stream stream;
    typename B::Event first, last;
  };
  auto stream = backend.make_stream();
  if (!stream) return stream.propagate();
  auto first = backend.make_event(), last = backend.make_event();
  if (!first) return first.propagate();
  if (!last) return last.propagate();
  auto state = std::make_shared<State>(
      State{backend, std::move(submit), std::move(stream).value(), std::move(first).value(), std::move(last).value()});
  return Contender{std::move(name), [state](std::size_t runs) -> Result<double> {
                     State& own = *state;
                     if (const auto recorded = own.backend.record(own.first, own.stream); !recorded)
                       return recorded.propagate();
                     for (std::size_t i = 0; i < runs; ++i)
                       if (const Result<void> submitted = own.submit(own.stream); !submitted)
                         return submitted.propagate();
                     if (const auto recorded = own.backend.record(own.last, own.stream); !recorded)
                       return recorded.propagate();
                     if (const auto finished = own.backend.synchronize(own.stream); !finished)
                       return finished.propagate();
                     return own.backend.elapsed_seconds(own.first, own.last);
                   }};
}

}  // namespace assay::inline v0
