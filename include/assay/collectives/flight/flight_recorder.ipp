#pragma once

#include "assay/collectives/flight/flight_recorder.hpp"

#include <new>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE FlightRecorder::FlightRecorder(std::shared_ptr<void> memory, std::size_t capacity, int rank,
                                                          int size, std::string_view run)
    : shared_(std::make_unique<Shared>()) {
  expect(size >= 1 && rank >= 0 && rank < size && capacity >= 1, [&] {
    return "a flight recorder was asked for by rank " + std::to_string(rank) + " of " + std::to_string(size) + " for " +
           std::to_string(capacity) + " records; ranks count from 0, and a record is needed";
  });
  shared_->memory = std::move(memory);
  auto* bytes = static_cast<unsigned char*>(shared_->memory.get());
  detail::FlightHeader& header = *new (bytes) detail::FlightHeader{};
  shared_->header = &header;
  shared_->slots = new (bytes + detail::flight_header_bytes) detail::FlightSlot[capacity];
  const detail::ProcessIdentity self = detail::this_process();
  header.slot_bytes = sizeof(detail::FlightSlot);
  header.capacity = capacity;
  header.rank = rank;
  header.size = size;
  header.process = self.number;
  header.process_started = self.started;
  header.process_space = self.space;
  header.clock_offset = flight_time_now() - detail::steady_nanoseconds();
  detail::set_text(header.host, self.host);
  detail::set_text(header.boot, self.boot);
  detail::set_text(header.run, run);
  header.magic = detail::flight_magic;
  header.check = header.computed_check();
  sign_of_life();
}

ASSAY_DETAIL_HEADER_INLINE Result<int> FlightRecorder::join(std::string_view communicator, int rank, int size) {
  const std::lock_guard<std::mutex> lock(shared_->joining);
  detail::FlightHeader& header = *shared_->header;
  const std::uint64_t known = header.communicators.load(std::memory_order_relaxed);
  if (communicator.empty() || communicator.size() > 40)
    return failure(ErrorKind::invalid,
                   "a communicator to record was named '" + std::string(communicator) + "'; names have 1 to 40 bytes");
  if (known >= detail::most_flight_communicators)
    return failure(ErrorKind::invalid, "communicator '" + std::string(communicator) +
                                           "' is one too many: a flight recorder takes " + std::to_string(known) +
                                           "; give it a recorder of its own");
  std::string name(communicator);
  const auto given = [&] {
    for (std::uint64_t i = 0; i < known; ++i)
      if (detail::field_text(header.communicator[i].name) == name) return true;
    return false;
  };
  for (int time = 2; given(); ++time) name = std::string(communicator) + "." + std::to_string(time);
  detail::FlightCommunicator& own = header.communicator[known];
  detail::set_text(own.name, name);
  own.rank = rank;
  own.size = size;
  header.communicators.store(known + 1, std::memory_order_release);
  return static_cast<int>(known);
}

ASSAY_DETAIL_HEADER_INLINE FlightRecorder::Ticket FlightRecorder::enter(int communicator, const CollectiveCall& call,
                                                                        std::uint64_t sent_number,
                                                                        std::uint64_t received_number) noexcept {
  constexpr auto relaxed = std::memory_order_relaxed;
  using detail::FlightSlot;
  detail::FlightHeader& header = *shared_->header;
  detail::FlightCommunicator& own = header.communicator[communicator];
  const bool point_to_point = call.operation == CollectiveOperation::send_receive;
  const std::uint64_t position = header.next.fetch_add(1, relaxed);
  FlightSlot& slot = shared_->slots[position % header.capacity];
  const Ticket ticket{position,
                      (point_to_point ? own.point_to_point_sequence : own.sequence).fetch_add(1, relaxed) + 1};
  std::uint64_t turn = slot.turn.load(relaxed);
  do {
    if (turn / 8 > position) return ticket;  // a thread that slept while others went round the ring
  } while (
      !slot.turn.compare_exchange_weak(turn, position * 8 + FlightSlot::writing, std::memory_order_acq_rel, relaxed));
  Index sent = call.count, received = 0;
  if (call.operation == CollectiveOperation::all_to_all_v) {
    sent = 0;
    for (const Index count : call.sent.counts) sent += count;
    for (const Index count : call.received.counts) received += count;
  }
  slot.entered_at.store(static_cast<std::uint64_t>(detail::steady_nanoseconds()), relaxed);
  slot.ended_at.store(0, relaxed);
  slot.error.store(0, relaxed);
  slot.sequence.store(ticket.sequence, relaxed);
  slot.count.store(static_cast<std::uint64_t>(sent), relaxed);
  slot.received_count.store(static_cast<std::uint64_t>(received), relaxed);
  slot.sent_number.store(sent_number, relaxed);
  slot.received_number.store(received_number, relaxed);
  slot.place.store(detail::packed_pair(communicator, call.root), relaxed);
  slot.peers.store(detail::packed_pair(call.destination, call.source), relaxed);
  slot.kinds.store(static_cast<std::uint64_t>(call.operation) | static_cast<std::uint64_t>(call.type) << 8 |
                       static_cast<std::uint64_t>(call.reduction) << 16,
                   relaxed);
  slot.check.store(slot.computed_check(position), relaxed);
  turn = position * 8 + FlightSlot::writing;
  slot.turn.compare_exchange_strong(turn, position * 8 + FlightSlot::first_state, std::memory_order_release, relaxed);
  return ticket;
}

ASSAY_DETAIL_HEADER_INLINE bool FlightRecorder::leave(Ticket ticket, FlightState state, ErrorKind error) noexcept {
  using detail::FlightSlot;
  FlightSlot& slot = shared_->slots[ticket.position % shared_->header->capacity];
  std::uint64_t entered = ticket.position * 8 + FlightSlot::first_state;
  if (slot.turn.load(std::memory_order_relaxed) != entered) return false;
  const auto now = static_cast<std::uint64_t>(detail::steady_nanoseconds());
  slot.ended_at.store(now, std::memory_order_relaxed);
  slot.error.store(static_cast<std::uint64_t>(error), std::memory_order_relaxed);
  shared_->header->last_seen_at.store(now, std::memory_order_relaxed);
  return slot.turn.compare_exchange_strong(entered, entered + static_cast<std::uint64_t>(state),
                                           std::memory_order_release, std::memory_order_relaxed);
}

ASSAY_DETAIL_HEADER_INLINE std::shared_ptr<void> FlightRecorder::zeroed(std::size_t capacity) {
  const std::size_t bytes = detail::flight_bytes(capacity);
  std::shared_ptr<void> memory(::operator new (bytes, std::align_val_t{128}),
                               [](void* at) { ::operator delete (at, std::align_val_t{128}); });
  std::memset(memory.get(), 0, bytes);
  return memory;
}

}  // namespace assay::inline v0
