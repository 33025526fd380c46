#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "assay/backends/block_backend.hpp"
#include "assay/backends/detail/device_block.hpp"
#include "assay/backends/detail/device_resource.hpp"
#include "assay/backends/device_runtime.hpp"
#include "assay/backends/recycling_resource.hpp"
#include "assay/backends/resource_buffer.hpp"
#include "assay/backends/transfer_count.hpp"

namespace assay::inline v0 {

/// A GPU through its own runtime, CUDA's or HIP's (`Cuda`, `Hip`): a `BlockBackend`. Every compiler may use its memory,
/// streams and events; units that launch kernels are compiled by nvcc, hipcc or clang as CUDA or HIP.
///
/// - Copies are handles on the same device. Whatever device the calling thread has made current stays so.
/// - Work goes to the stream that is given, own or the caller's (`borrow`); nothing waits for the whole device.
/// - Memory comes from the runtime's pool, or from a `MemoryResource` of the caller's, and is used again when freed: a
///   buffer may die only when the work on it is done. Other devices' kernels may use it after `open_memory_to`.
/// - Errors name the call, the device and the remedy; see `detail::device_result`.
template <class Runtime, MemoryResource ResourceType = RecyclingResource<detail::DeviceResource<Runtime>>>
class DeviceBackend {
 public:
  using Resource = ResourceType;  ///< where buffers come from
  template <class T>
  using Buffer = ResourceBuffer<T, Resource>;

  /// An ordered queue of work on the device: own, or borrowed from the caller.
  class Stream {
   public:
    /// The runtime's stream, for calls of its libraries.
    [[nodiscard]] typename Runtime::Stream handle() const { return stream_.get(); }

   private:
    friend DeviceBackend;
    std::shared_ptr<std::remove_pointer_t<typename Runtime::Stream>> stream_;
  };
  /// A mark in a stream.
  class Event {
   public:
    /// The runtime's event.
    [[nodiscard]] typename Runtime::Event handle() const { return event_.get(); }

   private:
    friend DeviceBackend;
    std::shared_ptr<std::remove_pointer_t<typename Runtime::Event>> event_;
    bool recorded_ = false;
  };
  /// See `GraphBackend`.
  class Graph {
    friend DeviceBackend;
    std::shared_ptr<std::remove_pointer_t<typename Runtime::ExecutableGraph>> graph_;
  };

  /// Errors: `unsupported` where there is no driver or no such device, `device`.
  [[nodiscard]] static Result<DeviceBackend> open(
      int device = 0) requires std::is_same_v<Resource, RecyclingResource<detail::DeviceResource<Runtime>>> {
    if (auto there = expect_device(device); !there) return there.propagate();
    auto pool = detail::DeviceResource<Runtime>::make(device);
    if (!pool) return pool.propagate();
    auto backend = open(device, std::make_shared<Resource>(std::size_t{1} << 30, pool.value()));
    if (backend) backend.value().state_->pool = std::move(pool).value();
    return backend;
  }
  /// With memory of the caller's choice, which must lie on the device.
  [[nodiscard]] static Result<DeviceBackend> open(int device, std::shared_ptr<Resource> resource) {
    if (auto there = expect_device(device); !there) return there.propagate();
    DeviceBackend backend;
    backend.state_ = std::make_shared<State>();
    backend.state_->device = device;
    backend.state_->resource = std::move(resource);
    if (auto read = detail::device_result<Runtime>("reading its properties", device,
                                                   Runtime::properties(&backend.state_->properties, device));
        !read)
      return read.propagate();
    return backend;
  }

  [[nodiscard]] std::string_view name() const noexcept { return Runtime::backend_name; }
  /// The device's number, as the runtime counts.
  [[nodiscard]] int device() const noexcept { return state_->device; }
  /// As 10 · major + minor: 90 for sm_90 and gfx90a.
  [[nodiscard]] int architecture() const noexcept { return state_->properties.architecture; }
  /// Multiprocessors of the device.
  [[nodiscard]] int multiprocessors() const noexcept { return state_->properties.multiprocessors; }
  [[nodiscard]] Capabilities capabilities() const {
    Capabilities capabilities;
    capabilities.device = state_->properties.name;
    capabilities.memory_bytes = state_->properties.memory_bytes;
    capabilities.concurrency = static_cast<unsigned>(
        std::max(1, state_->properties.multiprocessors * state_->properties.threads_per_multiprocessor));
    capabilities.host_accessible = false;
    capabilities.asynchronous = true;
    return capabilities;
  }
  [[nodiscard]] Resource& memory_resource() const noexcept { return *state_->resource; }
  /// Of this backend and its copies.
  [[nodiscard]] TransferCount transfers() const {
    return {state_->copies_to_device, state_->copies_to_host, state_->bytes_to_device, state_->bytes_to_host};
  }

