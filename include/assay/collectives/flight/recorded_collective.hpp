#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/collectives/any_collective.hpp"
#include "assay/collectives/flight/detail/watchdog.hpp"
#include "assay/collectives/flight/flight_recorder.hpp"

namespace assay::inline v0 {

/// How a `RecordedCollective` watches.
struct RecordedOptions {
  std::string communicator =
      "world";  ///< the same on all its ranks, another for every other communicator; 1 to 40 bytes
  /// How long after the deadline a runtime may still give its own answer before it is aborted.
  std::chrono::milliseconds grace{100};
  /// Called in the watchdog's thread when an operation is overdue, before `abort`: the place to write a report and to
  /// end a process whose runtime heeds nothing. May be empty.
  std::function<void(const std::string& operation)> overdue;
};

/// Any runtime, with a record of every call in a `FlightRecorder`, and a watchdog that holds it to its deadlines: an
/// operation of a runtime that ignores them is noted as `timed_out` and aborted. Is a `Collective` of the same name.
///
/// An operation given up so returns `timed_out`, whatever the runtime made of the abort; one that ignores the abort,
/// too, keeps its thread (see `RecordedOptions::overdue`). Costs some 250 ns an operation; all ends of a process share
/// one thread.
class RecordedCollective {
 public:
  static constexpr bool checks_calls = true;  // the runtime behind it does, and what it refuses is recorded

  /// Errors: as of `FlightRecorder::join`. The recorder may serve several communicators of its rank.
  [[nodiscard]] static Result<RecordedCollective> make(AnyCollective inner, std::shared_ptr<FlightRecorder> recorder,
                                                       RecordedOptions options = {}) {
    auto joined = recorder->join(options.communicator, inner.rank(), inner.size());
    if (!joined) return joined.propagate();
    return RecordedCollective(
        std::make_unique<End>(std::move(inner), std::move(recorder), std::move(options), joined.value()));
  }

  RecordedCollective(RecordedCollective&&) noexcept = default;
  RecordedCollective& operator=(RecordedCollective&&) noexcept = default;

  [[nodiscard]] int rank() const { return end_->inner.rank(); }
  [[nodiscard]] int size() const { return end_->inner.size(); }
  [[nodiscard]] std::string name() const { return end_->inner.name(); }
  void abort(std::string_view reason) { end_->inner.abort(reason); }
  [[nodiscard]] CollectiveMemory memory() const { return end_->inner.memory(); }
  /// Where the calls are recorded.
  [[nodiscard]] const FlightRecorder& recorder() const { return *end_->recorder; }

  [[nodiscard]] Result<void> run(const CollectiveCall& call, Deadline deadline) {
    return end_->watch({&call, 1}, deadline);
  }
  [[nodiscard]] Result<void> run_group(std::span<const CollectiveCall> calls, Deadline deadline) {
    return end_->watch(calls, deadline);
  }

  /// A communicator of its own name, "world/0:1" for the color 1 of the first split, in the same recorder.
  [[nodiscard]] Result<RecordedCollective> split(int color);

 private:
  struct End {
    End(AnyCollective given, std::shared_ptr<FlightRecorder> recorder_given, RecordedOptions options_given, int number);
    End(const End&) = delete;
    End& operator=(const End&) = delete;
    ~End() { watchdog->remove(watched.get()); }

    [[nodiscard]] Result<void> watch(std::span<const CollectiveCall> calls, Deadline deadline);

    [[nodiscard]] FlightRecorder::Ticket enter(const CollectiveCall& call);

    [[nodiscard]] std::string description() const {
      std::string text;
      for (const UnderWay& entry : under_way)
        text += (text.empty() ? "" : " with ") + std::string(name_of(entry.operation)) + " #" +
                std::to_string(entry.ticket.sequence);
      return text;
    }

    void overdue() {
      for (const UnderWay& entry : under_way) recorder->leave(entry.ticket, FlightState::timed_out);
      const std::string operation = description();
      if (options.overdue) options.overdue(operation);
      inner.abort(operation + " was not done by its deadline");
    }

    /// A call that has begun.
    struct UnderWay {
      FlightRecorder::Ticket ticket;  ///< of its record
      CollectiveOperation operation;
    };

    AnyCollective inner;
    std::shared_ptr<FlightRecorder> recorder;
    RecordedOptions options;
    int communicator;
    std::vector<std::uint64_t> sent, received;
    int splits = 0;
    std::vector<UnderWay> under_way;
    std::shared_ptr<detail::Watchdog> watchdog = detail::Watchdog::of_process();
    std::shared_ptr<detail::Watched> watched;
  };

  explicit RecordedCollective(std::unique_ptr<End> end) : end_(std::move(end)) {}

  std::unique_ptr<End> end_;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/flight/recorded_collective.ipp"
#endif
