#pragma once

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/coordinator.hpp"
#include "assay/collectives/detail/mpi_support.hpp"

namespace assay::inline v0 {

/// Agreement by messages through rank 0, on a communicator of its own, beside those under test. Every rank gets the
/// same answer, the late ones included: they find themselves absent in it. An exchange ends at the earliest deadline of
/// those who came. If rank 0 itself does not come, the others get `io` a second after their deadlines.
class MpiCoordinator final : public Coordinator {
 public:
  /// Collective over `communicator`, which is duplicated. Errors: `invalid` if MPI does not run, `device`.
  [[nodiscard]] static Result<std::unique_ptr<MpiCoordinator>> create(MPI_Comm communicator) {
    auto own = detail::duplicate_communicator(communicator);
    if (!own) return own.propagate();
    std::unique_ptr<MpiCoordinator> made(new MpiCoordinator);
    made->communicator_ = own.value();
    MPI_Comm_rank(made->communicator_, &made->rank_);
    MPI_Comm_size(made->communicator_, &made->size_);
    return made;
  }
  MpiCoordinator(const MpiCoordinator&) = delete;
  MpiCoordinator& operator=(const MpiCoordinator&) = delete;
  ~MpiCoordinator() override {
    sweep();
    if (outgoing_.empty() && detail::expect_mpi_runs()) MPI_Comm_free(&communicator_);
    for (Message& message : outgoing_) static_cast<void>(new Message(std::move(message)));  // MPI still reads it
  }

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }

  [[nodiscard]] Result<std::vector<std::optional<std::string>>> exchange(std::string mine, Deadline deadline) override {
    if (auto runs = detail::expect_mpi_runs(); !runs) return runs.propagate();
    sweep();
    const std::uint64_t number = exchanges_++;
    return rank_ == 0 ? collect(number, std::move(mine), deadline) : take_part(number, mine, deadline);
  }

 private:
  using Texts = std::vector<std::optional<std::string>>;
  using Milliseconds = std::chrono::milliseconds;
  static constexpr int to_root = 1, from_root = 2;
  static constexpr std::chrono::seconds grace{1};
  /// A second after a deadline, which may be the last time there is.
  [[nodiscard]] static Deadline with_grace(Deadline deadline) {
    return deadline < Deadline::max() - grace ? deadline + grace : deadline;
  }

  struct Message {
    std::unique_ptr<std::string> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  MpiCoordinator() = default;

