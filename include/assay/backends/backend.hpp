#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include "assay/backends/capabilities.hpp"
#include "assay/backends/memory_resource.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// A device, or a library on one: memory, copies, streams and events. It knows nothing of operations; kernels are found
/// through the trait `kernel<Backend, Op>`.
///
/// Semantics:
/// - `name()` is short, stable and fit for an id ([a-z0-9_-]). `capabilities()` tells of the device, O(1).
/// - `memory_resource()` is the `MemoryResource` from which buffers come, for those who want memory without elements.
/// - `allocate<T>(count)` gives a `Buffer<T>`, movable and owning, of `count` elements aligned to 64 bytes, with
///   `data()` (a device pointer, null only for count 0) and `size()`; refusal is `ErrorKind::out_of_memory`. T is
///   trivially copyable. The content is indeterminate. It is destroyed only when the work submitted on it is done.
/// - `make_stream()` and `make_event()` make a `Stream`, which takes work, and an `Event`, which is a mark in one. They
///   may refuse.
/// - Work on one `Stream` runs in order; streams are independent. `synchronize(stream)` returns when all work submitted
///   to it has run, and reports a failure of any of it.
/// - `copy_to_device(stream, destination, source, count)` and `copy_to_host(…)` copy elements; host memory given to
///   them must stay alive and untouched until `synchronize`.
/// - `record(event, stream)` marks the end of the work submitted so far; `wait(stream, event)` orders later work of
///   `stream` after it; `elapsed_seconds(first, second)` is the device's time between two recorded, finished events.
/// - Thread safety: `const` members and `allocate` may be called concurrently; a stream or event by one thread at a
///   time. Copies of a backend, where it has them, are handles on the same device.
template <class B>
concept Backend = std::is_move_constructible_v<B> && std::is_move_assignable_v<B> &&
    requires(B& backend, const B& constant, typename B::Stream& stream, typename B::Event& event, float* to,
             const float* from, std::size_t count) {
  requires std::is_convertible_v<decltype(constant.name()), std::string_view>;
  requires std::is_same_v<decltype(constant.capabilities()), Capabilities>;
  requires MemoryResource<std::remove_reference_t<decltype(backend.memory_resource())>>;
  requires std::is_same_v<decltype(backend.template allocate<float>(count)),
                          Result<typename B::template Buffer<float>>>;
  requires std::is_same_v<decltype(std::declval<typename B::template Buffer<float>&>().data()), float*>;
  requires std::is_convertible_v<decltype(std::declval<const typename B::template Buffer<float>&>().size()),
                                 std::size_t>;
  requires std::is_same_v<decltype(backend.make_stream()), Result<typename B::Stream>>;
  requires std::is_same_v<decltype(backend.make_event()), Result<typename B::Event>>;
  requires std::is_same_v<decltype(backend.copy_to_device(stream, to, from, count)), Result<void>>;
  requires std::is_same_v<decltype(backend.copy_to_host(stream, to, from, count)), Result<void>>;
  requires std::is_same_v<decltype(backend.record(event, stream)), Result<void>>;
  requires std::is_same_v<decltype(backend.wait(stream, event)), Result<void>>;
  requires std::is_same_v<decltype(backend.elapsed_seconds(event, event)), Result<double>>;
  requires std::is_same_v<decltype(backend.synchronize(stream)), Result<void>>;
};

}  // namespace assay::inline v0
