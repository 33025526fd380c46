#pragma once

#include "assay/training/detail/exchange_buffer.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Result<void> ExchangeBuffer::reserve(AnyCollective& collective, std::size_t bytes) {
  if (begin_ != nullptr && bytes <= bytes_) return {};
  ExchangeBuffer larger;
  larger.memory_ = collective.memory();
  auto memory = larger.memory_.allocate(bytes);
  if (!memory) return memory.propagate();
  larger.begin_ = memory.value();
  larger.bytes_ = bytes;
  *this = std::move(larger);
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> Exchange::run(CollectiveCall call, const void* from, void* to) {
  const int rank = collective_->rank(), size = collective_->size();
  const std::size_t each = bytes_of(call.type), sent = static_cast<std::size_t>(send_extent(call, rank, size)) * each,
                    received = static_cast<std::size_t>(receive_extent(call, rank, size)) * each;
  for (const auto& [buffer, bytes] : {std::pair{&send_, sent}, std::pair{&receive_, received}})
    if (auto room = buffer->reserve(*collective_, bytes > 0 ? bytes : 1); !room) return room;
  if (auto written = send_.write(from, sent); !written) return written;
  call.send = send_.data();
  call.receive = receive_.data();
  if (auto done = collective_->run(call, deadline_after(deadline_)); !done) return done;
  return receive_.read(to, received);
}

}  // namespace assay::inline v0::detail
