#pragma once

#include "assay/collectives/flight/recorded_collective.hpp"

#include <limits>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<RecordedCollective> RecordedCollective::split(int color) {
  RecordedOptions options = end_->options;
  options.communicator += "/" + std::to_string(end_->splits++) + ":" + std::to_string(color);
  auto part = end_->inner.split(color);
  if (!part) return part.propagate();
  return make(std::move(part).value(), end_->recorder, std::move(options));
}

ASSAY_DETAIL_HEADER_INLINE RecordedCollective::End::End(AnyCollective given,
                                                        std::shared_ptr<FlightRecorder> recorder_given,
                                                        RecordedOptions options_given, int number)
    : inner(std::move(given)),
      recorder(std::move(recorder_given)),
      options(std::move(options_given)),
      communicator(number),
      watched(std::make_shared<detail::Watched>([this] { overdue(); }, [this] { recorder->sign_of_life(); })) {
  sent.resize(static_cast<std::size_t>(inner.size()));
  received.resize(static_cast<std::size_t>(inner.size()));
  watchdog->add(watched);
}

ASSAY_DETAIL_HEADER_INLINE Result<void> RecordedCollective::End::watch(std::span<const CollectiveCall> calls,
                                                                       Deadline deadline) {
  if (calls.empty()) return inner.run_group(calls, deadline);
  under_way.clear();
  for (const CollectiveCall& call : calls) under_way.push_back({enter(call), call.operation});
  const std::int64_t latest = std::numeric_limits<std::int64_t>::max() / 2, due = detail::steady_nanoseconds(deadline);
  watched->begin(std::max<std::int64_t>(1, std::min(due, latest) + std::chrono::nanoseconds(options.grace).count()));
  Result<void> done = calls.size() == 1 ? inner.run(calls.front(), deadline) : inner.run_group(calls, deadline);
  const bool given_up = watched->end();
  const bool timed_out = given_up || (!done && done.error().kind == ErrorKind::timed_out);
  const FlightState state = done ? FlightState::completed : timed_out ? FlightState::timed_out : FlightState::failed;
  for (const UnderWay& entry : under_way)
    recorder->leave(entry.ticket, given_up ? FlightState::timed_out : state,
                    done ? ErrorKind::device : done.error().kind);
  if (!given_up) return done;
  return failure(ErrorKind::timed_out, description() + " of rank " + std::to_string(inner.rank()) + " in '" +
                                           options.communicator +
                                           "' did not end by its deadline; the watchdog aborted it" +
                                           (done ? "" : " (the runtime said: " + done.error().message + ")"));
}

ASSAY_DETAIL_HEADER_INLINE FlightRecorder::Ticket RecordedCollective::End::enter(const CollectiveCall& call) {
  if (call.operation != CollectiveOperation::send_receive) return recorder->enter(communicator, call);
  const auto number = [](std::vector<std::uint64_t>& numbers, int peer) {
    return peer >= 0 && static_cast<std::size_t>(peer) < numbers.size() ? ++numbers[static_cast<std::size_t>(peer)] : 0;
  };
  const std::uint64_t sent_number = number(sent, call.destination);
  return recorder->enter(communicator, call, sent_number, number(received, call.source));
}

}  // namespace assay::inline v0
