#pragma once

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <list>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "assay/core/misuse.hpp"
#include "assay/core/result.hpp"
#include "assay/suite/message_channel.hpp"

namespace assay::inline v0 {

/// The processes of an MPI communicator as a `MessageChannel`. Uses a duplicate, so that its messages meet no others.
/// The thread that made it uses it (MPI_THREAD_FUNNELED). It is not waited for unsent messages at its end.
///
/// MPI ends the whole job when a process dies, unless it is told otherwise (Open MPI: `mpirun --enable-recovery`).
class MpiChannel {
 public:
  /// Errors: `invalid` if MPI does not run, `device`.
  [[nodiscard]] static Result<MpiChannel> open(MPI_Comm communicator = MPI_COMM_WORLD) {
    int initialized = 0, finalized = 0;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (initialized == 0 || finalized != 0)
      return failure(ErrorKind::invalid,
                     "MPI does not run; initialize it before the channel is opened, and finalize it after its end");
    MpiChannel channel;
    if (MPI_Comm_dup(communicator, &channel.communicator_) != MPI_SUCCESS)
      return failure(ErrorKind::device, "MPI_Comm_dup failed");
    MPI_Comm_set_errhandler(channel.communicator_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(channel.communicator_, &channel.rank_);
    int size = 0;
    MPI_Comm_size(channel.communicator_, &size);
    channel.lost_.resize(static_cast<std::size_t>(size));
    return channel;
  }

  /// This process, in [0, size()).
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return static_cast<int>(lost_.size()); }
  [[nodiscard]] bool lost(int process) const { return lost_[static_cast<std::size_t>(process)]; }
  /// Whether any process is lost.
  [[nodiscard]] bool any_lost() const { return std::find(lost_.begin(), lost_.end(), true) != lost_.end(); }

  /// Misuse: 2 GiB or more.
  void send(int to, std::string bytes) {
    expect(bytes.size() < std::size_t{std::numeric_limits<int>::max()}, [&] {
      return "a message of " + std::to_string(bytes.size()) + " bytes was to be sent; MPI sends less than 2 GiB";
    });
    forget_sent();
    if (lost(to)) return;
    Outgoing& outgoing = outgoing_.emplace_back(Outgoing{std::move(bytes), MPI_REQUEST_NULL, to});
    if (MPI_Isend(outgoing.bytes.data(), static_cast<int>(outgoing.bytes.size()), MPI_BYTE, to, tag, communicator_,
                  &outgoing.request) != MPI_SUCCESS) {
      lost_[static_cast<std::size_t>(to)] = true;
      outgoing_.pop_back();
    }
  }

  [[nodiscard]] std::optional<ReceivedMessage> receive(std::chrono::milliseconds patience) {
    const auto until = std::chrono::steady_clock::now() + patience;
    for (;;) {
      forget_sent();
      int there = 0;
      MPI_Message message;
      MPI_Status status;
      if (MPI_Improbe(MPI_ANY_SOURCE, tag, communicator_, &there, &message, &status) == MPI_SUCCESS && there != 0)
        return take(message, status);
      if (std::chrono::steady_clock::now() >= until) return std::nullopt;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }

 private:
  static constexpr int tag = 1;

  struct Outgoing {
    std::string bytes;
    MPI_Request request;
    int to;
  };

  MpiChannel() = default;

  [[nodiscard]] std::optional<ReceivedMessage> take(MPI_Message message, const MPI_Status& status) {
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    ReceivedMessage received{status.MPI_SOURCE, std::string(static_cast<std::size_t>(size), '\0')};
    if (MPI_Mrecv(received.bytes.data(), size, MPI_BYTE, &message, MPI_STATUS_IGNORE) == MPI_SUCCESS) return received;
    lost_[static_cast<std::size_t>(received.from)] = true;
    return std::nullopt;
  }

  void forget_sent() {
    for (auto entry = outgoing_.begin(); entry != outgoing_.end();) {
      int done = 0;
      if (MPI_Test(&entry->request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
        lost_[static_cast<std::size_t>(entry->to)] = true;
        done = 1;
      }
      entry = done != 0 ? outgoing_.erase(entry) : std::next(entry);
    }
  }

  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0;
  std::vector<bool> lost_;
  std::list<Outgoing> outgoing_;  // the bytes stay where they are until they are sent
};

static_assert(MessageChannel<MpiChannel>);

}  // namespace assay::inline v0
