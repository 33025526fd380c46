#pragma once

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "assay/core/detail/printed_number.hpp"
#include "assay/core/result.hpp"
#include "assay/suite/detail/case_ledger.hpp"
#include "assay/suite/detail/case_request.hpp"
#include "assay/suite/detail/crash_outcome.hpp"
#include "assay/suite/detail/worker.hpp"
#include "assay/suite/isolation_options.hpp"

namespace assay::inline v0::detail {

/// One isolated run: deals the cases out to workers, hears what came of them, watches their time and memory, and replaces
/// the workers that end. One thread, which sleeps in poll() while there is nothing to do.
class IsolatedRun {
 public:
  IsolatedRun(const Suite& suite, CaseLedger& ledger, const RunOptions& options, const IsolationOptions& isolation)
      : suite_(suite), ledger_(ledger), options_(options), isolation_(isolation) {
    for (std::size_t turn = 0; turn < ledger.size(); ++turn) waiting_.push_back(turn);
  }

  /// Returns when all cases are finished or, after a stop request, those that had begun.
  void run() {
    if (isolation_.memory_bytes > 0 && !resident_bytes_of(::getpid()))
      refuse_waiting("this system does not tell the memory of a process (/proc/<process>/statm); run without a limit of memory");
    while (!ledger_.complete()) {
      if (stopping())
        dismiss_if([](const Worker& worker) { return !worker.running; });
      else
        hire();
      if (workers_.empty() && (stopping() || ledger_.complete())) break;
      deal_out();
      wait();
      for (std::size_t i = workers_.size(); i-- > 0;) attend_to(i);
      if (Clock::now() >= next_inspection_) inspect();
    }
    for (const std::size_t turn : waiting_) ledger_.settle_for_less(turn);
    farewell();
  }

 private:
  using Clock = Worker::Clock;
  using Duration = Clock::duration;

  static constexpr unsigned most_fruitless_starts = 3;
  static constexpr std::chrono::milliseconds pause_after_fruitless_start{50};
  static constexpr std::chrono::milliseconds inspection_interval{50}, memory_inspection_interval{10};
  /// How long a process may take to end after it has closed its channel, and after it was told that no more cases come.
  static constexpr std::chrono::milliseconds patience_with_closed_channel{500}, patience_with_leaving{2000};
  /// Waking another process takes as long as a short case. So a worker with short cases gets requests for this long ahead,
  /// and while all workers have enough to do the runner sleeps instead of being woken by each.
  static constexpr double seconds_ahead = 4e-3;
  static constexpr std::size_t most_ahead = 64;
  static constexpr std::chrono::milliseconds nap{1};

  [[nodiscard]] bool stopping() const { return stop_requested(options_); }
  [[nodiscard]] static Duration duration_of(double seconds) {
    return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(std::min(seconds, 1e9)));
  }

  // Workers come and go.

  void hire() {
    if (fruitless_starts_ >= most_fruitless_starts) {
      if (workers_.empty()) refuse_waiting(why_no_worker_starts());
      return;
    }
    const auto is_busy = [](const std::unique_ptr<Worker>& worker) { return !worker->assigned.empty(); };
    const auto busy = static_cast<std::size_t>(std::count_if(workers_.begin(), workers_.end(), is_busy));
    const std::size_t wanted = std::min<std::size_t>(options_.jobs, busy + waiting_.size());
    while (workers_.size() < wanted && Clock::now() >= next_start_) {
      auto process = WorkerProcess::start(suite_, isolation_.command, isolation_.environment, descriptors());
      if (process)
        workers_.push_back(std::make_unique<Worker>(std::move(process).value()));
      else
        fruitless_start(process.error().message);
    }
  }

  [[nodiscard]] std::vector<int> descriptors() const {
    std::vector<int> numbers;
    for (const auto* group : {&workers_, &leaving_})
      for (const auto& worker : *group)
        for (const int number : {worker->process.channel(), worker->process.output()})
          if (number >= 0) numbers.push_back(number);
    return numbers;
  }

  void fruitless_start(std::string reason) {
    ++fruitless_starts_;
    next_start_ = Clock::now() + fruitless_starts_ * pause_after_fruitless_start;
    latest_fruitless_ = std::move(reason);
  }

