#pragma once

#include "assay/collectives/flight/run_guarded.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE Outcome not_run(const std::string& id, std::string why) {
  Outcome outcome;
  outcome.id = id;
  outcome.verdict = Verdict::skipped;
  outcome.reason = std::move(why);
  return outcome;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<Outcome>> run_guarded(AnyCollective collective, Coordinator& coordinator,
                                                                    std::span<const GuardedCheck> checks,
                                                                    const GuardOptions& options) {
  expect(options.after_hang == AfterHang::end || options.renew, [] {
    return "run_guarded() is to go on after a hang; GuardOptions::renew must say how to make a new communicator";
  });
  const auto recorder = std::make_shared<FlightRecorder>(coordinator.rank(), coordinator.size());
  auto recorded = RecordedCollective::make(std::move(collective), recorder, options.recorded);
  if (!recorded) return recorded.propagate();
  AnyCollective current(std::move(recorded).value());
  std::vector<Outcome> outcomes;
  std::string ended;
  for (const GuardedCheck& check : checks) {
    if (!ended.empty()) {
      outcomes.push_back(detail::not_run(check.id, ended));
      continue;
    }
    auto found = check.run(current);
    if (!found && found.error().kind == ErrorKind::unsupported) {  // which harms no communicator
      Outcome outcome = detail::not_run(check.id, found.error().message);
      outcome.verdict = Verdict::unsupported;
      found = std::move(outcome);
    }
    auto said = coordinator.exchange(found ? "" : std::string(name_of(Verdict::error)),
                                     deadline_after(options.agreement_deadline));
    std::vector<int> absent;
    bool lost = !said;
    for (std::size_t rank = 0; said && rank < said.value().size(); ++rank) {
      if (!said.value()[rank]) absent.push_back(static_cast<int>(rank));
      lost = lost || !said.value()[rank] || !said.value()[rank]->empty();
    }
    if (!lost) {
      outcomes.push_back(std::move(found).value());
      if (outcomes.back().id.empty()) outcomes.back().id = check.id;
      continue;
    }
    FlightExchange flights;
    if (said)
      if (auto exchanged =
              exchange_flights(coordinator, recorder->flight(), deadline_after(options.agreement_deadline)))
        flights = std::move(exchanged).value();
    const HangReport report = hang_report(std::move(flights.flights), flight_time_now(), flights.problems);
    Outcome outcome = hang_outcome(report, check.id);
    if (outcome.verdict != Verdict::fail)
      outcome.verdict = Verdict::error;  // though records show nothing: the check gave an error
    if (!report.hangs())
      outcome.reason = !found  ? found.error().message
                       : !said ? said.error().message
                               : "another rank lost the communicator";
    else if (!found)
      outcome.diagnosis.push_back(found.error().message);
    if (!absent.empty())
      outcome.diagnosis.push_back(detail::rank_list(absent) + " did not come to agree after the check");
    outcomes.push_back(std::move(outcome));

    const std::string because = "the communicator was lost in " + check.id;
    if (!absent.empty() || !said) {
      ended = because + ", and not all ranks are left";
    } else if (options.after_hang == AfterHang::end) {
      ended = because + "; the run was to end then";
    } else {
      auto renewed = options.renew();
      auto again = renewed ? RecordedCollective::make(std::move(renewed).value(), recorder, options.recorded)
                           : Result<RecordedCollective>(renewed.propagate());
      auto all = coordinator.exchange(again ? "" : again.error().message, deadline_after(options.agreement_deadline));
      if (!all) ended = because + ": " + all.error().message;
      for (std::size_t rank = 0; all && rank < all.value().size(); ++rank)
        if (const auto& text = all.value()[rank]; !text || !text->empty())
          ended = because + ", and rank " + std::to_string(rank) + " has no new one" + (text ? ": " + *text : "");
      if (again && ended.empty()) current = AnyCollective(std::move(again).value());
    }
  }
  return outcomes;
}

}  // namespace assay::inline v0
