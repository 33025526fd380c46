#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>

namespace assay::inline v0::detail {

/// Whether a communicator was given up, and why: the first reason stays. Any thread may ask and give it up.
class AbortReason {
 public:
  /// Whether this was the first time.
  bool give_up(std::string_view why) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (given_up_) return false;
    reason_ = why;
    return given_up_ = true;
  }
  [[nodiscard]] explicit operator bool() const { return given_up_; }
  /// For who waits and looks at it now and then.
  [[nodiscard]] const std::atomic<bool>& flag() const { return given_up_; }
  /// Empty until it was given up.
  [[nodiscard]] std::string why() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return reason_;
  }

 private:
  mutable std::mutex mutex_;
  std::atomic<bool> given_up_{false};
  std::string reason_;
};

}  // namespace assay::inline v0::detail