  template <class T>
  [[nodiscard]] Result<Buffer<T>> allocate(std::size_t count) const {
    return Buffer<T>::make(state_->resource, count, Runtime::backend_name);
  }

  /// Lets kernels of another device use what is allocated, before and after. Errors: `unsupported` where there is no
  /// such device, or it cannot reach this one's memory, or memory comes from a resource of the caller's; `device`.
  [[nodiscard]] Result<void> open_memory_to(int peer) const {
    if (auto there = expect_device(peer); !there || peer == state_->device) return there;
    if (!state_->pool)
      return failure(ErrorKind::unsupported, text() + " has memory of the caller's; open it to device " +
                                                 std::to_string(peer) + " where it was made");
    return state_->pool->open_to(peer);
  }

  /// A stream that does not wait for the default one.
  [[nodiscard]] Result<Stream> make_stream() const {
    const detail::CurrentDevice<Runtime> current(state_->device);
    typename Runtime::Stream handle = nullptr;
    if (auto made = result("making a stream", Runtime::make_stream(&handle)); !made) return made.propagate();
    Stream stream;
    stream.stream_ = {handle, [](typename Runtime::Stream own) { static_cast<void>(Runtime::destroy_stream(own)); }};
    return stream;
  }
  /// The caller's stream, of this device, which must outlive what is given; null is the default stream. Errors:
  /// `invalid` for a stream of another device, where the runtime can tell.
  [[nodiscard]] Result<Stream> borrow(typename Runtime::Stream handle) const {
    if constexpr (requires(int device) { Runtime::device_of_stream(handle, &device); }) {
      const detail::CurrentDevice<Runtime> current(state_->device);
      int device = state_->device;
      if (auto told = result("asking for a stream's device", Runtime::device_of_stream(handle, &device)); !told)
        return told.propagate();
      if (device != state_->device)
        return failure(ErrorKind::invalid, text() + " was given a stream of device " + std::to_string(device) +
                                               "; open a backend on that device, or give it a stream of its own");
    }
    Stream stream;
    stream.stream_ = {handle, [](typename Runtime::Stream) {}};
    return stream;
  }
  [[nodiscard]] Result<Event> make_event() const {
    const detail::CurrentDevice<Runtime> current(state_->device);
    typename Runtime::Event handle = nullptr;
    if (auto made = result("making an event", Runtime::make_event(&handle)); !made) return made.propagate();
    Event event;
    event.event_ = {handle, [](typename Runtime::Event own) { static_cast<void>(Runtime::destroy_event(own)); }};
    return event;
  }

  /// Misuse: a null pointer with a count above zero. Errors: `invalid` for another device's memory. The ranges must not
  /// overlap.
  template <class T>
  [[nodiscard]] Result<void> copy_to_device(Stream& stream, T* destination, const T* source, std::size_t count) const {
    if (count == 0) return {};
    expect_copy(destination, source, count);
    const detail::CurrentDevice<Runtime> current(state_->device);
    if (auto own = expect_own(destination); !own) return own;
    ++state_->copies_to_device;
    state_->bytes_to_device += count * sizeof(T);
    return result("a copy of " + std::to_string(count * sizeof(T)) + " bytes to the device",
                  Runtime::copy_to_device(destination, source, count * sizeof(T), stream.handle()));
  }
  template <class T>
  [[nodiscard]] Result<void> copy_to_host(Stream& stream, T* destination, const T* source, std::size_t count) const {
    if (count == 0) return {};
    expect_copy(destination, source, count);
    const detail::CurrentDevice<Runtime> current(state_->device);
    if (auto own = expect_own(source); !own) return own;
    ++state_->copies_to_host;
    state_->bytes_to_host += count * sizeof(T);
    return result("a copy of " + std::to_string(count * sizeof(T)) + " bytes to the host",
                  Runtime::copy_to_host(destination, source, count * sizeof(T), stream.handle()));
  }

