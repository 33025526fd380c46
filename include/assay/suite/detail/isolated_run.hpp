#pragma once

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/printed_number.hpp"
#include "assay/core/result.hpp"
#include "assay/suite/detail/case_ledger.hpp"
#include "assay/suite/detail/case_request.hpp"
#include "assay/suite/detail/crash_outcome.hpp"
#include "assay/suite/detail/worker.hpp"
#include "assay/suite/isolation_options.hpp"

namespace assay::inline v0::detail {

/// One isolated run: deals the cases out to workers, hears what came of them, watches their time and memory, and
/// replaces the workers that end. One thread, which sleeps in poll() while there is nothing to do.
class IsolatedRun {
 public:
  IsolatedRun(const Suite& suite, CaseLedger& ledger, const RunOptions& options, const IsolationOptions& isolation)
      : suite_(suite), ledger_(ledger), options_(options), isolation_(isolation) {
    for (std::size_t turn = 0; turn < ledger.size(); ++turn) waiting_.push_back(turn);
  }

  /// Returns when all cases are finished or, after a stop request, those that had begun.
  void run();

 private:
  using Clock = Worker::Clock;
  using Duration = Clock::duration;

  static constexpr unsigned most_fruitless_starts = 3;
  static constexpr std::chrono::milliseconds pause_after_fruitless_start{50};
  static constexpr std::chrono::milliseconds inspection_interval{50}, memory_inspection_interval{10};
  /// How long a process may take to end after it has closed its channel, and after it was told that no more cases come.
  static constexpr std::chrono::milliseconds patience_with_closed_channel{500}, patience_with_leaving{2000};
  /// Waking another process takes as long as a short case. So a worker with short cases gets requests for this long
  /// ahead, and while all workers have enough to do the runner sleeps instead of being woken by each.
  static constexpr double seconds_ahead = 4e-3;
  static constexpr std::size_t most_ahead = 64;
  static constexpr std::chrono::milliseconds nap{1};

  [[nodiscard]] bool stopping() const { return stop_requested(options_); }
  [[nodiscard]] static Duration duration_of(double seconds) {
    return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(std::min(seconds, 1e9)));
  }

  // Workers come and go.

  void hire();

  [[nodiscard]] std::vector<int> descriptors() const;

  void fruitless_start(std::string reason) {
    ++fruitless_starts_;
    next_start_ = Clock::now() + fruitless_starts_ * pause_after_fruitless_start;
    latest_fruitless_ = std::move(reason);
  }

  [[nodiscard]] std::string why_no_worker_starts() const {
    const std::string what =
        isolation_.command.empty() ? std::string("a worker") : "a worker, '" + isolation_.command.front() + "',";
    return "no case can be run: " + what + " failed to start " + std::to_string(fruitless_starts_) +
           " times in a row, at last because " + latest_fruitless_;
  }

  void refuse_waiting(const std::string& reason);

  template <class Predicate>
  void dismiss_if(const Predicate& predicate) {
    for (std::size_t i = workers_.size(); i-- > 0;) {
      if (!predicate(*workers_[i])) continue;
      put_back(*workers_[i]);
      workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  /// Lets a worker that has nothing to do end by itself.
  void let_go(std::size_t index) {
    workers_[index]->process.close_channel();
    workers_[index]->since = Clock::now();
    leaving_.push_back(std::move(workers_[index]));
    workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(index));
  }

  void put_back(Worker& worker) {
    for (; !worker.assigned.empty(); worker.assigned.pop_back()) waiting_.push_front(worker.assigned.back().turn);
    worker.running = false;
  }

  void farewell();

  void bury_leaving() {
    std::erase_if(leaving_, [](const std::unique_ptr<Worker>& worker) {
      return worker->process.ended().has_value() || Clock::now() - worker->since > patience_with_leaving;
    });
  }

  // Cases go out, outcomes come in.

  void deal_out();

  /// How many requests a worker shall hold: not so many that others have nothing to do if the next case takes long.
  [[nodiscard]] std::size_t queue_length(const Worker& worker) const {
    const double by_time = 1 + seconds_ahead / std::max(worker.latest_seconds, 1e-6);
    const std::size_t fair = 1 + waiting_.size() / (2 * workers_.size());
    return std::min({static_cast<std::size_t>(std::min(by_time, double{most_ahead})), fair, most_ahead});
  }

  [[nodiscard]] bool has_enough_to_do(const Worker& worker) const {
    const double seconds = static_cast<double>(worker.assigned.size()) * worker.latest_seconds;
    const bool is_late = Clock::now() - worker.since > 4 * nap;
    return worker.running && worker.assigned.size() > 1 && !worker.closed_at && !is_late &&
           seconds > 2 * std::chrono::duration<double>(nap).count();
  }

  [[nodiscard]] bool is_used_up(const Worker& worker) const {
    return isolation_.recycle_after > 0 && worker.performed + worker.assigned.size() >= isolation_.recycle_after;
  }

  void assign(Worker& worker);

  /// Sleeps until something arrives or is due.
  void wait();

  /// Hears a worker, and buries it if it is dead or has to be killed.
  void attend_to(std::size_t index);

  /// Takes what has arrived. Returns why the worker must be killed if it makes no sense.
  [[nodiscard]] std::optional<Ending> hear(Worker& worker);

  [[nodiscard]] Result<void> take(Worker& worker, Message message);

  /// Enters the outcome of the attempt that the worker was at.
  void finish_first(Worker& worker, Outcome outcome);

  // Limits.

  [[nodiscard]] std::optional<Duration> time_limit(const Worker& worker) const {
    const double seconds = worker.running ? isolation_.timeout_seconds : worker.ready ? 0 : isolation_.start_seconds;
    return seconds > 0 ? std::optional(duration_of(seconds)) : std::nullopt;
  }

  [[nodiscard]] std::optional<Ending> overdue(const Worker& worker) const {
    const auto limit = time_limit(worker);
    if (!limit || Clock::now() - worker.since < *limit) return std::nullopt;
    return Ending{Ending::Kind::timeout, 0, printed_number(std::chrono::duration<double>(*limit).count()) + " s"};
  }

  [[nodiscard]] std::optional<Ending> over_memory(const Worker& worker) const;

  /// What no message tells: memory, output without end, and a death while a grandchild keeps the channel open.
  void inspect();

  /// Ends a worker. The case that it was at has failed with it; those that it had not begun with go to others.
  void bury(std::size_t index, Ending ending);

  const Suite& suite_;
  CaseLedger& ledger_;
  const RunOptions& options_;
  const IsolationOptions& isolation_;
  std::deque<std::size_t> waiting_;  ///< turns
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::unique_ptr<Worker>> leaving_;
  std::uint64_t latest_ticket_ = 0;
  unsigned fruitless_starts_ = 0;
  std::string latest_fruitless_;
  Clock::time_point next_start_{};
  Clock::time_point next_inspection_{};
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/suite/detail/isolated_run.ipp"
#endif
