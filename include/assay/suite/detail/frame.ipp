#pragma once

#include "assay/suite/detail/frame.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void append_frame(std::string& bytes, MessageKind kind, std::uint64_t ticket,
                                             std::string_view payload) {
  FrameHeader header;
  header.kind = kind;
  header.ticket = ticket;
  header.payload_size = payload.size();
  header.payload_checksum = fowler_noll_vo_1a(payload);
  header.header_checksum = checksum_of(header);
  char raw[sizeof header];
  std::memcpy(raw, &header, sizeof header);
  bytes.append(raw, sizeof raw).append(payload);
}

ASSAY_DETAIL_HEADER_INLINE Result<std::optional<Message>> FrameReader::next() {
  const std::string_view rest = std::string_view(pending_).substr(consumed_);
  FrameHeader header;
  const std::size_t present = std::min(rest.size(), sizeof header.magic);
  if (std::memcmp(rest.data(), &header.magic, present) != 0)
    return failure(ErrorKind::malformed, "what arrived is not a message");
  if (rest.size() < sizeof header) return std::optional<Message>{};
  std::memcpy(static_cast<void*>(&header), rest.data(), sizeof header);
  if (header.header_checksum != checksum_of(header))
    return failure(ErrorKind::malformed, "a message has a damaged header");
  if (header.payload_size > largest_payload)
    return failure(ErrorKind::malformed, "a message claims " + std::to_string(header.payload_size) + " bytes");
  const std::size_t size = static_cast<std::size_t>(header.payload_size);
  if (rest.size() - sizeof header < size) return std::optional<Message>{};
  const std::string_view payload = rest.substr(sizeof header, size);
  if (header.payload_checksum != fowler_noll_vo_1a(payload))
    return failure(ErrorKind::malformed, "a message was damaged on its way");
  consumed_ += sizeof header + size;
  return std::optional<Message>(Message{header.kind, header.ticket, std::string(payload)});
}

}  // namespace assay::inline v0::detail
