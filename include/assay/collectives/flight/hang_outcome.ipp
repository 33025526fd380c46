#pragma once

#include "assay/collectives/flight/hang_outcome.hpp"

#include <algorithm>
#include <limits>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// Ranks × the last operations of the communicator in question: how far each rank came in each. Not known is NaN.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE HeatMap hang_picture(const HangReport& report) {
  constexpr std::size_t most_columns = 48;
  HeatMap map;
  std::vector<const RankFlight*> flights;
  for (const RankFlight& flight : report.flights)
    if (flight.rank >= 0 && flight.rank < flight.size) {
      if (flights.size() < static_cast<std::size_t>(flight.size)) flights.resize(static_cast<std::size_t>(flight.size));
      if (flights[static_cast<std::size_t>(flight.rank)] == nullptr)
        flights[static_cast<std::size_t>(flight.rank)] = &flight;
    }
  for (CommunicatorFlight& communicator : communicator_flights(flights)) {
    if (communicator.name != report.communicator) continue;
    std::uint64_t last = 0;
    for (const auto& member : communicator.members) last = std::max(last, member.reached);
    if (last == 0) return map;
    const std::uint64_t first = last > most_columns ? last - most_columns + 1 : 1;
    map.rows = communicator.members.size();
    map.columns = static_cast<std::size_t>(last - first + 1);
    map.title = "'" + communicator.name + "': ranks × operations, column 0 is #" + std::to_string(first) +
                "; 0 completed, 1 inside, 2 failed, 3 not entered";
    for (const auto& member : communicator.members) {
      std::vector<double> row(map.columns, member.known ? 3 : std::numeric_limits<double>::quiet_NaN());
      if (!member.collectives.empty() && member.collectives.front()->sequence > first)  // overwritten in the ring
        std::fill(row.begin(),
                  row.begin() + static_cast<std::ptrdiff_t>(
                                    std::min<std::uint64_t>(map.columns, member.collectives.front()->sequence - first)),
                  std::numeric_limits<double>::quiet_NaN());
      for (const FlightRecord* record : member.collectives)
        if (record->sequence >= first && record->sequence <= last)
          row[record->sequence - first] = record->state == FlightState::completed ? 0 : record->stuck() ? 1 : 2;
      map.values.insert(map.values.end(), row.begin(), row.end());
    }
  }
  return map;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Outcome hang_outcome(const HangReport& report, std::string id) {
  Outcome outcome;
  outcome.id = std::move(id);
  const bool recorded = std::any_of(report.flights.begin(), report.flights.end(),
                                    [](const RankFlight& flight) { return !flight.records.empty(); });
  outcome.verdict = report.cause == HangCause::mismatched_calls ? Verdict::fail
                    : report.hangs()                            ? Verdict::error
                    : recorded && report.findings.empty()       ? Verdict::pass
                                                                : Verdict::inconclusive;
  outcome.reason = report.hangs() || recorded ? report.sentence : "no rank has recorded an operation";
  if (!report.hangs() && recorded && !report.findings.empty()) outcome.reason += "; " + report.findings.front();
  outcome.diagnosis = report.findings;
  outcome.labels = {{"operation", "collectives"}, {"check", "full"}};
  if (report.hangs()) outcome.labels["cause"] = std::string(name_of(report.cause));
  Table table{"who came how far", {"ranks", "process", "last operation", "of", "state", "since"}, {}};
  constexpr std::size_t most_rows = 64;
  for (const HangGroup& group : report.groups) {
    if (table.rows.size() == most_rows) {
      table.title +=
          " (the first " + std::to_string(most_rows) + " of " + std::to_string(report.groups.size()) + " groups)";
      break;
    }
    const bool has = group.last.has_value();
    table.rows.push_back({detail::rank_list(group.ranks), std::string(name_of(group.life)),
                          has ? description_of(*group.last) : "none recorded", has ? group.last->communicator : "",
                          has ? std::string(name_of(group.last->state)) : "",
                          has ? detail::seconds_text(group.seconds) : ""});
  }
  if (!table.rows.empty()) outcome.tables.push_back(std::move(table));
  if (HeatMap picture = detail::hang_picture(report); picture.rows > 0) outcome.heat_maps.push_back(std::move(picture));
  outcome.measure("ranks", static_cast<double>(report.flights.size()), "ranks");
  outcome.measure("waiting", static_cast<double>(report.waiting.size()), "ranks");
  return outcome;
}

}  // namespace assay::inline v0
