#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/any_collective.hpp"
#include "assay/collectives/coordinator.hpp"
#include "assay/collectives/flight/flight_exchange.hpp"
#include "assay/collectives/flight/hang_outcome.hpp"
#include "assay/collectives/flight/recorded_collective.hpp"
#include "assay/collectives/preflight/detail/borrowed_collective.hpp"
#include "assay/collectives/preflight/detail/roll_call.hpp"
#include "assay/collectives/preflight/detail/work_times.hpp"
#include "assay/collectives/preflight/preflight_result.hpp"
#include "assay/collectives/stragglers/measure_links.hpp"
#include "assay/collectives/stragglers/slow_links.hpp"
#include "assay/collectives/stragglers/slow_ranks.hpp"
#include "assay/collectives/verification/check_collective.hpp"

namespace assay::inline v0 {

namespace detail {

/// The steps of a preflight of one rank, and what they found.
class PreflightRun {
 public:
  PreflightRun(AnyCollective& collective, Coordinator& coordinator, const PreflightOptions& options)
      : coordinator_(coordinator),
        options_(options),
        start_(std::chrono::steady_clock::now()),
        until_(start_ + options.budget),
        recorder_(std::make_shared<FlightRecorder>(collective.rank(), collective.size())),
        collective_(record(collective)) {}

  [[nodiscard]] PreflightResult perform() {
    call_roll();
    if (!usable_) {  // all that answered know the same
      result_.health = health_;
      result_.reason = reason_;
      return std::move(result_);
    }
    check_operations();
    if (usable_ && options_.links && collective_.size() > 1) {
      compare_ranks();
      if (usable_) compare_links();
    }
    agree();
    result_.duration_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    return std::move(result_);
  }

 private:
  [[nodiscard]] AnyCollective record(AnyCollective& lent) {
    RecordedOptions options;
    options.communicator = "preflight";
    auto recorded = RecordedCollective::make(AnyCollective(BorrowedCollective(&lent)), recorder_, std::move(options));
    return AnyCollective(std::move(recorded).value());
  }

  /// The first thing that is wrong stays the reason.
  void find(Health health, const std::string& reason) {
    if (health == Health::unhealthy ? health_ != Health::unhealthy : health_ == Health::healthy) {
      health_ = health;
      reason_ = reason;
    }
  }
  void lose(const std::string& reason) {
    find(Health::unhealthy, reason);
    usable_ = false;
  }

  void call_roll() {
    auto called = roll_call(coordinator_, collective_.rank(), collective_.size(), deadline_after(options_.operation_deadline));
    if (!called) return lose(called.error().message);
    roll_ = std::move(called).value();
  }

  /// Whether nobody says that it is not; false, and the end, where a rank does not answer.
  [[nodiscard]] bool on_all_ranks(bool here) {
    auto said = coordinator_.exchange(here ? "" : ".", deadline_after(options_.operation_deadline));
    if (!said) lose(said.error().message);
    bool everywhere = usable_;
    for (std::size_t rank = 0; usable_ && rank < said.value().size(); ++rank) {
      if (!said.value()[rank])
        lose("rank " + std::to_string(rank) + " does not answer any more");
      else
        everywhere = everywhere && said.value()[rank]->empty();
    }
    return everywhere && usable_;
  }
  /// No operation begins on some ranks only.
  [[nodiscard]] bool time_is_left() { return on_all_ranks(!has_passed(until_)); }
  /// Whether the communicator is of use still: the last operation came back, with its result or as unsupported.
  [[nodiscard]] bool communicator_lives() {
    const std::vector<FlightRecord> records = recorder_->flight().records;
    return on_all_ranks(records.empty() || records.back().state == FlightState::completed ||
                        records.back().error == ErrorKind::unsupported);
  }

  void check_operations() {
    for (const CollectiveOperation operation : options_.operations) {
      if (!time_is_left()) {
        find(Health::undecided, "the time was up before " + std::string(name_of(operation)) + " was checked");
        return;
      }
      CollectiveProblem problem;
      problem.operation = operation;
      problem.count = options_.count;
      problem.seed = options_.seed;
      CollectiveCheckOptions how;
      how.calls = 2;
      how.timeout = options_.operation_deadline;
      result_.outcomes.push_back(check_collective(collective_, coordinator_, problem, how));
      const Outcome& outcome = result_.outcomes.back();
      if (!communicator_lives()) return usable_ ? explain_hang(std::string(name_of(operation)) + ": " + outcome.reason) : void();
      if (outcome.verdict == Verdict::pass)
        right_ += right_.empty() ? std::string(name_of(operation)) : ", " + std::string(name_of(operation));
      else if (outcome.verdict == Verdict::unsupported)
        unsupported_ += (unsupported_.empty() ? "" : ", ") + std::string(name_of(operation));
      else if (outcome.verdict == Verdict::fail || outcome.verdict == Verdict::error)
        find(Health::unhealthy, std::string(name_of(operation)) + ": " + outcome.reason);
      else
        find(Health::undecided, std::string(name_of(operation)) + ": " + outcome.reason);
    }
    if (right_.empty()) find(Health::undecided, "no operation could be checked");
  }

  void explain_hang(const std::string& otherwise) {
    auto flights = exchange_flights(coordinator_, recorder_->flight(), deadline_after(options_.operation_deadline));
    if (!flights) return lose(otherwise);
    const HangReport report = hang_report(std::move(flights.value().flights), flight_time_now(), flights.value().problems);
    result_.outcomes.push_back(hang_outcome(report, "collectives/preflight/hang"));
    lose(!report.culprits.empty() ? report.sentence : otherwise);  // if records accuse nobody, the runtime may know more
  }

