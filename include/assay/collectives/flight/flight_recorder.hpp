#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "assay/collectives/collective_call.hpp"
#include "assay/collectives/flight/detail/flight_memory.hpp"
#include "assay/collectives/flight/detail/process_identity.hpp"
#include "assay/collectives/flight/rank_flight.hpp"
#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

/// Where one rank notes its operations: a ring of fixed size, so that the latest are always there and memory is
/// bounded.
///
/// On the heap, or on a file that outlives the process (`FlightBoard::recorder`). Writing takes no lock and no system
/// call: some 150 ns an operation, 40 of them two readings of the clock. Threads may write at the same time, each its
/// own operations; anybody may read meanwhile. Precondition: fewer operations at a time are under way than `capacity`,
/// and no thread sleeps within a call of `enter` while others note as many: its record is torn then. Movable; a file is
/// closed in order by the destructor, which is how readers know an end from a death.
class FlightRecorder {
 public:
  /// What `enter` gave, and `leave` takes.
  struct Ticket {
    std::uint64_t position = 0;  ///< of the record in the ring
    std::uint64_t sequence = 0;  ///< of the call on its communicator
  };

  /// On the heap. Misuse: a rank outside [0, size), no capacity.
  explicit FlightRecorder(int rank, int size, std::size_t capacity = 1024)
      : FlightRecorder(zeroed(capacity), capacity, rank, size, {}) {}

  /// On memory of `detail::flight_bytes(capacity)` zeroes, which lives as long as it is held.
  FlightRecorder(std::shared_ptr<void> memory, std::size_t capacity, int rank, int size, std::string_view run);

  FlightRecorder(FlightRecorder&&) noexcept = default;
  /// Ends this record, and takes over the other.
  FlightRecorder& operator=(FlightRecorder&& other) noexcept {
    close();
    shared_ = std::move(other.shared_);
    return *this;
  }
  ~FlightRecorder() { close(); }

  /// The rank that is recorded.
  [[nodiscard]] int rank() const { return static_cast<int>(shared_->header->rank); }
  /// How many ranks the run has.
  [[nodiscard]] int size() const { return static_cast<int>(shared_->header->size); }

  /// Makes this rank a member of a communicator and returns its number. Ranks of one communicator give the same name,
  /// those of another another one; a name that this rank has given before gets ".2" appended, then ".3". Errors:
  /// `invalid`: a name longer than 40 bytes, or more than 48 communicators.
  [[nodiscard]] Result<int> join(std::string_view communicator, int rank, int size);

  /// Notes that the rank calls an operation. `sent_number`, `received_number`: of a send_receive, see `FlightRecord`.
  /// O(1), O(size) for all_to_all_v.
  Ticket enter(int communicator, const CollectiveCall& call, std::uint64_t sent_number = 0,
               std::uint64_t received_number = 0) noexcept;

  /// Notes how it ended. False if somebody else, the watchdog, had noted an end before, which stays. O(1).
  bool leave(Ticket ticket, FlightState state, ErrorKind error = ErrorKind::device) noexcept;

  /// Notes that the process still lives.
  void sign_of_life() noexcept {
    shared_->header->last_seen_at.store(static_cast<std::uint64_t>(detail::steady_nanoseconds()),
                                        std::memory_order_relaxed);
  }

  /// What was recorded, as of now. O(capacity).
  [[nodiscard]] RankFlight flight() const {
    RankFlight flight = detail::read_flight(*shared_->header, shared_->slots).flight;
    flight.life = ProcessLife::alive;
    return flight;
  }

 private:
  struct Shared {
    std::shared_ptr<void> memory;
    detail::FlightHeader* header = nullptr;
    detail::FlightSlot* slots = nullptr;
    std::mutex joining;
  };

  [[nodiscard]] static std::shared_ptr<void> zeroed(std::size_t capacity);

  void close() noexcept {
    if (shared_ != nullptr) shared_->header->closed.store(1, std::memory_order_release);
  }

  std::unique_ptr<Shared> shared_;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/flight/flight_recorder.ipp"
#endif
