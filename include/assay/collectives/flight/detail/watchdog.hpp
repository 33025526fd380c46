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

/// One end of a communicator under watch. The thread that calls operations sets and clears the time; setting and
/// clearing cost an atomic operation each.
class Watched {
 public:
  /// `overdue` is called in the watchdog's thread while the operation is under way; `alive` at every look.
  Watched(std::function<void()> overdue, std::function<void()> alive)
      : overdue_(std::move(overdue)), alive_(std::move(alive)) {}

  void begin(std::int64_t give_up_at) noexcept { give_up_at_.store(give_up_at, std::memory_order_release); }

  /// True if the watchdog has given the operation up; it has done with it then.
  [[nodiscard]] bool end() noexcept;

  void look(std::int64_t now);

 private:
  enum : std::int64_t { given_up = -2, giving_up = -1, idle = 0 };
  std::atomic<std::int64_t> give_up_at_{idle};
  std::function<void()> overdue_, alive_;
};

/// One thread that looks at all watched ends of this process, every few milliseconds: hundreds of ranks in one process
/// do with one, and starting an operation wakes nobody.
class Watchdog {
 public:
  static constexpr std::chrono::milliseconds interval{5};

  /// The process' own: there as long as somebody holds it.
  [[nodiscard]] static std::shared_ptr<Watchdog> of_process();

  Watchdog() : thread_([this] { watch(); }) {}
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();

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
  void watch();

  std::mutex mutex_, looking_;
  std::condition_variable wake_;
  std::vector<std::shared_ptr<Watched>> watched_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/flight/detail/watchdog.ipp"
#endif
