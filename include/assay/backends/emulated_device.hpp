#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/backends/block_backend.hpp"
#include "assay/backends/detail/emulated_memory.hpp"
#include "assay/backends/detail/emulated_queue.hpp"
#include "assay/backends/graph_backend.hpp"
#include "assay/backends/host_block.hpp"
#include "assay/backends/resource_buffer.hpp"
#include "assay/backends/thread_pool.hpp"
#include "assay/backends/transfer_count.hpp"
#include "assay/core/processor.hpp"

namespace assay::inline v0 {

/// How a call of an emulated device that was told to fail does so.
enum class EmulatedFailure {
  once,          ///< the call fails, later ones do not
  asynchronous,  ///< the call succeeds, its work and all later are not done, and the next `synchronize` says so
  sticky         ///< the call and all that follow fail, as after an illegal address
};

/// What an `EmulatedDevice` is like.
struct EmulatedDeviceOptions {
  int device = 0;        ///< for messages
  unsigned threads = 1;  ///< of the host, that run what is launched; 0: one for each logical processor
  ThreadOrder order =
      ThreadOrder::descending;   ///< of a block's threads, and of the indices that one thread of the host runs
  std::size_t memory_bytes = 0;  ///< of the device; 0: as much as the host has
};

/// A device without a device: a `BlockBackend` on the host that behaves as a GPU does, and worse. What validates in
/// place on a device is tried on it first.
///
/// - Whoever touches its memory outside of submitted work dies of SIGSEGV, as does work that runs past an allocation's
///   end (rounded up to 64 bytes) or uses one that was freed. Fresh memory holds 0xFF.
/// - Nothing runs before its stream is synchronized, or one that waits for its event: a missing `synchronize` or `wait`
///   reads old data each time. Host memory given to copies is touched then.
/// - Memory that is freed while queued work may use it is an error of the next `synchronize` (`ErrorKind::invalid`),
///   and a line of `misuses()`; so is a pointer that is not of this device, at the call. Uses are found by looking for
///   addresses in the functor; those behind other addresses are not seen, nor, of compilers that cannot clear padding,
///   the host's in a functor with any.
/// - Streams can be captured into graphs (`GraphBackend`).
/// - Transfers are counted; any call can be made to fail. What was queued on a stream is lost when `synchronize` fails.
///   Streams may end with work after a failure; memory may then be freed under it only where nobody can wait for it any
///   more, after an asynchronous or sticky failure. POSIX; elsewhere `allocate` is `unsupported`. Copies are handles on
///   the same device. Runs at the host's pace.
class EmulatedDevice {
 public:
  using Resource = detail::EmulatedMemory;  ///< where buffers come from
  template <class T>
  using Buffer = ResourceBuffer<T, Resource>;

  /// A queue whose work runs when it is synchronized.
  class Stream {
    friend EmulatedDevice;
    std::shared_ptr<detail::EmulatedQueue> queue_;
  };
  /// A mark in a stream.
  class Event {
    friend EmulatedDevice;
    std::optional<detail::EmulatedMark> mark_;
  };

  /// Work that was captured and is launched as often as one likes.
  class Graph {
    friend EmulatedDevice;
    std::shared_ptr<std::vector<detail::EmulatedQueue::Operation>> operations_;
  };

  /// A device of its own, with its own memory.
  explicit EmulatedDevice(const EmulatedDeviceOptions& options = {}) : state_(std::make_shared<State>(options)) {}

  [[nodiscard]] std::string_view name() const noexcept { return "emulated"; }
  [[nodiscard]] Capabilities capabilities() const;
  [[nodiscard]] Resource& memory_resource() const noexcept { return *state_->memory; }

