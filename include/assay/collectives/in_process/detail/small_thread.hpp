#pragma once

#include <pthread.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <system_error>
#include <utility>

namespace assay::inline v0::detail {

/// A thread with a stack of a given size, joined by its destructor: std::thread takes the system's, megabytes for each of
/// hundreds of ranks.
class SmallThread {
 public:
  SmallThread(std::size_t stack_bytes, std::function<void()> body) : body_(std::make_unique<std::function<void()>>(std::move(body))) {
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    constexpr std::size_t least = std::size_t{64} << 10, page = 4096;
    ::pthread_attr_setstacksize(&attributes, (std::max(stack_bytes, least) + page - 1) / page * page);
    const int error = ::pthread_create(
        &thread_, &attributes,
        [](void* argument) -> void* {
          (*static_cast<std::function<void()>*>(argument))();
          return nullptr;
        },
        body_.get());
    ::pthread_attr_destroy(&attributes);
    if (error != 0) throw std::system_error(error, std::generic_category(), "a thread for a rank could not be started");
  }
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
