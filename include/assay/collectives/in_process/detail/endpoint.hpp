#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/in_process/detail/communicator.hpp"
#include "assay/collectives/in_process/reduce_elements.hpp"

namespace assay::inline v0::detail {

using Bytes = std::span<std::byte>;
using ConstBytes = std::span<const std::byte>;

/// One rank in one call: sends and receives for the algorithms. The first failure stays; after it nothing is sent or
/// waited for, so that algorithms need not look.
class Endpoint {
 public:
  Endpoint(Communicator& communicator, int rank, const CollectiveCall& call, std::uint64_t number, Deadline deadline);

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return communicator_.size(); }
  [[nodiscard]] std::size_t element_bytes() const { return element_bytes_; }
  [[nodiscard]] const InProcessPlace& place() const { return place_; }
  [[nodiscard]] const InProcessOptions& options() const { return communicator_.options(); }
  [[nodiscard]] bool has_failed() const { return error_.has_value(); }
  [[nodiscard]] Result<void> result() const {
    return error_ ? Result<void>(failure(error_->kind, error_->message)) : Result<void>();
  }

  struct Stage {
    AlgorithmPhase phase = AlgorithmPhase::exchange;
    int level = 0;
    int number = 0;
  };
  /// Says what the messages that follow belong to; every rank enters the same phases in the same order.
  Stage enter(AlgorithmPhase phase, int level = 0) {
    resume({phase, level, ++stages_});
    return stage_;
  }
  void resume(const Stage& stage) {
    stage_ = stage;
    place_.phase = stage.phase;
    place_.level = stage.level;
  }

  [[nodiscard]] int chunks_of(std::size_t bytes) const {
    return static_cast<int>((bytes + chunk_bytes_ - 1) / chunk_bytes_);
  }

  void send(int to, int step, ConstBytes data) {
    for (int chunk = 0; chunk < chunks_of(data.size()); ++chunk) send_chunk(to, step, chunk, data);
  }
  void receive(int from, int step, Bytes into) {
    for (int chunk = 0; chunk < chunks_of(into.size()); ++chunk) receive_chunk(from, step, chunk, into);
  }
  void receive_and_reduce(int from, int step, Bytes into) {
    for (int chunk = 0; chunk < chunks_of(into.size()); ++chunk) reduce_chunk(from, step, chunk, into);
  }

  void send_chunk(int to, int step, int chunk, ConstBytes data) {
    send_message(to, tag(rank_, step, chunk), chunks_of(data.size()), part(data, chunk));
  }
  void receive_chunk(int from, int step, int chunk, Bytes into) {
    const Bytes target = part(into, chunk);
    take(tag(from, step, chunk), target.size(),
         [&](ConstBytes received) { std::memcpy(target.data(), received.data(), received.size()); });
  }
  void reduce_chunk(int from, int step, int chunk, Bytes into) {
    const Bytes target = part(into, chunk);
    take(tag(from, step, chunk), target.size(), [&](ConstBytes received) { reduce(from, target, received); });
  }

  /// Message `number` from this rank to another, apart from all collective calls; of any length, without chunks.
  void send_point_to_point(int to, std::uint64_t number, ConstBytes data) {
    send_message(to, point_to_point_tag(rank_, number), 1, data);
  }
  void receive_point_to_point(int from, std::uint64_t number, Bytes into) {
    take(point_to_point_tag(from, number), into.size(), [&](ConstBytes received) {
      if (!received.empty()) std::memcpy(into.data(), received.data(), received.size());
    });
  }

  /// A message without data.
  void signal(int to, int step) { send_message(to, tag(rank_, step, 0), 1, {}); }
  void await_signal(int from, int step) {
    take(tag(from, step, 0), 0, [](ConstBytes) {});
  }

 private:
  [[nodiscard]] MessageTag tag(int from, int step, int chunk) {
    place_.step = step;
    return {false, place_.call, place_.phase, place_.level, step, chunk, from, stage_.number};
  }
  [[nodiscard]] MessageTag point_to_point_tag(int from, std::uint64_t number) {
    place_.call = number;
    return {true, number, AlgorithmPhase::exchange, 0, 0, 0, from, 0};
  }
  template <class Byte>
  [[nodiscard]] std::span<Byte> part(std::span<Byte> data, int chunk) const {
    const std::size_t first = static_cast<std::size_t>(chunk) * chunk_bytes_;
    return data.subspan(first, std::min(chunk_bytes_, data.size() - first));
  }

  void send_message(int to, const MessageTag& tag, int chunks, ConstBytes data);

  [[nodiscard]] std::chrono::steady_clock::time_point arrival(int to, std::size_t bytes);

  template <class Use>
  void take(const MessageTag& tag, std::size_t bytes, const Use& use) {
    if (error_) return;
    auto taken = communicator_.take(rank_, tag, deadline_);
    if (!taken) {
      error_ = taken.error();
      return;
    }
    RankMessage& message = taken.value();
    if (options().check_calls && (message.bytes.size != bytes || message.type != type_)) {
      error_ = communicator_.break_with(mismatch(tag, message, bytes));
      return;
    }
    if (message.bytes.size != bytes) pad(message.bytes, bytes);
    if (message.fate != MessageFate::lose) use(message.bytes.span());
    if (message.fate == MessageFate::duplicate) use(message.bytes.span());
    if (Seat& mine = communicator_.seat(rank_); mine.spare.size() < 64) mine.spare.push_back(std::move(message.bytes));
  }

  /// Cut off, or filled up by zeros.
  static void pad(MessageBytes& message, std::size_t bytes);

  [[nodiscard]] Error mismatch(const MessageTag& tag, const RankMessage& message, std::size_t bytes) const;

  void reduce(int from, Bytes into, ConstBytes with) {
    const auto count = static_cast<Index>(into.size() / element_bytes_);
    if (options().hooks.on_reduce &&
        options().hooks.on_reduce({place_, rank_, from, reduction_, into.data(), with.data(), count}))
      return;
    reduce_elements(type_, reduction_, into.data(), with.data(), count);
  }

  Communicator& communicator_;
  int rank_;
  ElementType type_;
  ReductionOperator reduction_;
  std::size_t element_bytes_, chunk_bytes_ = 0;
  Deadline deadline_;
  InProcessPlace place_;
  Stage stage_;
  int stages_ = 0;
  std::optional<Error> error_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/in_process/detail/endpoint.ipp"
#endif
