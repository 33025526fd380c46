#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/misuse.hpp"
#include "assay/core/run.hpp"
#include "assay/suite/case.hpp"
#include "assay/suite/detail/case_ledger.hpp"
#include "assay/suite/detail/distribution_message.hpp"
#include "assay/suite/message_channel.hpp"
#include "assay/suite/run_observer.hpp"
#include "assay/suite/run_options.hpp"
#include "assay/suite/runner.hpp"

namespace assay::inline v0 {

/// How cases are given to processes.
struct DistributionOptions {
  /// A worker that is silent for so long is lost, though the channel knows nothing of it. Workers speak once a second.
  /// At least 3 s.
  std::chrono::milliseconds silence{30000};
  /// How long workers may take until they are ready: they build their suites first.
  std::chrono::milliseconds start{120000};
};

namespace detail {

/// Deals cases out to the processes of a channel and gathers what comes of them.
template <MessageChannel Channel>
class Distributor {
 public:
  Distributor(CaseLedger& ledger, const std::vector<std::size_t>& order, const RunOptions& options,
              const DistributionOptions& distribution, Channel& channel)
      : ledger_(ledger),
        order_(order),
        options_(options),
        distribution_(distribution),
        channel_(channel),
        workers_(static_cast<std::size_t>(channel.size() - 1)) {
    for (std::size_t turn = 0; turn < order.size(); ++turn) waiting_.push_back(turn);
  }

  void run() {
    while (!ledger_.complete()) {
      if (stop_requested(options_) && all_have_stopped()) break;
      if (const auto message = channel_.receive(std::chrono::milliseconds(20))) hear(*message);
      for (std::size_t i = 0; i < workers_.size(); ++i)
        if (!workers_[i].gone) watch(i);
      if (std::all_of(workers_.begin(), workers_.end(), [](const Worker& worker) { return worker.gone; }))
        refuse_waiting();
      deal_out();
    }
    for (std::size_t i = 0; i < workers_.size(); ++i)
      if (!workers_[i].gone)
        channel_.send(static_cast<int>(i) + 1, encode_message({DistributionMessage::Kind::no_more, 0, {}}));
  }

  /// The processes that took part, and those that did not to the end.
  [[nodiscard]] std::string participants() const {
    const auto lost = std::count_if(workers_.begin(), workers_.end(), [](const Worker& worker) { return worker.gone; });
    const auto unheard = std::count_if(workers_.begin(), workers_.end(),
                                       [](const Worker& worker) { return !worker.gone && !worker.ready; });
    return std::to_string(workers_.size()) + " processes" +
           (lost > 0 ? ", of which " + std::to_string(lost) + " were lost" : "") +
           (unheard > 0 ? ", of which " + std::to_string(unheard) + " had not yet been heard of at the end" : "");
  }

 private:
  using Clock = std::chrono::steady_clock;

  struct Worker {
    bool ready = false;
    bool gone = false;
    std::string host;
    std::deque<std::size_t> assigned;  ///< turns, in the order in which it works them off
    bool running = false;              ///< it has begun with the first
    bool told_to_stop = false, stopped = false;
    Clock::time_point heard = Clock::now();
  };

  /// Asks the workers to begin nothing more. Whether they have heard it, and ended what they had begun.
  [[nodiscard]] bool all_have_stopped() {
    for (std::size_t i = 0; i < workers_.size(); ++i)
      if (!std::exchange(workers_[i].told_to_stop, true))
        channel_.send(static_cast<int>(i) + 1, encode_message({DistributionMessage::Kind::withdraw, 0, {}}));
    return std::all_of(workers_.begin(), workers_.end(), [](const Worker& worker) {
      return worker.gone || !worker.ready || (worker.stopped && !worker.running);
    });
  }

  void hear(const ReceivedMessage& received) {
    if (received.from < 1 || received.from > static_cast<int>(workers_.size())) return;
    const auto index = static_cast<std::size_t>(received.from - 1);
    Worker& worker = workers_[index];
    if (worker.gone) return;
    worker.heard = Clock::now();
    const auto message = decode_distribution_message(received.bytes);
    if (!message) return lose(index, message.error().message);
    using Kind = DistributionMessage::Kind;
    if (message.value().kind == Kind::ready) {
      worker.ready = true;
      worker.host = message.value().text;
    } else if (message.value().kind == Kind::withdrawn) {
      worker.stopped = true;
      while (worker.assigned.size() > (worker.running ? 1u : 0u)) {
        waiting_.push_front(worker.assigned.back());
        worker.assigned.pop_back();
      }
    } else if (message.value().kind == Kind::started || message.value().kind == Kind::finished) {
      const bool first = !worker.assigned.empty() && order_[worker.assigned.front()] == message.value().position;
      if (!first)
        return lose(index, "it spoke of a case that it was not given; start the same program in all processes");
      if (message.value().kind == Kind::started) {
        worker.running = true;
        return ledger_.begin(worker.assigned.front());
      }
      auto outcome = decode_outcome(message.value().text);
      if (!outcome) return lose(index, outcome.error().message);
      finish_first(worker, std::move(outcome).value());
    }
  }

  void finish_first(Worker& worker, Outcome outcome) {
    const std::size_t turn = worker.assigned.front();
    worker.assigned.pop_front();
    worker.running = false;
    outcome.labels.emplace("host", worker.host);
    const double seconds = outcome.duration_seconds;
    static_cast<void>(ledger_.enter(turn, std::move(outcome), seconds, false));
  }