  void judge(const StragglerReport& report, const std::string& what) {
    if (report.verdict == Verdict::pass) return;
    if (report.verdict == Verdict::inconclusive) return find(Health::undecided, what + ": " + report.reason);
    const bool counts = roll_.oversubscribed.empty() || options_.judge_oversubscribed;
    find(counts ? Health::unhealthy : Health::undecided,
         what + ": " + report.reason + (counts ? "" : "; it says little, since " + roll_.oversubscribed));
  }

  void compare_ranks() {
    if (!time_is_left()) return find(Health::undecided, "the time was up before ranks were compared");
    auto times = work_times(collective_, coordinator_, options_.operation_deadline);
    if (!times) return times.error().kind == ErrorKind::unsupported ? void() : explain_hang("comparing ranks: " + times.error().message);
    const StragglerReport report = find_slow_ranks(times.value(), {options_.least_slowdown, 0.01});
    result_.outcomes.push_back(straggler_outcome(report, "collectives/preflight/ranks"));
    judge(report, "ranks");
  }

  void compare_links() {
    if (!time_is_left()) return find(Health::undecided, "the time was up before links were measured");
    LinkOptions how;
    how.bandwidth_bytes = options_.bandwidth_bytes;
    how.message_deadline = how.agreement_deadline = options_.operation_deadline;
    auto matrix = measure_links(collective_, coordinator_, until_, how);
    if (!matrix && matrix.error().kind == ErrorKind::unsupported) {
      Outcome outcome;
      outcome.id = "collectives/preflight/links";
      outcome.verdict = Verdict::unsupported;
      outcome.reason = matrix.error().message;
      result_.outcomes.push_back(std::move(outcome));
      return;
    }
    if (!matrix) return explain_hang("measuring links: " + matrix.error().message);
    const LinkMatrix& links = matrix.value();
    const auto add = [&](const LinkTimes& times, double least, const std::string& what, HeatMap map) {
      const StragglerReport report = find_slow_links(times, compared_by_host(links, least));
      Outcome outcome = straggler_outcome(report, "collectives/preflight/" + what);
      outcome.heat_maps = {slowdown_map(report, times, least), std::move(map)};
      result_.outcomes.push_back(std::move(outcome));
      judge(report, what);
    };
    add(links.bandwidth, options_.least_slowdown, "bandwidth", links.bandwidth_map());
    add(links.latency, options_.least_latency_slowdown, "latency", links.latency_map());
  }

  /// One verdict of all ranks: the worst, in the words of the first rank that found it.
  void agree() {
    if (health_ == Health::healthy) {
      const int size = collective_.size();
      reason_ =
          std::to_string(size) + (size == 1 ? " rank on " : " ranks on ") + std::to_string(roll_.hosts) +
          (roll_.hosts == 1 ? " host: " : " hosts: ") + right_ + (right_.find(',') == std::string::npos ? " is right" : " are right") +
          (unsupported_.empty() ? "" : "; unsupported: " + unsupported_) + (options_.links && size > 1 ? "; no slow rank or link" : "");
    }
    auto said = coordinator_.exchange(std::to_string(static_cast<int>(health_)) + flight_line(reason_),
                                      deadline_after(options_.operation_deadline));
    if (!said) find(Health::unhealthy, said.error().message);
    std::vector<int> silent;
    Health worst = health_;
    std::string words = reason_;
    const auto badness = [](Health health) { return health == Health::healthy ? 0 : health == Health::undecided ? 1 : 2; };
    for (std::size_t rank = said ? said.value().size() : 0; rank-- > 0;) {
      const auto& text = said.value()[rank];
      if (!text || text->empty()) {
        silent.push_back(static_cast<int>(rank));
        continue;
      }
      const Health other = text->front() == '0' ? Health::healthy : text->front() == '1' ? Health::unhealthy : Health::undecided;
      if (badness(other) >= badness(worst)) {
        worst = other;
        words = text->substr(1);
      }
    }
    std::reverse(silent.begin(), silent.end());
    if (!silent.empty() && worst != Health::unhealthy) {
      worst = Health::unhealthy;
      words = rank_list(silent) + " did not come to the end of the preflight";
    }
    result_.health = worst;
    result_.reason = words;
  }

  Coordinator& coordinator_;
  const PreflightOptions& options_;
  std::chrono::steady_clock::time_point start_;
  Deadline until_;
  std::shared_ptr<FlightRecorder> recorder_;
  AnyCollective collective_;
  RollCall roll_;
  bool usable_ = true;
  Health health_ = Health::healthy;
  std::string reason_, right_, unsupported_;
  PreflightResult result_;
};

}  // namespace detail

/// A quick health check of the ranks of a job before it starts, within `options.budget`: who is there; the main operations on data that
/// names the guilty rank; a fixed piece of work on every rank and every link, for slow ranks and links; a hang is explained by the records
/// of all ranks. Called by every rank at the same time; all that answer return the same health and reason.
/// Misuse: ranks that the coordinator and the collective do not number alike.
[[nodiscard]] inline PreflightResult preflight(AnyCollective& collective, Coordinator& coordinator, const PreflightOptions& options = {}) {
  expect(collective.rank() == coordinator.rank() && collective.size() == coordinator.size(), [&] {
    return "preflight() was given rank " + std::to_string(collective.rank()) + " of " + std::to_string(collective.size()) +
           " to check, and rank " + std::to_string(coordinator.rank()) + " of " + std::to_string(coordinator.size()) +
           " to agree by; they are to be the same";
  });
  return detail::PreflightRun(collective, coordinator, options).perform();
}

}  // namespace assay::inline v0
