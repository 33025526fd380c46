#pragma once

#include "assay/collectives/in_process/detail/endpoint.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Endpoint::Endpoint(Communicator& communicator, int rank, const CollectiveCall& call,
                                              std::uint64_t number, Deadline deadline)
    : communicator_(communicator),
      rank_(rank),
      type_(call.type),
      reduction_(call.reduction),
      element_bytes_(bytes_of(call.type)),
      deadline_(deadline) {
  place_.communicator = communicator.id();
  place_.call = number;
  place_.operation = call.operation;
  place_.type = call.type;
  chunk_bytes_ = std::max(communicator.options().chunk_bytes / element_bytes_, std::size_t{1}) * element_bytes_;
}

ASSAY_DETAIL_HEADER_INLINE void Endpoint::send_message(int to, const MessageTag& tag, int chunks, ConstBytes data) {
  if (error_) return;
  Seat& mine = communicator_.seat(rank_);
  RankMessage message;
  message.type = type_;
  if (!mine.spare.empty()) {
    message.bytes = std::move(mine.spare.back());
    mine.spare.pop_back();
  }
  message.bytes.resize(data.size());
  if (!data.empty()) std::memcpy(message.bytes.span().data(), data.data(), data.size());
  std::chrono::nanoseconds delay{0};
  if (options().hooks.on_message) {
    InProcessMessage seen{place_, rank_, to, tag.chunk, chunks, message.bytes.span()};
    message.fate = options().hooks.on_message(seen);
    delay = seen.delay;
    if (message.fate == MessageFate::withhold) return;
  }
  if (options().link || options().send_delay_seconds || delay.count() > 0)
    message.ready_at = arrival(to, data.size()) + delay;
  communicator_.deliver(to, tag, std::move(message));
}

ASSAY_DETAIL_HEADER_INLINE std::chrono::steady_clock::time_point Endpoint::arrival(int to, std::size_t bytes) {
  const auto seconds = [](double count) {
    return std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(count));
  };
  auto time = std::chrono::steady_clock::now();
  const int from = communicator_.world_rank(rank_);
  if (options().send_delay_seconds) time += seconds(options().send_delay_seconds(from));
  if (!options().link) return time;
  const EmulatedLink link = options().link(from, communicator_.world_rank(to));
  auto& free = communicator_.seat(rank_).link_free;
  free.resize(static_cast<std::size_t>(size()));
  auto& occupied_until = free[static_cast<std::size_t>(to)];
  occupied_until = std::max(time, occupied_until) + seconds(static_cast<double>(bytes) / link.bytes_per_second);
  return occupied_until + seconds(link.latency_seconds);
}

ASSAY_DETAIL_HEADER_INLINE void Endpoint::pad(MessageBytes& message, std::size_t bytes) {
  MessageBytes padded;
  padded.resize(bytes);
  std::fill_n(padded.memory.get(), bytes, std::byte{});
  std::copy_n(message.memory.get(), std::min(bytes, message.size), padded.memory.get());
  message = std::move(padded);
}

ASSAY_DETAIL_HEADER_INLINE Error Endpoint::mismatch(const MessageTag& tag, const RankMessage& message,
                                                    std::size_t bytes) const {
  const std::string pair = "rank " + std::to_string(tag.from) + " sends ",
                    here = ", which rank " + std::to_string(rank_) + " receives as ";
  const std::string what =
      std::string(name_of(place_.operation)) + " " + std::to_string(tag.call) + " does not match: ";
  if (message.type != type_)
    return {ErrorKind::invalid,
            what + "type: " + pair + std::string(name_of(message.type)) + here + std::string(name_of(type_))};
  return {ErrorKind::invalid, what + "count: " + pair + std::to_string(message.bytes.size / element_bytes_) +
                                  " elements" + here + std::to_string(bytes / element_bytes_)};
}

}  // namespace assay::inline v0::detail
