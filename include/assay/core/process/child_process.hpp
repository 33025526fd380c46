#pragma once

#include <sys/types.h>

#include <optional>
#include <utility>

#include "assay/core/process/ending.hpp"

namespace assay::inline v0::detail {

/// Owns a child process, which may lead a group of processes. The destructor kills it, and the group.
class ChildProcess {
 public:
  explicit ChildProcess(pid_t process, bool leads_group) noexcept : process_(process), leads_group_(leads_group) {}
  ChildProcess(ChildProcess&& other) noexcept
      : process_(std::exchange(other.process_, -1)), leads_group_(other.leads_group_) {}
  ChildProcess& operator=(ChildProcess&& other) noexcept {
    std::swap(process_, other.process_);
    std::swap(leads_group_, other.leads_group_);
    return *this;
  }
  ~ChildProcess() { static_cast<void>(kill()); }

  /// −1 once its status was taken.
  [[nodiscard]] pid_t number() const noexcept { return process_; }

  /// How it ended, if it has; the rest of its group ends with it. Never waits.
  [[nodiscard]] std::optional<Ending> ended();

  /// Kills it, and its group, if they are still there. The ending is its own where it had ended before. Gives a process
  /// that cannot die, in a driver's uninterruptible sleep, up after five seconds.
  Ending kill();

 private:
  /// Takes the status of a process that has ended or is about to.
  Ending reap();

  pid_t process_;
  bool leads_group_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/core/process/child_process.ipp"
#endif