  void watch(std::size_t index) {
    Worker& worker = workers_[index];
    const auto patience = worker.ready ? distribution_.silence : distribution_.start;
    if (channel_.lost(static_cast<int>(index) + 1))
      lose(index, "its process ended");
    else if (Clock::now() - worker.heard > patience)
      lose(index, "it was silent for " + std::to_string(patience.count() / 1000) + " s");
  }

  /// The case that it was at is lost with it; the others go back.
  void lose(std::size_t index, const std::string& why) {
    Worker& worker = workers_[index];
    worker.gone = true;
    const std::string who = "process " + std::to_string(index + 1) + (worker.host.empty() ? "" : " on " + worker.host);
    if (worker.running && !worker.assigned.empty()) {
      ledger_.begin(worker.assigned.front());
      Outcome outcome = error_outcome("lost with the process that ran it: " + who + ": " + why);
      outcome.labels["ended"] = "process lost";
      finish_first(worker, std::move(outcome));
    }
    for (; !worker.assigned.empty(); worker.assigned.pop_back()) waiting_.push_front(worker.assigned.back());
    latest_loss_ = who + ": " + why;
  }

  void refuse_waiting() {
    for (; !waiting_.empty(); waiting_.pop_front()) {
      ledger_.begin(waiting_.front());
      static_cast<void>(ledger_.enter(waiting_.front(),
                                      error_outcome("no process is left to run it; the last was lost: " + latest_loss_),
                                      0, false));
    }
  }

  void deal_out() {
    if (stop_requested(options_)) return;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      Worker& worker = workers_[i];
      if (!worker.ready || worker.gone) continue;
      const std::size_t most = batch();
      if (worker.assigned.size() > most / 2) continue;
      while (!waiting_.empty() && worker.assigned.size() < most) {
        const std::size_t turn = waiting_.front();
        waiting_.pop_front();
        worker.assigned.push_back(turn);
        channel_.send(static_cast<int>(i) + 1,
                      encode_message({DistributionMessage::Kind::perform, order_[turn], ledger_.case_at(turn).id}));
      }
    }
  }

  /// Guided self-scheduling: a part of what is left, so that messages are few at first and nobody waits for another at
  /// the end. Source: Polychronopoulos and Kuck, "Guided self-scheduling", IEEE Transactions on Computers C-36, 1987.
  [[nodiscard]] std::size_t batch() const {
    constexpr std::size_t most = 32;
    return std::clamp<std::size_t>(waiting_.size() / (4 * workers_.size()), 1, most);
  }

  CaseLedger& ledger_;
  const std::vector<std::size_t>& order_;
  const RunOptions& options_;
  const DistributionOptions& distribution_;
  Channel& channel_;
  std::vector<Worker> workers_;
  std::deque<std::size_t> waiting_;
  std::string latest_loss_ = "there was none";
};

}  // namespace detail

/// Runs cases as `run_suite` does, but in the other processes of a channel, each of which calls `serve_distributed`
/// with the same suite. Process 0 calls this; it runs no case itself, so that no case can end the run: start one
/// process more than there shall be workers.
///
/// - Outcomes come in the order of the suite; their label "host" tells where they were obtained.
/// - A process that ends, or is silent for too long, costs the case that it was at, which is an `error` that names the
///   process; what it had not begun goes to others. When none is left, the remaining cases are errors.
/// - Retries, repetitions, isolation and limits of time are those of the workers.
/// - After a stop request the running cases end, the rest do not start.
///
/// Misuse: as for `run_suite`; a process other than 0; a channel of one process; a limit of silence below 3 s; an
/// observer of outputs.
template <MessageChannel Channel, RunObserver Observer>
[[nodiscard]] Run run_distributed(const Suite& suite, const std::vector<std::size_t>& chosen, const RunOptions& options,
                                  const DistributionOptions& distribution, Environment environment, Observer& observer,
                                  Channel& channel) {
  detail::check_run(suite, chosen, options);
  expect(channel.rank() == 0, [&] {
    return "run_distributed was called by process " + std::to_string(channel.rank()) +
           "; process 0 calls it, the others serve_distributed";
  });
  expect(channel.size() >= 2,
         [] { return "a distributed run needs at least 2 processes: one deals the cases out, the others run them"; });
  expect(distribution.silence >= std::chrono::seconds(3),
         [] { return "DistributionOptions::silence is below 3 s; workers speak once a second"; });
  expect(!options.outputs,
         [] { return "RunOptions::outputs is set for a distributed run, whose outputs are in other processes"; });
  const auto begin = std::chrono::steady_clock::now();
  Run run = detail::begun_run(options, std::move(environment), chosen.size());
  observer.started(std::as_const(run));
  std::vector<std::size_t> order = chosen;
  std::sort(order.begin(), order.end());
  detail::CaseLedger ledger(suite, order, options,
                            {[&](const std::string& id) { observer.case_started(id); },
                             [&](const Outcome& outcome) { observer.case_finished(outcome); }});
  detail::Distributor<Channel> distributor(ledger, order, options, distribution, channel);
  distributor.run();
  detail::enter_outcomes(run, ledger.take_outcomes(), suite, order);
  run.environment.devices.push_back(distributor.participants());
  run.duration_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  observer.finished(std::as_const(run));
  return run;
}

}  // namespace assay::inline v0
