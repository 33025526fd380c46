#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "assay/core/process/file_descriptor.hpp"
#include "assay/suite/detail/frame.hpp"
#include "assay/suite/detail/worker_process.hpp"

namespace assay::inline v0::detail {

/// What the runner knows of one worker.
class Worker {
 public:
  using Clock = std::chrono::steady_clock;

  /// An attempt at a case that the worker was given. It works them off in this order.
  struct Assignment {
    std::uint64_t ticket = 0;
    std::size_t turn = 0;  ///< position in the run
  };

  explicit Worker(WorkerProcess started) : process(std::move(started)) {}

  WorkerProcess process;
  std::deque<Assignment> assigned;
  bool ready = false;                      ///< it has said that it serves cases
  bool running = false;                    ///< it has begun with the first assignment
  Clock::time_point since = Clock::now();  ///< of its start, or of the running case's
  double latest_seconds = 1e9;             ///< that the latest case took
  std::size_t performed = 0;
  std::string latest_case;
  std::optional<Clock::time_point> closed_at;  ///< when its end of the channel was found closed

  [[nodiscard]] bool has_unsent() const noexcept { return !outgoing_.empty(); }

  void send(MessageKind kind, std::uint64_t ticket, const std::string& payload) {
    append_frame(outgoing_, kind, ticket, payload);
    flush();
  }

  /// Sends as much as goes without waiting. That nobody reads shows when we read.
  void flush();

  /// Takes what has arrived without waiting, up to a few MiB at a time: a worker that floods us must not keep us from
  /// the others.
  void receive();
  [[nodiscard]] Result<std::optional<Message>> next_message() { return incoming_.next(); }

 private:
  FrameReader incoming_;
  std::string outgoing_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/suite/detail/worker.ipp"
#endif