  [[nodiscard]] Result<void> record(Event& event, Stream& stream) const {
    const detail::CurrentDevice<Runtime> current(state_->device);
    auto recorded = result("recording an event", Runtime::record(event.handle(), stream.handle()));
    if (recorded) event.recorded_ = true;
    return recorded;
  }
  /// `ErrorKind::invalid` if the event was never recorded.
  [[nodiscard]] Result<void> wait(Stream& stream, const Event& event) const {
    if (!event.recorded_)
      return failure(ErrorKind::invalid, "wait was given an event that was never recorded; call record first");
    const detail::CurrentDevice<Runtime> current(state_->device);
    return result("waiting for an event", Runtime::wait(stream.handle(), event.handle()));
  }
  /// `ErrorKind::invalid` if either event was never recorded, `device` if one is not over yet. Negative if `second` was
  /// recorded first.
  [[nodiscard]] Result<double> elapsed_seconds(const Event& first, const Event& second) const {
    if (!first.recorded_ || !second.recorded_)
      return failure(ErrorKind::invalid,
                     std::string("elapsed_seconds was given an event that was never recorded (the ") +
                         (!first.recorded_ ? "first" : "second") + "); call record first");
    const detail::CurrentDevice<Runtime> current(state_->device);
    float milliseconds = 0;
    if (auto read = result("the time between two events",
                           Runtime::elapsed_milliseconds(&milliseconds, first.handle(), second.handle()));
        !read)
      return read.propagate();
    return static_cast<double>(milliseconds) * 1e-3;
  }
  /// `ErrorKind::invalid` if the stream is being captured into a graph: to wait would spoil the capture.
  [[nodiscard]] Result<void> synchronize(Stream& stream) const {
    const detail::CurrentDevice<Runtime> current(state_->device);
    bool capturing = false;
    if (auto asked = result("asking for a stream's capture", Runtime::is_capturing(stream.handle(), &capturing));
        !asked)
      return asked;
    if (capturing)
      return failure(ErrorKind::invalid,
                     std::string(Runtime::name) +
                         " is capturing this stream into a graph, and validation waits for its results; validate what "
                         "the graph wrote, after its launch");
    return result("waiting for a stream", Runtime::synchronize(stream.handle()));
  }

  /// See `GraphBackend`.
  [[nodiscard]] Result<void> begin_capture(Stream& stream) const {
    const detail::CurrentDevice<Runtime> current(state_->device);
    return result("beginning to capture a stream into a graph", Runtime::begin_capture(stream.handle()));
  }
  /// Ends the capture that `begin_capture` began; errors are the runtime's.
  [[nodiscard]] Result<Graph> end_capture(Stream& stream) const {
    const detail::CurrentDevice<Runtime> current(state_->device);
    typename Runtime::ExecutableGraph handle = nullptr;
    if (auto ended = result("capturing a stream into a graph", Runtime::end_capture(stream.handle(), &handle)); !ended)
      return ended.propagate();
    Graph graph;
    graph.graph_ = {handle,
                    [](typename Runtime::ExecutableGraph own) { static_cast<void>(Runtime::destroy_graph(own)); }};
    return graph;
  }
  /// Submits what was captured, once more.
  [[nodiscard]] Result<void> launch(Stream& stream, const Graph& graph) const {
    const detail::CurrentDevice<Runtime> current(state_->device);
    return result("the launch of a graph", Runtime::launch_graph(graph.graph_.get(), stream.handle()));
  }
  /// Bytes of the device that nobody has, as its driver tells: others' processes come in, and what pools keep does not.
  [[nodiscard]] Result<std::size_t> free_memory_bytes() const {
    const detail::CurrentDevice<Runtime> current(state_->device);
    std::size_t free = 0;
    if (auto read = result("asking for free memory", Runtime::free_memory(&free)); !read) return read.propagate();
    return free;
  }

  /// See `ParallelBackend`. The functor's call operator is marked ASSAY_FUNCTION, its type named at namespace scope.
  template <class Functor>
  [[nodiscard]] Result<void> parallel_for(Stream& stream, std::size_t count, const Functor& functor) const {
    static_assert(std::is_trivially_copyable_v<Functor>, "functors are copied to the device as bytes");
    if (count == 0) return {};
    // Few indices are spread over all multiprocessors.
    const std::size_t wide = static_cast<std::size_t>(std::max(1, state_->properties.multiprocessors)) * 256;
    const unsigned threads = count >= wide ? 256 : 64;
    const std::size_t most = static_cast<std::size_t>(capabilities_concurrency()) / threads * 8;
    return parallel_for(stream, count, functor,
                        static_cast<unsigned>(std::clamp<std::size_t>((count + threads - 1) / threads, 1,
                                                                      std::max<std::size_t>(most, 1))),
                        threads);
  }
  /// The same with a grid of `blocks` blocks of `threads` threads. Errors: `device` for more than the device takes.
  template <class Functor>
  [[nodiscard]] Result<void> parallel_for(Stream& stream, std::size_t count, const Functor& functor, unsigned blocks,
                                          unsigned threads) const {
    static_assert(std::is_trivially_copyable_v<Functor>, "functors are copied to the device as bytes");
    if (count == 0) return {};
#if defined(__CUDACC__) || defined(__HIPCC__)
    const detail::CurrentDevice<Runtime> current(state_->device);
    return launched(reinterpret_cast<const void*>(&detail::run_indexed<Functor>), stream, functor, count, blocks,
                    threads, 0);
#else
    static_cast<void>(stream);
    static_cast<void>(functor);
    static_cast<void>(blocks), static_cast<void>(threads);
    static_assert(!std::is_same_v<Functor, Functor>,
                  "kernels are launched by units that nvcc or hipcc compiles; this one was not");
#endif
  }

