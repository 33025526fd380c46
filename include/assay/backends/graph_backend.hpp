#pragma once

#include <type_traits>

#include "assay/backends/backend.hpp"

namespace assay::inline v0 {

/// A backend whose streams can be captured into graphs, as CUDA's and HIP's can.
///
/// `begin_capture(stream)`: what is submitted to the stream from now on, by this thread, is not done but recorded, with
/// the arguments that it is given now. `end_capture(stream)` gives the `Graph`, movable, and the stream does work
/// again; it must be called also where recording failed. `launch(stream, graph)` does all of it, in order, as work of
/// the stream, as often as it is called; what the recorded work uses must live until then.
template <class B>
concept GraphBackend = Backend<B> && requires(B& backend, typename B::Stream& stream, typename B::Graph& graph) {
  requires std::is_same_v<decltype(backend.begin_capture(stream)), Result<void>>;
  requires std::is_same_v<decltype(backend.end_capture(stream)), Result<typename B::Graph>>;
  requires std::is_same_v<decltype(backend.launch(stream, graph)), Result<void>>;
};

}  // namespace assay::inline v0
