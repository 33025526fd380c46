#pragma once

#include <chrono>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "assay/backends/host_block.hpp"
#include "assay/backends/parallel_backend.hpp"
#include "assay/backends/recycling_resource.hpp"
#include "assay/backends/resource_buffer.hpp"
#include "assay/backends/thread_pool.hpp"
#include "assay/core/processor.hpp"

namespace assay::inline v0 {

/// The processor that runs this program, with a pool of threads: a `ParallelBackend` whose work is done when the call
/// that submits it returns. Copies share the pool and the memory resource; a moved-from host stays usable.
///
/// Made to be derived from: a backend of one's own hides `name()` and adds `run(Op, stream, problem, arguments)`.
template <MemoryResource Resource = RecyclingResource<>>
class BasicHost {
 public:
  /// Work is finished when it has been submitted: a stream has nothing to hold.
  struct Stream {};
  /// A point in the steady clock's time.
  struct Event {
    std::optional<std::chrono::steady_clock::time_point> time;
  };
  template <class T>
  using Buffer = ResourceBuffer<T, Resource>;
  static constexpr bool runs_on_host = true;  ///< its memory is the host's: no copies are needed to look at it

  /// `threads` counts the calling thread; 0: one for each logical processor.
  explicit BasicHost(unsigned threads = 0, Resource resource = Resource())
      : pool_(std::make_shared<ThreadPool>(threads)), resource_(std::make_shared<Resource>(std::move(resource))) {}
  BasicHost(const BasicHost&) = default;
  BasicHost& operator=(const BasicHost&) = default;
  ~BasicHost() = default;

  [[nodiscard]] std::string_view name() const noexcept { return "host"; }
  [[nodiscard]] Capabilities capabilities() const {
    Capabilities capabilities;
    capabilities.device = detail::processor_name();
    capabilities.memory_bytes = static_cast<std::size_t>(detail::host_memory_bytes());
    capabilities.concurrency = pool_->size();
    capabilities.host_accessible = true;
    capabilities.asynchronous = false;
    return capabilities;
  }
  [[nodiscard]] Resource& memory_resource() const noexcept { return *resource_; }
  /// The threads that `parallel_for` uses.
  [[nodiscard]] ThreadPool& thread_pool() const noexcept { return *pool_; }

  template <class T>
  [[nodiscard]] Result<Buffer<T>> allocate(std::size_t count) const {
    return Buffer<T>::make(resource_, count, "host");
  }

  [[nodiscard]] Result<Stream> make_stream() const { return Stream{}; }
  [[nodiscard]] Result<Event> make_event() const { return Event{}; }

  /// Misuse: a null pointer with a count above zero. The ranges must not overlap.
  template <class T>
  [[nodiscard]] Result<void> copy_to_device(Stream&, T* destination, const T* source, std::size_t count) const {
    return copy(destination, source, count);
  }
  template <class T>
  [[nodiscard]] Result<void> copy_to_host(Stream&, T* destination, const T* source, std::size_t count) const {
    return copy(destination, source, count);
  }

  [[nodiscard]] Result<void> record(Event& event, Stream&) const {
    event.time = std::chrono::steady_clock::now();
    return {};
  }
  /// `ErrorKind::invalid` if the event was never recorded.
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
  [[nodiscard]] Result<void> synchronize(Stream&) const { return {}; }

  /// See `ParallelBackend`. Indices are handed out in small chunks to whichever thread is free; a call from inside
  /// another, or while another thread's call runs, is done by the calling thread alone.
  template <class Functor>
  [[nodiscard]] Result<void> parallel_for(Stream&, std::size_t count, const Functor& functor) const {
    pool_->for_each_index(count, functor);
    return {};
  }

  /// See `BlockBackend`: for trying what devices run; loops suit the host better.
  template <class Functor>
  [[nodiscard]] Result<void> parallel_blocks(Stream&, std::size_t blocks, const Functor& functor,
                                             ThreadOrder order = ThreadOrder::ascending) const {
    pool_->for_each_index(blocks, detail::RunHostBlock<Functor>{functor, order});
    return {};
  }

 private:
  template <class T>
  static Result<void> copy(T* destination, const T* source, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>, "elements are copied as bytes");
    if (count == 0) return {};
    if (destination == nullptr || source == nullptr)
      misuse("a copy of " + std::to_string(count) + " elements was given a null " +
             (destination == nullptr ? "destination" : "source"));
    std::memcpy(destination, source, count * sizeof(T));
    return {};
  }

  std::shared_ptr<ThreadPool> pool_;
  std::shared_ptr<Resource> resource_;
};

/// The host as most programs want it.
using Host = BasicHost<>;

}  // namespace assay::inline v0
