#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "assay/backends/kokkos_resource.hpp"
#include "assay/backends/kokkos_runtime.hpp"
#include "assay/backends/parallel_backend.hpp"
#include "assay/backends/resource_buffer.hpp"
#include "assay/core/floating_point_guard.hpp"
#include "assay/core/processor.hpp"

namespace assay::inline v0 {

namespace detail {

/// A piece of an index range on the host: threads come with whatever floating-point environment they were born with.
template <class Functor>
struct KokkosHostChunk {
  Functor functor;
  std::size_t count;
  std::size_t chunk;

  void operator()(std::size_t piece) const {
    const std::size_t end = std::min(count, (piece + 1) * chunk);
    with_floating_point_state({}, [&] {
      for (std::size_t i = piece * chunk; i < end; ++i) functor(i);
    });
  }
};

/// `action()`, with what it throws as a failure.
template <class Action>
Result<void> kokkos_call(const char* what, const Action& action) {
#if defined(__cpp_exceptions)
  try {
    action();
  } catch (const std::exception& caught) {
    return failure(ErrorKind::device, std::string("kokkos failed in ") + what + ": " + caught.what());
  }
#else
  (void)what;
  action();
#endif
  return {};
}

}  // namespace detail

/// Any Kokkos execution space with its memory space: a `ParallelBackend`. Kokkos must stay initialized while the
/// backend and its buffers live (see `KokkosRuntime`). Copies are handles on the same device.
///
/// A stream is an instance of the execution space, independent of others where Kokkos offers that (4.x). Kokkos has no
/// events of its own: `record` waits for the stream and takes the time of the host's steady clock, so that intervals
/// hold all the work between them and the cost of one fence.
template <class ExecutionSpaceType = Kokkos::DefaultExecutionSpace>
class KokkosBackend {
 public:
  using ExecutionSpace = ExecutionSpaceType;                  ///< where work runs
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< where buffers lie
  using Resource = KokkosResource<MemorySpace>;               ///< where buffers come from

  /// An instance of the execution space.
  struct Stream {
    ExecutionSpace space;  ///< for calls of Kokkos
  };
  /// A moment of the host's clock.
  struct Event {
    std::optional<std::chrono::steady_clock::time_point> time;  ///< nothing until it is recorded
  };
  template <class T>
  using Buffer = ResourceBuffer<T, Resource>;
  /// Its memory is the host's: no copies are needed to look at it.
  static constexpr bool runs_on_host = detail::is_host_space<ExecutionSpace>;

  /// Misuse: Kokkos is not initialized.
  KokkosBackend() : resource_(std::make_shared<Resource>()) {
    expect(Kokkos::is_initialized(), [] {
      return std::string("KokkosBackend was made before Kokkos was initialized; keep an assay::KokkosRuntime in main");
    });
  }
  KokkosBackend(const KokkosBackend&) = default;
  KokkosBackend& operator=(const KokkosBackend&) = default;
  ~KokkosBackend() = default;

  [[nodiscard]] std::string_view name() const noexcept { return "kokkos"; }
  [[nodiscard]] Capabilities capabilities() const {
    Capabilities capabilities;
    capabilities.device = std::string("Kokkos ") + detail::kokkos_version() + " " + ExecutionSpace::name();
    if constexpr (detail::is_host_space<ExecutionSpace>) {
      capabilities.device += " on " + detail::processor_name();
      capabilities.memory_bytes = static_cast<std::size_t>(detail::host_memory_bytes());
    }
    capabilities.concurrency = static_cast<unsigned>(std::max(1, static_cast<int>(ExecutionSpace().concurrency())));
    capabilities.host_accessible = Kokkos::SpaceAccessibility<Kokkos::HostSpace, MemorySpace>::accessible;
    capabilities.asynchronous = !detail::is_blocking_host_space<ExecutionSpace>;
    return capabilities;
  }
  [[nodiscard]] Resource& memory_resource() const noexcept { return *resource_; }

  template <class T>
  [[nodiscard]] Result<Buffer<T>> allocate(std::size_t count) const {
    return Buffer<T>::make(resource_, count, "kokkos");
  }

