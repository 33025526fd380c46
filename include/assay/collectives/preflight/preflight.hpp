#pragma once

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
  PreflightRun(AnyCollective& collective, Coordinator& coordinator, const PreflightOptions& options);

  [[nodiscard]] PreflightResult perform();

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
    auto called =
        roll_call(coordinator_, collective_.rank(), collective_.size(), deadline_after(options_.operation_deadline));
    if (!called) return lose(called.error().message);
    roll_ = std::move(called).value();
  }

  /// Whether nobody says that it is not; false, and the end, where a rank does not answer.
  [[nodiscard]] bool on_all_ranks(bool here);
  /// No operation begins on some ranks only.
  [[nodiscard]] bool time_is_left() { return on_all_ranks(!has_passed(until_)); }
  /// Whether the communicator is of use still: the last operation came back, with its result or as unsupported.
  [[nodiscard]] bool communicator_lives() {
    const std::vector<FlightRecord> records = recorder_->flight().records;
    return on_all_ranks(records.empty() || records.back().state == FlightState::completed ||
                        records.back().error == ErrorKind::unsupported);
  }

  void check_operations();

  void explain_hang(const std::string& otherwise);

  void judge(const StragglerReport& report, const std::string& what);

  void compare_ranks();

  void compare_links();

  /// One verdict of all ranks: the worst, in the words of the first rank that found it.
  void agree();

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

/// A quick health check of the ranks of a job before it starts, within `options.budget`: who is there; the main
/// operations on data that names the guilty rank; a fixed piece of work on every rank and every link, for slow ranks
/// and links; a hang is explained by the records of all ranks. Called by every rank at the same time; all that answer
/// return the same health and reason. Misuse: ranks that the coordinator and the collective do not number alike.
[[nodiscard]] PreflightResult preflight(AnyCollective& collective, Coordinator& coordinator,
                                        const PreflightOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/preflight/preflight.ipp"
#endif
