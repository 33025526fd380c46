#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "assay/backends/detail/leave_processor.hpp"
#include "assay/backends/detail/look_a_while.hpp"
#include "assay/core/floating_point_guard.hpp"

namespace assay::inline v0 {

/// Threads that wait for loops to share. `size` counts the calling thread, which takes part; the others start with the
/// first loop that needs them and end with the pool. Fewer may run than were asked for, if the system refuses them.
class ThreadPool {
 public:
  /// 0: one for each logical processor.
  explicit ThreadPool(unsigned size = 0)
      : size_(size != 0 ? size : std::max(1U, std::thread::hardware_concurrency())) {}
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    work_or_stop_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  [[nodiscard]] unsigned size() const noexcept { return size_; }

  /// Calls `function(i)` once for every i in [0, count) and returns when all are done; every call sees the default
  /// floating-point environment. Called while the pool is busy, from inside a loop or from another thread, it runs the
  /// loop in the calling thread: it never blocks on another loop. An exception that leaves `function` terminates.
  template <class Function>
  void for_each_index(std::size_t count, const Function& function) noexcept {
    const auto range = [](const void* context, std::size_t begin, std::size_t end) {
      const Function& body = *static_cast<const Function*>(context);
      for (std::size_t i = begin; i < end; ++i) body(i);
    };
    if (count == 0) return;
    const bool inline_only = count == 1 || size_ == 1 || busy_.exchange(true, std::memory_order_acquire);
    with_floating_point_state({}, [&] {
      if (inline_only) return range(&function, 0, count);
      share(Loop{range, &function, count, std::clamp<std::size_t>(count / (std::size_t{size_} * 16), 1, 65536)});
    });
    if (!inline_only) busy_.store(false, std::memory_order_release);
  }

 private:
  struct Loop {
    void (*range)(const void* context, std::size_t begin, std::size_t end) = nullptr;
    const void* context = nullptr;
    std::size_t count = 0;
    std::size_t chunk = 1;
  };

  void share(const Loop& loop) {
    if (workers_.empty()) start_workers();
    {
      const std::lock_guard lock(mutex_);
      loop_ = loop;
      next_.store(0, std::memory_order_relaxed);
      open_ = true;
      ++generation_;
    }
    work_or_stop_.notify_all();
    run_chunks(loop, [this] { callers_processor_.store(detail::current_processor(), std::memory_order_relaxed); });
    {
      const std::lock_guard lock(mutex_);
      open_ = false;  // whoever wakes too late finds nothing to do, and is not waited for
    }
    detail::look_a_while([this] { return active_ == 0; });
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [this] { return active_ == 0; });
  }

  template <class BeforeChunk>
  void run_chunks(const Loop& loop, const BeforeChunk& before_chunk) {
    for (;;) {
      before_chunk();
      const std::size_t begin = next_.fetch_add(loop.chunk, std::memory_order_relaxed);
      if (begin >= loop.count) return;
      loop.range(loop.context, begin, std::min(loop.count, begin + loop.chunk));
    }
  }

  void start_workers() {
    workers_.reserve(size_ - 1);
#if defined(__cpp_exceptions)
    try {
      while (workers_.size() + 1 < size_) workers_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      // the loop runs on as many threads as the system grants
    }
#else
    while (workers_.size() + 1 < size_) workers_.emplace_back([this] { work(); });
#endif
  }

  void work() noexcept {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
      lock.unlock();
      detail::look_a_while([&] { return generation_ != seen; });
      lock.lock();
      work_or_stop_.wait(lock, [&] { return stopping_ || (open_ && generation_ != seen); });
      if (stopping_) return;
      seen = generation_;
      const Loop loop = loop_;
      ++active_;
      lock.unlock();
      with_floating_point_state({}, [&] {
        run_chunks(loop, [this] { detail::leave_processor(callers_processor_.load(std::memory_order_relaxed)); });
      });
      lock.lock();
      if (--active_ == 0) finished_.notify_one();
    }
  }

  const unsigned size_;
  std::atomic<bool> busy_{false};
  std::atomic<std::size_t> next_{0};
  std::atomic<int> callers_processor_{-1};
  std::mutex mutex_;
  std::condition_variable work_or_stop_;
  std::condition_variable finished_;
  Loop loop_;
  std::atomic<std::uint64_t> generation_{0};  // these two change under the mutex; threads look at them without it
  std::atomic<unsigned> active_{0};
  bool open_ = false;
  bool stopping_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace assay::inline v0