  [[nodiscard]] std::string why_no_worker_starts() const {
    const std::string what = isolation_.command.empty() ? std::string("a worker") : "a worker, '" + isolation_.command.front() + "',";
    return "no case can be run: " + what + " failed to start " + std::to_string(fruitless_starts_) + " times in a row, at last because " +
           latest_fruitless_;
  }

  void refuse_waiting(const std::string& reason) {
    while (!waiting_.empty()) {
      const std::size_t turn = waiting_.front();
      waiting_.pop_front();
      ledger_.begin(turn);
      static_cast<void>(ledger_.enter(turn, error_outcome(reason), 0, false));
    }
  }

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

  void farewell() {
    while (!workers_.empty()) {
      if (workers_.back()->running)
        workers_.pop_back();
      else
        let_go(workers_.size() - 1);
    }
    for (auto pause = std::chrono::microseconds(50); !leaving_.empty(); pause = std::min(2 * pause, std::chrono::microseconds(10000))) {
      bury_leaving();
      if (!leaving_.empty()) std::this_thread::sleep_for(pause);
    }
  }

  void bury_leaving() {
    std::erase_if(leaving_, [](const std::unique_ptr<Worker>& worker) {
      return worker->process.ended().has_value() || Clock::now() - worker->since > patience_with_leaving;
    });
  }

  // Cases go out, outcomes come in.

  void deal_out() {
    if (stopping()) return;
    for (std::size_t i = workers_.size(); i-- > 0;)
      if (workers_[i]->ready && workers_[i]->assigned.empty()) {
        if (is_used_up(*workers_[i]))
          let_go(i);
        else if (!waiting_.empty())
          assign(*workers_[i]);
      }
    for (const auto& worker : workers_)
      while (worker->running && worker->assigned.size() < queue_length(*worker) && !is_used_up(*worker)) assign(*worker);
  }

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

  void assign(Worker& worker) {
    const std::size_t turn = waiting_.front();
    waiting_.pop_front();
    worker.assigned.push_back({++latest_ticket_, turn});
    const CaseRequest request{ledger_.case_at(turn).id, options_.seed, options_.repetitions, options_.reproduce_with};
    worker.send(MessageKind::perform, latest_ticket_, encode_request(request));
  }

  /// Sleeps until something arrives or is due.
  void wait() {
    if (!workers_.empty() && std::all_of(workers_.begin(), workers_.end(), [&](const auto& worker) { return has_enough_to_do(*worker); }))
      return std::this_thread::sleep_for(nap);
    std::vector<pollfd> descriptors;
    const auto now = Clock::now();
    auto until = now + (isolation_.memory_bytes > 0 ? memory_inspection_interval : inspection_interval);
    for (const auto& worker : workers_) {
      if (worker->closed_at)
        until = std::min(until, now + std::chrono::milliseconds(1));
      else
        descriptors.push_back({worker->process.channel(), static_cast<short>(worker->has_unsent() ? POLLIN | POLLOUT : POLLIN), 0});
      if (const auto limit = time_limit(*worker)) until = std::min(until, worker->since + *limit);
    }
    const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(std::max(until - now, Duration::zero())).count();
    static_cast<void>(::poll(descriptors.data(), static_cast<nfds_t>(descriptors.size()), static_cast<int>(milliseconds)));
  }

  /// Hears a worker, and buries it if it is dead or has to be killed.
  void attend_to(std::size_t index) {
    Worker& worker = *workers_[index];
    worker.flush();
    std::optional<Ending> ending = hear(worker);
    if (!ending && worker.closed_at) ending = worker.process.ended();
    if (!ending && worker.closed_at && Clock::now() - *worker.closed_at > patience_with_closed_channel)
      ending = Ending{Ending::Kind::channel, 0, closed_its_channel};
    if (!ending) ending = overdue(worker);
    if (ending) bury(index, *std::move(ending));
  }

  /// Takes what has arrived. Returns why the worker must be killed if it makes no sense.
  [[nodiscard]] std::optional<Ending> hear(Worker& worker) {
    worker.receive();
    for (;;) {
      if (stopping() && !worker.running) return std::nullopt;  // what it begins with now was not to begin
      Result<std::optional<Message>> message = worker.next_message();
      if (message && !message.value()) return std::nullopt;
      Result<void> understood = message ? take(worker, *std::move(message).value()) : Result<void>(message.propagate());
      if (!understood)
        return Ending{
            Ending::Kind::channel, 0,
            "wrote over its process's channel to the runner (" + understood.error().message + "), over which its outcome would have come"};
    }
  }

