#pragma once

#include "assay/suite/detail/isolated_run.hpp"

#include <unistd.h>
#include <thread>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void IsolatedRun::run() {
  if (isolation_.memory_bytes > 0 && !resident_bytes_of(::getpid()))
    refuse_waiting(
        "this system does not tell the memory of a process (/proc/<process>/statm); run without a limit of memory");
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

ASSAY_DETAIL_HEADER_INLINE void IsolatedRun::hire() {
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

ASSAY_DETAIL_HEADER_INLINE std::vector<int> IsolatedRun::descriptors() const {
  std::vector<int> numbers;
  for (const auto* group : {&workers_, &leaving_})
    for (const auto& worker : *group)
      for (const int number : {worker->process.channel(), worker->process.output()})
        if (number >= 0) numbers.push_back(number);
  return numbers;
}

ASSAY_DETAIL_HEADER_INLINE void IsolatedRun::refuse_waiting(const std::string& reason) {
  while (!waiting_.empty()) {
    const std::size_t turn = waiting_.front();
    waiting_.pop_front();
    ledger_.begin(turn);
    static_cast<void>(ledger_.enter(turn, error_outcome(reason), 0, false));
  }
}

ASSAY_DETAIL_HEADER_INLINE void IsolatedRun::farewell() {
  while (!workers_.empty()) {
    if (workers_.back()->running)
      workers_.pop_back();
    else
      let_go(workers_.size() - 1);
  }
  for (auto pause = std::chrono::microseconds(50); !leaving_.empty();
       pause = std::min(2 * pause, std::chrono::microseconds(10000))) {
    bury_leaving();
    if (!leaving_.empty()) std::this_thread::sleep_for(pause);
  }
}

ASSAY_DETAIL_HEADER_INLINE void IsolatedRun::deal_out() {
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

ASSAY_DETAIL_HEADER_INLINE void IsolatedRun::assign(Worker& worker) {
  const std::size_t turn = waiting_.front();
  waiting_.pop_front();
  worker.assigned.push_back({++latest_ticket_, turn});
  const CaseRequest request{ledger_.case_at(turn).id, options_.seed, options_.repetitions, options_.reproduce_with};
  worker.send(MessageKind::perform, latest_ticket_, encode_request(request));
}

ASSAY_DETAIL_HEADER_INLINE void IsolatedRun::wait() {
  if (!workers_.empty() &&
      std::all_of(workers_.begin(), workers_.end(), [&](const auto& worker) { return has_enough_to_do(*worker); }))
    return std::this_thread::sleep_for(nap);
  std::vector<pollfd> descriptors;
  const auto now = Clock::now();
  auto until = now + (isolation_.memory_bytes > 0 ? memory_inspection_interval : inspection_interval);
  for (const auto& worker : workers_) {
    if (worker->closed_at)
      until = std::min(until, now + std::chrono::milliseconds(1));
    else
      descriptors.push_back(
          {worker->process.channel(), static_cast<short>(worker->has_unsent() ? POLLIN | POLLOUT : POLLIN), 0});
    if (const auto limit = time_limit(*worker)) until = std::min(until, worker->since + *limit);
  }
  const auto milliseconds =
      std::chrono::ceil<std::chrono::milliseconds>(std::max(until - now, Duration::zero())).count();
  static_cast<void>(
      ::poll(descriptors.data(), static_cast<nfds_t>(descriptors.size()), static_cast<int>(milliseconds)));
}

ASSAY_DETAIL_HEADER_INLINE void IsolatedRun::attend_to(std::size_t index) {
  Worker& worker = *workers_[index];
  worker.flush();
  std::optional<Ending> ending = hear(worker);
  if (!ending && worker.closed_at) ending = worker.process.ended();
  if (!ending && worker.closed_at && Clock::now() - *worker.closed_at > patience_with_closed_channel)
    ending = Ending{Ending::Kind::channel, 0, closed_its_channel};
  if (!ending) ending = overdue(worker);
  if (ending) bury(index, *std::move(ending));
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Ending> IsolatedRun::hear(Worker& worker) {
  worker.receive();
  for (;;) {
    if (stopping() && !worker.running) return std::nullopt;  // what it begins with now was not to begin
    Result<std::optional<Message>> message = worker.next_message();
    if (message && !message.value()) return std::nullopt;
    Result<void> understood = message ? take(worker, *std::move(message).value()) : Result<void>(message.propagate());
    if (!understood)
      return Ending{Ending::Kind::channel, 0,
                    "wrote over its process's channel to the runner (" + understood.error().message +
                        "), over which its outcome would have come"};
  }
}

ASSAY_DETAIL_HEADER_INLINE Result<void> IsolatedRun::take(Worker& worker, Message message) {
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

ASSAY_DETAIL_HEADER_INLINE void IsolatedRun::finish_first(Worker& worker, Outcome outcome) {
  const std::size_t turn = worker.assigned.front().turn;
  worker.assigned.pop_front();
  worker.running = false;
  const double seconds = std::chrono::duration<double>(Clock::now() - worker.since).count();
  worker.latest_seconds = outcome.duration_seconds > 0 ? outcome.duration_seconds : seconds;
  worker.latest_case = ledger_.case_at(turn).id;
  ++worker.performed;
  if (ledger_.enter(turn, std::move(outcome), seconds, !stopping())) waiting_.push_front(turn);
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Ending> IsolatedRun::over_memory(const Worker& worker) const {
  if (isolation_.memory_bytes == 0) return std::nullopt;
  const auto resident = worker.process.resident_bytes();
  if (!resident || *resident <= isolation_.memory_bytes) return std::nullopt;
  const auto mebibytes = [](std::size_t bytes) {
    return printed_number(static_cast<double>(bytes) / 1048576, 4) + " MiB";
  };
  return Ending{Ending::Kind::memory, 0,
                mebibytes(*resident) + " of memory, more than the limit of " + mebibytes(isolation_.memory_bytes)};
}

ASSAY_DETAIL_HEADER_INLINE void IsolatedRun::inspect() {
  next_inspection_ = Clock::now() + (isolation_.memory_bytes > 0 ? memory_inspection_interval : inspection_interval);
  for (std::size_t i = workers_.size(); i-- > 0;) {
    workers_[i]->process.limit_output(isolation_.output_tail_bytes);
    std::optional<Ending> ending = over_memory(*workers_[i]);
    if (!ending) ending = workers_[i]->process.ended();
    if (ending) bury(i, *std::move(ending));
  }
  bury_leaving();
}

ASSAY_DETAIL_HEADER_INLINE void IsolatedRun::bury(std::size_t index, Ending ending) {
  const std::unique_ptr<Worker> worker = std::move(workers_[index]);
  workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(index));
  ending = true_ending(std::move(ending), worker->process.kill());
  if (ending.kind != Ending::Kind::channel) static_cast<void>(hear(*worker));  // its last words
  const std::string output = worker->process.last_output(isolation_.output_tail_bytes);
  if (worker->running) {
    Outcome outcome = crash_outcome(ending, output, isolation_.output_tail_bytes);
    if (worker->performed > 0)
      outcome.diagnosis.push_back("its process had run " + std::to_string(worker->performed) +
                                  (worker->performed == 1 ? " case" : " cases") + " before it, the last '" +
                                  worker->latest_case + "'");
    finish_first(*worker, std::move(outcome));
  } else if (worker->performed == 0 && !stopping()) {
    const Outcome outcome = crash_outcome(ending, output, isolation_.output_tail_bytes);
    fruitless_start("it ended by " + description_of(ending) + "; " + outcome.diagnosis.front());
  } else {
    put_back(*worker);
    if (!waiting_.empty())
      ledger_.note(waiting_.front(), "before this case began, the process that was to run it ended by " +
                                         description_of(ending) + ", after '" + worker->latest_case +
                                         "'; it ran in another");
  }
  put_back(*worker);
}

}  // namespace assay::inline v0::detail
