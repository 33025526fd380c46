#pragma once

#include <pthread.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

namespace assay::inline v0::detail {

/// A thread with a stack of a given size, joined by its destructor: std::thread takes the system's, megabytes for each
/// of hundreds of ranks.
class SmallThread {
 public:
  SmallThread(std::size_t stack_bytes, std::function<void()> body);
  SmallThread(SmallThread&& other) noexcept = default;
  SmallThread& operator=(SmallThread&&) = delete;
  ~SmallThread() {
    if (body_) ::pthread_join(thread_, nullptr);
  }

 private:
  std::unique_ptr<std::function<void()>> body_;
  pthread_t thread_{};
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/in_process/detail/small_thread.ipp"
#endif
