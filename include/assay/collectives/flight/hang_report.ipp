#pragma once

#include "assay/collectives/flight/hang_report.hpp"

#include <algorithm>
#include <map>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string HangReport::text() const {
  std::string all = sentence + "\n";
  for (const std::string& finding : findings) all += "  " + finding + "\n";
  for (const HangGroup& group : groups)
    all += "  " + detail::rank_list(group.ranks) + ": " +
           detail::standing_text(group.life, group.last ? &*group.last : nullptr, group.seconds) + "\n";
  return all;
}

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<HangGroup> hang_groups(
    const std::vector<const RankFlight*>& flights, std::int64_t now) {
  std::map<std::string, HangGroup> groups;
  for (std::size_t rank = 0; rank < flights.size(); ++rank) {
    const FlightRecord* last = flights[rank] == nullptr ? nullptr : last_of(*flights[rank]);
    const ProcessLife life = flights[rank] == nullptr ? ProcessLife::unknown : flights[rank]->life;
    std::string key(name_of(life));
    if (last != nullptr)
      key += std::string(name_of(last->state)) + last->communicator + "\n" +
             (last->point_to_point() ? title_of(*last) : description_of(*last));
    else if (flights[rank] == nullptr)
      key += " absent";
    HangGroup& group = groups[key];
    const double seconds = last == nullptr ? 0 : seconds_since(*last, now);
    if (group.ranks.empty())
      group = {{}, life, last == nullptr ? std::nullopt : std::optional<FlightRecord>(*last), seconds};
    group.ranks.push_back(static_cast<int>(rank));
    group.seconds =
        last != nullptr && last->stuck() ? std::min(group.seconds, seconds) : std::max(group.seconds, seconds);
  }
  std::vector<HangGroup> sorted;
  for (auto& [key, group] : groups) sorted.push_back(std::move(group));
  std::sort(sorted.begin(), sorted.end(), [](const HangGroup& a, const HangGroup& b) {
    return std::pair(a.ranks.size(), a.ranks.front()) < std::pair(b.ranks.size(), b.ranks.front());
  });
  return sorted;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE HangReport hang_report(std::vector<RankFlight> given, std::int64_t now,
                                                  std::span<const std::string> problems) {
  HangReport report;
  report.flights = std::move(given);
  std::size_t world = 0;
  for (const RankFlight& flight : report.flights)
    world = std::max(world, static_cast<std::size_t>(std::max(flight.size, 0)));
  std::vector<const RankFlight*> flights(world);
  for (const RankFlight& flight : report.flights) {
    if (flight.rank < 0 || flight.rank >= flight.size) {
      report.findings.push_back("a flight of rank " + std::to_string(flight.rank) + " of " +
                                std::to_string(flight.size) + " is left out: there is no such rank");
      continue;
    }
    if (flights[static_cast<std::size_t>(flight.rank)] != nullptr)
      report.findings.push_back("rank " + std::to_string(flight.rank) + " has several flights; the first counts");
    else
      flights[static_cast<std::size_t>(flight.rank)] = &flight;
    if (static_cast<std::size_t>(flight.size) != world)
      report.findings.push_back("rank " + std::to_string(flight.rank) + " takes the world for " +
                                std::to_string(flight.size) + " ranks, others for " + std::to_string(world));
  }
  const auto communicators = detail::communicator_flights(flights);
  const bool several = communicators.size() > 1;
  const auto in = [&](const std::string& communicator) {
    return several ? " in '" + communicator + "'" : std::string();
  };

  const detail::WaitAnalysis waits = detail::wait_analysis(communicators, flights);
  report.waiting = waits.waiting;
  const auto waiting_text = [&] { return detail::waiting_text(waits, now); };

  std::optional<detail::FlightMismatch> mismatch;
  for (const auto& communicator : communicators)
    for (auto& found : {detail::first_mismatch(communicator, world), detail::first_unequal_message(communicator)})
      if (found && (!mismatch || found->entered_at < mismatch->entered_at)) mismatch = found;
  std::string waited = detail::cause_sentence(waits, flights, now, several);

  if (mismatch) {
    report.cause = HangCause::mismatched_calls;
    report.communicator = mismatch->communicator->name;
    report.sequence = mismatch->sequence;
    report.culprits = mismatch->ranks;
    report.sentence = mismatch->title + in(report.communicator) + " does not match between ranks: ";
    for (std::size_t i = 0; i < mismatch->fields.size(); ++i)
      report.sentence += (i > 0 ? "; " : "") + mismatch->fields[i].message;
    if (!waits.waiting.empty()) report.sentence += "; " + waiting_text();
    if (const std::string order = detail::order_finding(*mismatch); !order.empty()) report.findings.push_back(order);
    for (const auto& [call, ranks] : mismatch->sides)
      report.findings.push_back(detail::rank_list(ranks) + (ranks.size() == 1 ? " calls " : " call ") + call);
    if (!waits.guilty.empty()) report.findings.push_back(waited);
  } else {
    report.cause = waits.cause;
    report.culprits = waits.guilty;
    report.communicator = waits.communicator;
    report.sequence = waits.record != nullptr ? waits.record->sequence : 0;
    report.sentence = waited;
  }
  for (const std::string& finding : detail::further_findings(waits, flights, now, several))
    report.findings.push_back(finding);
  for (const std::string& problem : problems) report.findings.push_back(problem);
  report.groups = detail::hang_groups(flights, now);
  return report;
}

}  // namespace assay::inline v0
