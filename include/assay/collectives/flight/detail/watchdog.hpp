#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "assay/collectives/flight/detail/flight_memory.hpp"

namespace assay::inline v0::detail {

/// One end of a communicator under watch. The thread that calls operations sets and clears the time; setting and clearing cost an atomic operation each.
class Watched {
 public:
  /// `overdue` is called in the watchdog's thread while the operation is under way; `alive` at every look.
  Watched(std::function<void()> overdue, std::function<void()> alive) : overdue_(std::move(overdue)), alive_(std::move(alive)) {}

  void begin(std::int64_t give_up_at) noexcept { give_up_at_.store(give_up_at, std::memory_order_release); }

  /// True if the watchdog has given the operation up; it has done with it then.
  [[nodiscard]] bool end() noexcept {
    std::int64_t at = give_up_at_.load(std::memory_order_relaxed);
    while (at > idle)
      if (give_up_at_.compare_exchange_weak(at, idle, std::memory_order_acq_rel)) return false;
    while (give_up_at_.load(std::memory_order_acquire) == giving_up) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return give_up_at_.exchange(idle, std::memory_order_acq_rel) == given_up;
  }

  void look(std::int64_t now) {
    alive_();
    std::int64_t at = give_up_at_.load(std::memory_order_acquire);
    if (at <= idle || now < at || !give_up_at_.compare_exchange_strong(at, giving_up, std::memory_order_acq_rel)) return;
    overdue_();
    give_up_at_.store(given_up, std::memory_order_release);
  }

 private:
  enum : std::int64_t { given_up = -2, giving_up = -1, idle = 0 };
  std::atomic<std::int64_t> give_up_at_{idle};
  std::function<void()> overdue_, alive_;
};

/// One thread that looks at all watched ends of this process, every few milliseconds: hundreds of ranks in one process do
/// with one, and starting an operation wakes nobody.
class Watchdog {
 public:
  static constexpr std::chrono::milliseconds interval{5};

  /// The process' own: there as long as somebody holds it.
  [[nodiscard]] static std::shared_ptr<Watchdog> of_process() {
    static std::mutex mutex;
    static std::weak_ptr<Watchdog> known;
    const std::lock_guard<std::mutex> lock(mutex);
    auto watchdog = known.lock();
    if (watchdog == nullptr) known = watchdog = std::make_shared<Watchdog>();
    return watchdog;
  }

  Watchdog() : thread_([this] { watch(); }) {}
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ended_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }

  void add(std::shared_ptr<Watched> watched) {
    const std::lock_guard<std::mutex> lock(mutex_);
    watched_.push_back(std::move(watched));
  }
  /// After this returns it is looked at no more.
  void remove(const Watched* watched) {
    const std::lock_guard<std::mutex> looking(looking_), lock(mutex_);
    std::erase_if(watched_, [&](const auto& entry) { return entry.get() == watched; });
  }

 private:
  void watch() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!wake_.wait_for(lock, interval, [this] { return ended_; })) {
      lock.unlock();
      {
        // Before the list is copied: what is taken off it between the copy and the look would be looked at.
        const std::lock_guard<std::mutex> looking(looking_);
        lock.lock();
        const auto now_watched = watched_;
        lock.unlock();
        const std::int64_t now = steady_nanoseconds();
        for (const auto& watched : now_watched) watched->look(now);
      }
      lock.lock();
    }
  }

  std::mutex mutex_, looking_;
  std::condition_variable wake_;
  std::vector<std::shared_ptr<Watched>> watched_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace assay::inline v0::detail