  /// Of this device since it was made.
  [[nodiscard]] TransferCount transfers() const {
    const std::lock_guard lock(state_->mutex);
    return state_->transfers;
  }
  /// Calls so far that could have failed: allocations, copies, launches, what is asked of streams and events.
  [[nodiscard]] std::size_t calls() const {
    const std::lock_guard lock(state_->mutex);
    return state_->calls;
  }
  /// What was done wrong so far, each in a sentence.
  [[nodiscard]] std::vector<std::string> misuses() const {
    const std::lock_guard lock(state_->mutex);
    return state_->misuses;
  }
  /// Makes the call after the next `calls` ones fail.
  void fail_after(std::size_t calls, EmulatedFailure failure = EmulatedFailure::once) const {
    const std::lock_guard lock(state_->mutex);
    state_->failing_call = state_->calls + calls;
    state_->failure = failure;
  }

  template <class T>
  [[nodiscard]] Result<Buffer<T>> allocate(std::size_t count) const {
    if (!Resource::is_supported())
      return failure(ErrorKind::unsupported,
                     "emulated devices need memory that can be protected (mmap, mprotect), which this system does not "
                     "have; run on a POSIX system");
    const Call called = call("an allocation");
    if (called.error) return Failure{*called.error};
    auto made = Buffer<T>::make(state_->memory, count, "emulated");
    if (!made) state_->refused_a_call = true;
    return made;
  }

  [[nodiscard]] Result<Stream> make_stream() const {
    if (const Call called = call("making a stream"); called.error) return Failure{*called.error};
    Stream stream;
    stream.queue_ = std::make_shared<detail::EmulatedQueue>(state_, Report{state_.get()});
    return stream;
  }
  [[nodiscard]] Result<Event> make_event() const {
    if (const Call called = call("making an event"); called.error) return Failure{*called.error};
    return Event{};
  }

  /// Misuse: a null pointer with a count above zero. Errors: `invalid` if the device's range is not in one allocation
  /// of this device, or the host's is in a device's.
  template <class T>
  [[nodiscard]] Result<void> copy_to_device(Stream& stream, T* destination, const T* source, std::size_t count) const {
    return copy(stream, destination, source, count * sizeof(T), true);
  }
  template <class T>
  [[nodiscard]] Result<void> copy_to_host(Stream& stream, T* destination, const T* source, std::size_t count) const {
    return copy(stream, destination, source, count * sizeof(T), false);
  }

  [[nodiscard]] Result<void> record(Event& event, Stream& stream) const;
  /// `ErrorKind::invalid` if the event was never recorded.
  [[nodiscard]] Result<void> wait(Stream& stream, const Event& event) const;
  /// `ErrorKind::invalid` if either event was never recorded, `device` if one is not over yet. Negative if `second` was
  /// recorded first.
  [[nodiscard]] Result<double> elapsed_seconds(const Event& first, const Event& second) const;
  /// `ErrorKind::invalid` if the stream is being captured into a graph.
  [[nodiscard]] Result<void> synchronize(Stream& stream) const;

  /// See `GraphBackend`; copies and launches are captured. `ErrorKind::invalid` for a stream that is captured already,
  /// or is not.
  [[nodiscard]] Result<void> begin_capture(Stream& stream) const;
  /// Ends the capture that `begin_capture` began.
  [[nodiscard]] Result<Graph> end_capture(Stream& stream) const;
  /// Queues what was captured, once more.
  [[nodiscard]] Result<void> launch(Stream& stream, const Graph& graph) const;

  /// See `ParallelBackend`.
  template <class Functor>
  [[nodiscard]] Result<void> parallel_for(Stream& stream, std::size_t count, const Functor& functor) const {
    return submit(stream, count, functor, [count, functor, state = state_.get()] {
      if (state->order == ThreadOrder::ascending) return state->pool.for_each_index(count, functor);
      state->pool.for_each_index(count, [&](std::size_t index) { functor(count - 1 - index); });
    });
  }
  /// See `BlockBackend`.
  template <class Functor>
  [[nodiscard]] Result<void> parallel_blocks(Stream& stream, std::size_t blocks, const Functor& functor) const {
    return submit(stream, blocks, functor, [blocks, functor, state = state_.get()] {
      const detail::RunHostBlock<Functor> block{functor, state->order};
      if (state->order == ThreadOrder::ascending) return state->pool.for_each_index(blocks, block);
      state->pool.for_each_index(blocks, [&](std::size_t index) { block(blocks - 1 - index); });
    });
  }