  [[nodiscard]] Result<void> take(Worker& worker, Message message) {
    const bool is_of_first = !worker.assigned.empty() && worker.assigned.front().ticket == message.ticket;
    const auto now = Clock::now();
    if (message.kind == MessageKind::ready && !worker.ready) {
      worker.ready = true;
    } else if (message.kind == MessageKind::started && is_of_first && !worker.running) {
      if (worker.performed == 0) fruitless_starts_ = 0;
      worker.running = true;
      worker.since = now;
      worker.process.forget_output();
      ledger_.begin(worker.assigned.front().turn);
    } else if (message.kind == MessageKind::performed && is_of_first && worker.running) {
      Result<Outcome> outcome = decode_outcome(message.payload);
      if (!outcome) return outcome.propagate();
      finish_first(worker, std::move(outcome).value());
    } else {
      return failure(ErrorKind::malformed, "a message arrived out of turn");
    }
    return {};
  }

  /// Enters the outcome of the attempt that the worker was at.
  void finish_first(Worker& worker, Outcome outcome) {
    const std::size_t turn = worker.assigned.front().turn;
    worker.assigned.pop_front();
    worker.running = false;
    const double seconds = std::chrono::duration<double>(Clock::now() - worker.since).count();
    worker.latest_seconds = outcome.duration_seconds > 0 ? outcome.duration_seconds : seconds;
    worker.latest_case = ledger_.case_at(turn).id;
    ++worker.performed;
    if (ledger_.enter(turn, std::move(outcome), seconds, !stopping())) waiting_.push_front(turn);
  }

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

  [[nodiscard]] std::optional<Ending> over_memory(const Worker& worker) const {
    if (isolation_.memory_bytes == 0) return std::nullopt;
    const auto resident = worker.process.resident_bytes();
    if (!resident || *resident <= isolation_.memory_bytes) return std::nullopt;
    const auto mebibytes = [](std::size_t bytes) { return printed_number(static_cast<double>(bytes) / 1048576, 4) + " MiB"; };
    return Ending{Ending::Kind::memory, 0,
                  mebibytes(*resident) + " of memory, more than the limit of " + mebibytes(isolation_.memory_bytes)};
  }

  /// What no message tells: memory, output without end, and a death while a grandchild keeps the channel open.
  void inspect() {
    next_inspection_ = Clock::now() + (isolation_.memory_bytes > 0 ? memory_inspection_interval : inspection_interval);
    for (std::size_t i = workers_.size(); i-- > 0;) {
      workers_[i]->process.limit_output(isolation_.output_tail_bytes);
      std::optional<Ending> ending = over_memory(*workers_[i]);
      if (!ending) ending = workers_[i]->process.ended();
      if (ending) bury(i, *std::move(ending));
    }
    bury_leaving();
  }

  /// Ends a worker. The case that it was at has failed with it; those that it had not begun with go to others.
  void bury(std::size_t index, Ending ending) {
    const std::unique_ptr<Worker> worker = std::move(workers_[index]);
    workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(index));
    ending = true_ending(std::move(ending), worker->process.kill());
    if (ending.kind != Ending::Kind::channel) static_cast<void>(hear(*worker));  // its last words
    const std::string output = worker->process.last_output(isolation_.output_tail_bytes);
    if (worker->running) {
      Outcome outcome = crash_outcome(ending, output, isolation_.output_tail_bytes);
      if (worker->performed > 0)
        outcome.diagnosis.push_back("its process had run " + std::to_string(worker->performed) +
                                    (worker->performed == 1 ? " case" : " cases") + " before it, the last '" + worker->latest_case + "'");
      finish_first(*worker, std::move(outcome));
    } else if (worker->performed == 0 && !stopping()) {
      const Outcome outcome = crash_outcome(ending, output, isolation_.output_tail_bytes);
      fruitless_start("it ended by " + description_of(ending) + "; " + outcome.diagnosis.front());
    } else {
      put_back(*worker);
      if (!waiting_.empty())
        ledger_.note(waiting_.front(), "before this case began, the process that was to run it ended by " + description_of(ending) +
                                           ", after '" + worker->latest_case + "'; it ran in another");
    }
    put_back(*worker);
  }

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
