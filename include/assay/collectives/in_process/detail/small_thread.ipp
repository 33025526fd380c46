#pragma once

#include "assay/collectives/in_process/detail/small_thread.hpp"

#include <algorithm>
#include <system_error>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE SmallThread::SmallThread(std::size_t stack_bytes, std::function<void()> body)
    : body_(std::make_unique<std::function<void()>>(std::move(body))) {
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

}  // namespace assay::inline v0::detail