 private:
  struct State {
    explicit State(const EmulatedDeviceOptions& options)
        : order(options.order),
          capacity(options.memory_bytes != 0 ? options.memory_bytes
                                             : static_cast<std::size_t>(detail::host_memory_bytes())),
          memory(std::make_shared<Resource>(options.device, capacity)),
          pool(options.threads) {}

    const ThreadOrder order;
    const std::size_t capacity;
    const std::shared_ptr<Resource> memory;
    ThreadPool pool;
    std::recursive_mutex mutex;
    TransferCount transfers;
    std::size_t calls = 0;
    std::size_t failing_call = static_cast<std::size_t>(-1);
    EmulatedFailure failure = EmulatedFailure::once;
    bool refused_a_call = false, lost_work = false;
    std::optional<Error> sticky, late;
    bool losing_work = false;
    std::vector<std::string> misuses;
  };
  /// A call under the device's lock: refused with an error, or to be done, or only to seem so.
  struct Call {
    std::unique_lock<std::recursive_mutex> lock;
    std::optional<Error> error;
    bool dropped = false;
  };
  struct Report {
    State* state;
    void operator()(const std::string& message, detail::EmulatedMisuse misuse) const {
      const std::lock_guard lock(state->mutex);
      // Who is refused a call may leave work behind, but not free what it uses.
      if (misuse == detail::EmulatedMisuse::abandoned_work ? state->refused_a_call : state->lost_work) return;
      state->misuses.push_back(message);
      if (misuse == detail::EmulatedMisuse::freed_memory && !state->late)
        state->late =
            Error{ErrorKind::invalid, "emulated device " + std::to_string(state->memory->device()) + ": " + message};
    }
  };

  [[nodiscard]] std::string text() const { return "emulated device " + std::to_string(state_->memory->device()); }

  [[nodiscard]] Call call(const char* what, const Stream* stream = nullptr) const;
  [[nodiscard]] Error refuse(const std::string& message) const {
    state_->misuses.push_back(message);
    return {ErrorKind::invalid, text() + ": " + message};
  }

  [[nodiscard]] Result<void> copy(Stream& stream, void* destination, const void* source, std::size_t bytes,
                                  bool to_device) const;

  template <class Functor, class Run>
  [[nodiscard]] Result<void> submit(Stream& stream, std::size_t count, const Functor& functor, const Run& run) const {
    static_assert(std::is_trivially_copyable_v<Functor>, "functors are copied to devices as bytes");
    if (count == 0) return {};
    const Call called = call("a launch", &stream);
    if (called.error) return Failure{*called.error};
    auto uses = detail::uses_of(functor);
    const std::string what = "a launch of " + detail::functor_name<Functor>();
    for (const auto& block : uses.blocks)
      if (block.owner != state_->memory.get())
        return Failure{refuse(what + " was given memory of device " + std::to_string(block.owner->device()) +
                              "; launch it where its memory is")};
    if (uses.host_pointer)
      return Failure{refuse(what + " was given an address of the host's memory (byte " +
                            std::to_string(*uses.host_pointer) + " of " + std::to_string(sizeof(Functor)) +
                            "); copy what it reads to the device")};
    if (!called.dropped) stream.queue_->submit({what, std::move(uses.blocks), run});
    return {};
  }

  std::shared_ptr<State> state_;
};

static_assert(BlockBackend<EmulatedDevice> && GraphBackend<EmulatedDevice>);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/backends/emulated_device.ipp"
#endif
