#pragma once

#include "assay/suite/detail/worker.hpp"

#include <array>
#include <cerrno>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void Worker::flush() {
  while (!outgoing_.empty()) {
    const ssize_t sent = send_some(process.channel(), outgoing_.data(), outgoing_.size(), false);
    if (sent <= 0) return;
    outgoing_.erase(0, static_cast<std::size_t>(sent));
  }
}

ASSAY_DETAIL_HEADER_INLINE void Worker::receive() {
  std::array<char, 65536> bytes;
  for (int part = 0; part < 64 && !closed_at; ++part) {
    const ssize_t size = receive_some(process.channel(), bytes.data(), bytes.size(), false);
    if (size > 0)
      incoming_.add({bytes.data(), static_cast<std::size_t>(size)});
    else if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
      return;
    else
      closed_at = Clock::now();
    if (size < static_cast<ssize_t>(bytes.size())) return;
  }
}

}  // namespace assay::inline v0::detail