  [[nodiscard]] Result<Stream> make_stream() const {
    std::optional<Stream> stream;
    if (auto made = detail::kokkos_call(
            "making a stream", [&] { stream.emplace(Stream{detail::independent_instance<ExecutionSpace>()}); });
        !made)
      return made.propagate();
    return *stream;
  }
  [[nodiscard]] Result<Event> make_event() const { return Event{}; }

  /// Misuse: a null pointer with a count above zero. The ranges must not overlap.
  template <class T>
  [[nodiscard]] Result<void> copy_to_device(Stream& stream, T* destination, const T* source, std::size_t count) const {
    return copy<MemorySpace, Kokkos::HostSpace>(stream, destination, source, count);
  }
  template <class T>
  [[nodiscard]] Result<void> copy_to_host(Stream& stream, T* destination, const T* source, std::size_t count) const {
    return copy<Kokkos::HostSpace, MemorySpace>(stream, destination, source, count);
  }

  /// Waits for the stream.
  [[nodiscard]] Result<void> record(Event& event, Stream& stream) const {
    auto done = synchronize(stream);
    if (done) event.time = std::chrono::steady_clock::now();
    return done;
  }
  /// `ErrorKind::invalid` if the event was never recorded. A recorded event is over: later work comes after it anyway.
  [[nodiscard]] Result<void> wait(Stream&, const Event& event) const {
    if (!event.time)
      return failure(ErrorKind::invalid, "wait was given an event that was never recorded; call record first");
    return {};
  }
  /// `ErrorKind::invalid` if either event was never recorded. Negative if `second` was recorded first.
  [[nodiscard]] Result<double> elapsed_seconds(const Event& first, const Event& second) const {
    if (!first.time || !second.time)
      return failure(ErrorKind::invalid,
                     std::string("elapsed_seconds was given an event that was never recorded (the ") +
                         (!first.time ? "first" : "second") + "); call record first");
    return std::chrono::duration<double>(*second.time - *first.time).count();
  }
  [[nodiscard]] Result<void> synchronize(Stream& stream) const {
    return detail::kokkos_call("synchronize", [&] { detail::fence(stream.space, "assay: synchronize"); });
  }

  /// See `ParallelBackend`. The functor's call operator is marked KOKKOS_FUNCTION or ASSAY_FUNCTION, its type named at
  /// namespace scope. Not to be called from inside another.
  template <class Functor>
  [[nodiscard]] Result<void> parallel_for(Stream& stream, std::size_t count, const Functor& functor) const {
    using Policy =
        Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>, Kokkos::Schedule<Kokkos::Dynamic>>;
    if (count == 0) return {};
    return detail::kokkos_call("parallel_for", [&] {
      if constexpr (detail::is_host_space<ExecutionSpace>) {
        const std::size_t concurrency =
            static_cast<std::size_t>(std::max(1, static_cast<int>(stream.space.concurrency())));
        const std::size_t chunk = std::clamp<std::size_t>(count / (concurrency * 16), 1, 65536);
        const std::size_t pieces = count / chunk + (count % chunk != 0 ? 1 : 0);
        Kokkos::parallel_for("assay", Policy(stream.space, 0, pieces),
                             detail::KokkosHostChunk<Functor>{functor, count, chunk});
      } else {
        Kokkos::parallel_for("assay", Policy(stream.space, 0, count), functor);
      }
    });
  }

 private:
  template <class Destination, class Source, class T>
  static Result<void> copy(Stream& stream, T* destination, const T* source, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>, "elements are copied as bytes");
    using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    if (count == 0) return {};
    if (destination == nullptr || source == nullptr)
      misuse("a copy of " + std::to_string(count) + " elements was given a null " +
             (destination == nullptr ? "destination" : "source"));
    const std::size_t bytes = count * sizeof(T);
    const Kokkos::View<unsigned char*, Kokkos::LayoutRight, Destination, Unmanaged> to(
        reinterpret_cast<unsigned char*>(destination), bytes);
    const Kokkos::View<const unsigned char*, Kokkos::LayoutRight, Source, Unmanaged> from(
        reinterpret_cast<const unsigned char*>(source), bytes);
    return detail::kokkos_call("a copy", [&] { Kokkos::deep_copy(stream.space, to, from); });
  }

  std::shared_ptr<Resource> resource_;
};

}  // namespace assay::inline v0
