#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "assay/core/result.hpp"
#include "assay/suite/seed.hpp"

namespace assay::inline v0::detail {

/// What travels between a runner and its workers.
enum class MessageKind : std::uint32_t {
  ready = 1,  ///< worker → runner, once: it serves cases
  perform,    ///< runner → worker: a `CaseRequest`
  started,    ///< worker → runner: it begins with the case of this ticket
  performed   ///< worker → runner: the outcome of the case of this ticket
};

struct Message {
  MessageKind kind = MessageKind::ready;
  std::uint64_t ticket = 0;  ///< names one attempt at one case
  std::string payload;
};

/// What stands before each payload. Header and payload are checked apart, so that a damaged size is found before
/// anybody waits for so many bytes.
struct FrameHeader {
  std::uint32_t magic = expected_magic;
  MessageKind kind = MessageKind::ready;
  std::uint64_t ticket = 0;
  std::uint64_t payload_size = 0;
  std::uint64_t payload_checksum = 0;
  std::uint64_t header_checksum = 0;  ///< of what stands before it

  static constexpr std::uint32_t expected_magic = 0xA55A1001;  ///< the last digits are the version of the protocol
};
static_assert(sizeof(FrameHeader) == 40, "a header without padding");

inline constexpr std::size_t largest_payload = std::size_t{64} << 20;

[[nodiscard]] inline std::uint64_t checksum_of(const FrameHeader& header) {
  char raw[offsetof(FrameHeader, header_checksum)];
  std::memcpy(raw, &header, sizeof raw);
  return fowler_noll_vo_1a({raw, sizeof raw});
}

/// Appends the message to `bytes`. Precondition: the payload is no larger than `largest_payload`.
void append_frame(std::string& bytes, MessageKind kind, std::uint64_t ticket, std::string_view payload);

/// Cuts a stream of bytes into messages.
class FrameReader {
 public:
  void add(std::string_view bytes) {
    pending_.erase(0, consumed_);
    consumed_ = 0;
    pending_ += bytes;
  }

  /// The next message if it is here as a whole. Fails (malformed) where the stream is not one of messages; there is no
  /// way on after that.
  [[nodiscard]] Result<std::optional<Message>> next();

 private:
  std::string pending_;
  std::size_t consumed_ = 0;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/suite/detail/frame.ipp"
#endif