  static void put(std::string& bytes, std::uint64_t number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  static std::optional<std::uint64_t> take(const std::string& bytes, std::size_t& at) {
    std::uint64_t number = 0;
    if (bytes.size() - at < sizeof number) return std::nullopt;
    std::memcpy(&number, bytes.data() + at, sizeof number);
    at += sizeof number;
    return number;
  }

  /// Begins to send; what is not gone at once is kept until it is.
  Result<void> post(std::string bytes, int to, int tag) {
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      return failure(ErrorKind::unsupported, "the texts of all ranks have " + std::to_string(bytes.size()) +
                                                 " bytes, more than a message takes; exchange less than 2 GiB");
    Message& message =
        outgoing_.emplace_back(Message{std::make_unique<std::string>(std::move(bytes)), MPI_REQUEST_NULL});
    return detail::check_mpi("MPI_Isend", MPI_Isend(message.bytes->data(), static_cast<int>(message.bytes->size()),
                                                    MPI_BYTE, to, tag, communicator_, &message.request));
  }

  /// Lets go of what has gone.
  void sweep() {
    outgoing_.remove_if([](Message& message) {
      int complete = 0;
      return MPI_Test(&message.request, &complete, MPI_STATUS_IGNORE) == MPI_SUCCESS && complete != 0;
    });
  }

  /// A message that has come, if one has; the wait for the rest of it ends at the deadline.
  Result<std::optional<std::pair<int, std::string>>> receive(int from, int tag, Deadline deadline) {
    using Received = std::optional<std::pair<int, std::string>>;
    int there = 0;
    MPI_Message handle = MPI_MESSAGE_NULL;
    MPI_Status status{};
    if (auto probed = detail::check_mpi("MPI_Improbe", MPI_Improbe(from, tag, communicator_, &there, &handle, &status));
        !probed)
      return probed.propagate();
    if (there == 0) return Received();
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    auto bytes = std::make_unique<std::string>(static_cast<std::size_t>(count), '\0');
    MPI_Request request = MPI_REQUEST_NULL;
    if (auto begun = detail::check_mpi("MPI_Imrecv", MPI_Imrecv(bytes->data(), count, MPI_BYTE, &handle, &request));
        !begun)
      return begun.propagate();
    auto ended = detail::wait_for(&request, 1, deadline);
    if (!ended) return ended.propagate();
    if (ended.value() == detail::MpiWait::late) {
      outgoing_.push_back({std::move(bytes), request});
      return Received();
    }
    return Received(std::pair(status.MPI_SOURCE, std::move(*bytes)));
  }

  Result<Texts> collect(std::uint64_t number, std::string mine, Deadline deadline) {
    Texts texts(static_cast<std::size_t>(size_));
    texts[0] = std::move(mine);
    int missing = size_ - 1;
    for (auto early = early_.begin(); early != early_.end();) {
      const bool now = early->number == number;
      if (now) accept(texts, missing, deadline, *early);
      early = now || early->number < number ? early_.erase(early) : std::next(early);
    }
    detail::Pause pause;
    while (missing > 0 && !has_passed(deadline)) {
      auto received = receive(MPI_ANY_SOURCE, to_root, with_grace(deadline));
      if (!received) return received.propagate();
      if (!received.value()) {
        pause();
        continue;
      }
      auto& [rank, bytes] = *received.value();
      std::size_t at = 0;
      const auto sent = take(bytes, at), remaining = take(bytes, at);
      if (!sent || !remaining)
        return failure(ErrorKind::io, "rank " + std::to_string(rank) + " sent what is no part of an exchange");
      Arrival arrival{*sent, rank, *remaining, std::move(bytes)};
      if (arrival.number == number)
        accept(texts, missing, deadline, arrival);
      else if (arrival.number > number)
        early_.push_back(std::move(arrival));
    }
    return answer(number, std::move(texts));
  }

  struct Arrival {
    std::uint64_t number = 0;
    int rank = 0;
    std::uint64_t remaining = 0;  ///< milliseconds to the sender's deadline, when it sent
    std::string bytes;
  };

  static void accept(Texts& texts, int& missing, Deadline& deadline, Arrival& arrival) {
    texts[static_cast<std::size_t>(arrival.rank)] = arrival.bytes.substr(2 * sizeof(std::uint64_t));
    --missing;
    deadline = std::min(deadline, deadline_after(Milliseconds(arrival.remaining)));
  }

  Result<Texts> answer(std::uint64_t number, Texts texts) {
    std::string bytes;
    put(bytes, number);
    for (const auto& text : texts) {
      put(bytes, text ? text->size() + 1 : 0);
      if (text) bytes += *text;
    }
    for (int to = 1; to < size_; ++to)
      if (auto posted = post(bytes, to, from_root); !posted) return posted.propagate();
    sweep();
    return texts;
  }

  Result<Texts> take_part(std::uint64_t number, const std::string& mine, Deadline deadline) {
    const auto remaining =
        std::chrono::duration_cast<Milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    std::string bytes;
    put(bytes, number);
    put(bytes, static_cast<std::uint64_t>(
                   std::clamp<decltype(remaining)>(remaining, 0, Milliseconds(std::chrono::hours(24 * 365)).count())));
    bytes += mine;
    if (auto posted = post(std::move(bytes), 0, to_root); !posted) return posted.propagate();
    detail::Pause pause;
    do {
      auto received = receive(0, from_root, with_grace(deadline));
      if (!received) return received.propagate();
      if (received.value()) {
        std::size_t at = 0;
        const std::string& all = received.value()->second;
        if (take(all, at) == number) return texts_of(all, at);
        continue;  // the answer to an exchange that this rank gave up
      }
      sweep();
      pause();
    } while (!has_passed(with_grace(deadline)));
    return failure(ErrorKind::io, "rank 0, through which ranks exchange, did not answer rank " + std::to_string(rank_) +
                                      " in time: it did not come, or it is dead or stuck");
  }

  Result<Texts> texts_of(const std::string& bytes, std::size_t at) const {
    Texts texts(static_cast<std::size_t>(size_));
    for (auto& text : texts) {
      const auto length = take(bytes, at);
      if (!length || bytes.size() - at + 1 < *length)
        return failure(ErrorKind::io, "rank 0 sent what is no answer of an exchange");
      if (*length == 0) continue;
      text = bytes.substr(at, *length - 1);
      at += *length - 1;
    }
    return texts;
  }

  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  std::uint64_t exchanges_ = 0;
  std::list<Message> outgoing_;
  std::vector<Arrival> early_;
};

}  // namespace assay::inline v0
