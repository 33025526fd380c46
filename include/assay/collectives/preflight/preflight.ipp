#pragma once

#include "assay/collectives/preflight/preflight.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE PreflightRun::PreflightRun(AnyCollective& collective, Coordinator& coordinator,
                                                      const PreflightOptions& options)
    : coordinator_(coordinator),
      options_(options),
      start_(std::chrono::steady_clock::now()),
      until_(start_ + options.budget),
      recorder_(std::make_shared<FlightRecorder>(collective.rank(), collective.size())),
      collective_(record(collective)) {}

ASSAY_DETAIL_HEADER_INLINE PreflightResult PreflightRun::perform() {
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

ASSAY_DETAIL_HEADER_INLINE bool PreflightRun::on_all_ranks(bool here) {
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

ASSAY_DETAIL_HEADER_INLINE void PreflightRun::check_operations() {
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
    if (!communicator_lives())
      return usable_ ? explain_hang(std::string(name_of(operation)) + ": " + outcome.reason) : void();
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

ASSAY_DETAIL_HEADER_INLINE void PreflightRun::explain_hang(const std::string& otherwise) {
  auto flights = exchange_flights(coordinator_, recorder_->flight(), deadline_after(options_.operation_deadline));
  if (!flights) return lose(otherwise);
  const HangReport report =
      hang_report(std::move(flights.value().flights), flight_time_now(), flights.value().problems);
  result_.outcomes.push_back(hang_outcome(report, "collectives/preflight/hang"));
  lose(!report.culprits.empty() ? report.sentence : otherwise);  // if records accuse nobody, the runtime may know more
}

ASSAY_DETAIL_HEADER_INLINE void PreflightRun::judge(const StragglerReport& report, const std::string& what) {
  if (report.verdict == Verdict::pass) return;
  if (report.verdict == Verdict::inconclusive) return find(Health::undecided, what + ": " + report.reason);
  const bool counts = roll_.oversubscribed.empty() || options_.judge_oversubscribed;
  find(counts ? Health::unhealthy : Health::undecided,
       what + ": " + report.reason + (counts ? "" : "; it says little, since " + roll_.oversubscribed));
}

ASSAY_DETAIL_HEADER_INLINE void PreflightRun::compare_ranks() {
  if (!time_is_left()) return find(Health::undecided, "the time was up before ranks were compared");
  auto times = work_times(collective_, coordinator_, options_.operation_deadline);
  if (!times)
    return times.error().kind == ErrorKind::unsupported ? void()
                                                        : explain_hang("comparing ranks: " + times.error().message);
  const StragglerReport report = find_slow_ranks(times.value(), {options_.least_slowdown, 0.01});
  result_.outcomes.push_back(straggler_outcome(report, "collectives/preflight/ranks"));
  judge(report, "ranks");
}

ASSAY_DETAIL_HEADER_INLINE void PreflightRun::compare_links() {
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

ASSAY_DETAIL_HEADER_INLINE void PreflightRun::agree() {
  if (health_ == Health::healthy) {
    const int size = collective_.size();
    reason_ = std::to_string(size) + (size == 1 ? " rank on " : " ranks on ") + std::to_string(roll_.hosts) +
              (roll_.hosts == 1 ? " host: " : " hosts: ") + right_ +
              (right_.find(',') == std::string::npos ? " is right" : " are right") +
              (unsupported_.empty() ? "" : "; unsupported: " + unsupported_) +
              (options_.links && size > 1 ? "; no slow rank or link" : "");
  }
  auto said = coordinator_.exchange(std::to_string(static_cast<int>(health_)) + flight_line(reason_),
                                    deadline_after(options_.operation_deadline));
  if (!said) find(Health::unhealthy, said.error().message);
  std::vector<int> silent;
  Health worst = health_;
  std::string words = reason_;
  const auto badness = [](Health health) {
    return health == Health::healthy ? 0 : health == Health::undecided ? 1 : 2;
  };
  for (std::size_t rank = said ? said.value().size() : 0; rank-- > 0;) {
    const auto& text = said.value()[rank];
    if (!text || text->empty()) {
      silent.push_back(static_cast<int>(rank));
      continue;
    }
    const Health other = text->front() == '0'   ? Health::healthy
                         : text->front() == '1' ? Health::unhealthy
                                                : Health::undecided;
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

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE PreflightResult preflight(AnyCollective& collective, Coordinator& coordinator,
                                                     const PreflightOptions& options) {
  expect(collective.rank() == coordinator.rank() && collective.size() == coordinator.size(), [&] {
    return "preflight() was given rank " + std::to_string(collective.rank()) + " of " +
           std::to_string(collective.size()) + " to check, and rank " + std::to_string(coordinator.rank()) + " of " +
           std::to_string(coordinator.size()) + " to agree by; they are to be the same";
  });
  return detail::PreflightRun(collective, coordinator, options).perform();
}

}  // namespace assay::inline v0
