#pragma once

#include "assay/frameworks/detail/door_message.hpp"

#include <cstring>

#include "assay/core/config.hpp"
#include "assay/core/process/file_descriptor.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE bool send_door_message(int descriptor, const std::string& bytes) {
  char head[sizeof(std::uint64_t)];
  const std::uint64_t size = bytes.size();
  std::memcpy(head, &size, sizeof size);
  const auto all = [&](const char* data, std::size_t left) {
    while (left > 0) {
      const ssize_t sent = send_some(descriptor, data, left, true);
      if (sent <= 0) return false;
      data += sent;
      left -= static_cast<std::size_t>(sent);
    }
    return true;
  };
  return all(head, sizeof head) && all(bytes.data(), bytes.size());
}

ASSAY_DETAIL_HEADER_INLINE bool receive_door_message(int descriptor, std::string& bytes) {
  const auto all = [&](char* data, std::size_t left) {
    while (left > 0) {
      const ssize_t received = receive_some(descriptor, data, left, true);
      if (received <= 0) return false;
      data += received;
      left -= static_cast<std::size_t>(received);
    }
    return true;
  };
  std::uint64_t size = 0;
  char head[sizeof size];
  if (!all(head, sizeof head)) return false;
  std::memcpy(&size, head, sizeof size);
  if (size > longest_door_message) return false;
  bytes.assign(static_cast<std::size_t>(size), '\0');
  return all(bytes.data(), bytes.size());
}

}  // namespace assay::inline v0::detail