  /// See `BlockBackend`. Errors: `unsupported` where the device has less shared memory than the functor's `Shared`.
  template <class Functor>
  [[nodiscard]] Result<void> parallel_blocks(Stream& stream, std::size_t blocks, const Functor& functor) const {
    static_assert(std::is_trivially_copyable_v<Functor>, "functors are copied to the device as bytes");
    if (blocks == 0) return {};
#if defined(__CUDACC__) || defined(__HIPCC__)
    constexpr std::size_t shared = detail::block_shared_bytes<Functor>;
    if (shared > state_->properties.shared_bytes)
      return failure(ErrorKind::unsupported,
                     state_->properties.name + " gives a block " + std::to_string(state_->properties.shared_bytes) +
                         " bytes of shared memory, and " + std::to_string(shared) + " are needed");
    // HIP takes grids of fewer than 2³² threads; blocks beyond are other turns of the same ones
    const unsigned grid = static_cast<unsigned>(
        std::min<std::size_t>(blocks, (std::size_t{1} << 30) / static_cast<std::size_t>(Functor::threads)));
    const detail::CurrentDevice<Runtime> current(state_->device);
    if constexpr (shared > 48 * 1024) {
      if (auto allowed =
              result("asking for shared memory",
                     Runtime::allow_shared_memory(reinterpret_cast<const void*>(&detail::run_blocks<Functor>), shared));
          !allowed)
        return allowed;
    }
    return launched(reinterpret_cast<const void*>(&detail::run_blocks<Functor>), stream, functor, blocks, grid,
                    static_cast<unsigned>(Functor::threads), shared);
#else
    static_cast<void>(stream);
    static_cast<void>(functor);
    static_assert(!std::is_same_v<Functor, Functor>,
                  "kernels are launched by units that nvcc or hipcc compiles; this one was not");
#endif
  }

 private:
#if defined(__CUDACC__) || defined(__HIPCC__)
  /// Not by <<<…>>>, whose error is had only by taking, and so hiding, one of the caller's.
  template <class Functor>
  [[nodiscard]] Result<void> launched(const void* kernel, Stream& stream, Functor functor, std::size_t count,
                                      unsigned blocks, unsigned threads, std::size_t shared_bytes) const {
    void* arguments[] = {&functor, &count};
    return result("the launch of a kernel",
                  Runtime::launch(kernel, blocks, threads, arguments, shared_bytes, stream.handle()));
  }
#endif
  struct State {
    int device = 0;
    typename Runtime::Properties properties;
    std::shared_ptr<Resource> resource;
    std::optional<detail::DeviceResource<Runtime>> pool;  ///< that the resource takes from, unless it is the caller's
    std::atomic<std::size_t> copies_to_device{0}, copies_to_host{0}, bytes_to_device{0}, bytes_to_host{0};
  };

  [[nodiscard]] static Result<void> expect_device(int device) {
    int count = 0;
    if (auto counted = detail::device_result<Runtime>("counting devices", device, Runtime::device_count(&count));
        !counted)
      return counted;
    if (device < 0 || device >= count)
      return failure(ErrorKind::unsupported, std::string(Runtime::name) + " has no device " + std::to_string(device) +
                                                 " on this machine; it has " + std::to_string(count) +
                                                 ", counted from 0");
    return {};
  }
  [[nodiscard]] std::string text() const {
    return std::string(Runtime::name) + " device " + std::to_string(state_->device);
  }
  [[nodiscard]] Result<void> result(const std::string& call, typename Runtime::Code code) const {
    return detail::device_result<Runtime>(call, state_->device, code);
  }
  [[nodiscard]] Result<void> expect_own(const void* memory) const {
    int device = -1;
    if (auto told = result("asking where memory lies", Runtime::device_of(memory, &device)); !told) return told;
    if (device >= 0 && device != state_->device)
      return failure(ErrorKind::invalid, text() + ": a copy was given memory of device " + std::to_string(device) +
                                             "; copy it with a backend of that device");
    return {};
  }
  [[nodiscard]] std::size_t capabilities_concurrency() const {
    return static_cast<std::size_t>(std::max(1, state_->properties.multiprocessors)) *
           static_cast<std::size_t>(std::max(256, state_->properties.threads_per_multiprocessor));
  }
  static void expect_copy(const void* destination, const void* source, std::size_t count) {
    if (destination == nullptr || source == nullptr)
      misuse("a copy of " + std::to_string(count) + " elements was given a null " +
             (destination == nullptr ? "destination" : "source"));
  }

  std::shared_ptr<State> state_;
};

}  // namespace assay::inline v0
