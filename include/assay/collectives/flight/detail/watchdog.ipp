#pragma once

#include "assay/collectives/flight/detail/watchdog.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE bool Watched::end() noexcept {
  std::int64_t at = give_up_at_.load(std::memory_order_relaxed);
  while (at > idle)
    if (give_up_at_.compare_exchange_weak(at, idle, std::memory_order_acq_rel)) return false;
  while (give_up_at_.load(std::memory_order_acquire) == giving_up)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return give_up_at_.exchange(idle, std::memory_order_acq_rel) == given_up;
}

ASSAY_DETAIL_HEADER_INLINE void Watched::look(std::int64_t now) {
  alive_();
  std::int64_t at = give_up_at_.load(std::memory_order_acquire);
  if (at <= idle || now < at || !give_up_at_.compare_exchange_strong(at, giving_up, std::memory_order_acq_rel)) return;
  overdue_();
  give_up_at_.store(given_up, std::memory_order_release);
}

ASSAY_DETAIL_HEADER_INLINE std::shared_ptr<Watchdog> Watchdog::of_process() {
  static std::mutex mutex;
  static std::weak_ptr<Watchdog> known;
  const std::lock_guard<std::mutex> lock(mutex);
  auto watchdog = known.lock();
  if (watchdog == nullptr) known = watchdog = std::make_shared<Watchdog>();
  return watchdog;
}

ASSAY_DETAIL_HEADER_INLINE Watchdog::~Watchdog() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

ASSAY_DETAIL_HEADER_INLINE void Watchdog::watch() {
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

}  // namespace assay::inline v0::detail
