#pragma once

#include "assay/collectives/flight/detail/wait_analysis.hpp"

#include <limits>
#include <map>
#include <optional>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE const FlightRecord* last_of(const RankFlight& flight) {
  const FlightRecord* last = nullptr;
  for (auto at = flight.records.rbegin(); at != flight.records.rend(); ++at) {
    if (at->stuck()) return &*at;
    if (last == nullptr && !(at->state == FlightState::failed && at->error == ErrorKind::aborted)) last = &*at;
    if (at->state == FlightState::completed) break;
  }
  return last != nullptr || flight.records.empty() ? last : &flight.records.back();
}

/// By how many nanoseconds the clock of `member` may be ahead of that of `other`, on another machine: no rank leaves an
/// operation to which all contribute before the last one came. Of ranks without such an operation clocks are taken to
/// agree.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::int64_t clock_lead(const CommunicatorFlight::Member& member,
                                                                 const CommunicatorFlight::Member& other) {
  using enum CollectiveOperation;
  std::optional<std::int64_t> least;
  auto at = other.collectives.begin();
  for (const FlightRecord* own : member.collectives) {
    while (at != other.collectives.end() && (*at)->sequence < own->sequence) ++at;
    if (at == other.collectives.end()) break;
    const bool all_contribute = own->operation == barrier ||
                                (own->count > 0 && (own->operation == all_reduce || own->operation == all_gather ||
                                                    own->operation == reduce_scatter || own->operation == all_to_all));
    if ((*at)->sequence != own->sequence || !all_contribute || own->state != FlightState::completed) continue;
    least = std::min(least.value_or(std::numeric_limits<std::int64_t>::max()), own->ended_at - (*at)->entered_at);
  }
  return std::max<std::int64_t>(least.value_or(0), 0);
}

/// Whether `member` surely came when `waiting`, whose record it is, had given up.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool came_too_late(const CommunicatorFlight::Member& member,
                                                            const CommunicatorFlight::Member& waiting,
                                                            const FlightRecord& record,
                                                            const std::vector<const RankFlight*>& flights) {
  if (record.state != FlightState::timed_out || member.aborted == nullptr || member.aborted->sequence > record.sequence)
    return false;
  const auto host = [&](const CommunicatorFlight::Member& of) {
    return flights[static_cast<std::size_t>(of.rank)]->host;
  };
  const std::int64_t lead = host(member) == host(waiting) ? 0 : clock_lead(member, waiting);
  return member.aborted->entered_at - lead >= record.ended_at;
}

ASSAY_DETAIL_HEADER_INLINE std::string standing_text(ProcessLife life, const FlightRecord* last, double seconds) {
  std::string text(name_of(life) == "unknown" ? "" : name_of(life));
  if (!text.empty()) text += ", ";
  if (last == nullptr) return text + "no operation recorded";
  text += (last->stuck() ? "in " : "last ") + description_of(*last) + " in '" + last->communicator + "', ";
  switch (last->state) {
    case FlightState::entered: return text + "for " + seconds_text(seconds);
    case FlightState::timed_out: return text + "given up after " + seconds_text(seconds);
    case FlightState::completed: return text + "completed " + seconds_text(seconds) + " ago";
    case FlightState::failed: break;
  }
  return text + "failed (" + std::string(enum_name(last->error)) + ") " + seconds_text(seconds) + " ago";
}

/// Whether a process that is dead had given up, or been told of an error, before: its end came of the hang, and is not
/// the cause of it.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool died_of_the_hang(const RankFlight& flight) {
  if (flight.records.empty() || flight.records.back().state == FlightState::entered) return false;
  const FlightRecord& last = flight.records.back();
  return last.state == FlightState::timed_out ||
         (last.state == FlightState::failed && last.error != ErrorKind::unsupported);
}

/// Whose process was last seen more than a second before the half of all, where all are dead.
ASSAY_DETAIL_HEADER_INLINE void mark_first_dead(WaitAnalysis& waits, const std::vector<const RankFlight*>& flights) {
  std::vector<std::int64_t> seen;
  for (const RankFlight* flight : flights)
    if (flight != nullptr && flight->life != ProcessLife::dead)
      return;
    else if (flight != nullptr)
      seen.push_back(flight->last_seen_at);
  if (seen.size() < 2) return;
  waits.after_the_end = true;
  std::nth_element(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(seen.size() / 2), seen.end());
  const std::int64_t usual = seen[seen.size() / 2];
  for (std::size_t rank = 0; rank < flights.size(); ++rank)
    if (flights[rank] != nullptr && usual - flights[rank]->last_seen_at < 1'000'000'000)
      waits.lives[rank] = ProcessLife::unknown;
}

ASSAY_DETAIL_HEADER_INLINE WaitAnalysis wait_analysis(const std::vector<CommunicatorFlight>& communicators,
                                                      const std::vector<const RankFlight*>& flights) {
  WaitAnalysis waits;
  waits.blocked.resize(flights.size());
  for (const RankFlight* flight : flights)
    waits.lives.push_back(flight == nullptr ? ProcessLife::unknown : flight->life);
  mark_first_dead(waits, flights);
  for (std::size_t rank = 0; rank < flights.size(); ++rank)
    if (flights[rank] != nullptr && died_of_the_hang(*flights[rank])) waits.lives[rank] = ProcessLife::unknown;
  const auto is_dead = [&](int rank) {
    return rank >= 0 && waits.lives[static_cast<std::size_t>(rank)] == ProcessLife::dead;
  };

  struct Wait {
    const FlightRecord* record;
    int rank;
    const std::vector<int>* absent;  ///< ranks of the world; -1: nameless
  };
  std::vector<Wait> all;
  std::map<std::pair<const CommunicatorFlight*, std::uint64_t>, std::vector<int>> absent_from;
  std::map<const FlightRecord*, std::vector<int>> absent_peers;
  std::set<int> waited_for, failed, waits_for_somebody;
  for (const CommunicatorFlight& communicator : communicators) {
    std::map<std::pair<int, int>, std::uint64_t> last_sent, last_received;
    for (const auto& member : communicator.members)
      for (const FlightRecord* record : member.messages) {
        if (own_failure(*record)) continue;  // nothing came of it
        if (record->destination >= 0) last_sent[{record->rank, record->destination}] = record->sent_number;
        if (record->source >= 0) last_received[{record->source, record->rank}] = record->received_number;
      }
    const auto peer = [&](int rank, std::vector<int>& absent) {
      if (static_cast<std::size_t>(rank) < communicator.members.size())
        absent.push_back(communicator.members[static_cast<std::size_t>(rank)].rank);
    };
    for (const auto& member : communicator.members) {
      if (member.failed != nullptr) failed.insert(member.rank);
      if (member.blocked == nullptr || is_dead(member.rank)) continue;
      const FlightRecord& record = *member.blocked;
      std::vector<int>* absent;
      if (record.point_to_point()) {
        absent = &absent_peers[&record];
        const auto behind = [](const auto& numbers, std::pair<int, int> link, std::uint64_t number) {
          const auto found = numbers.find(link);
          return found == numbers.end() || found->second < number;
        };
        if (record.destination >= 0 && behind(last_received, {record.rank, record.destination}, record.sent_number))
          peer(record.destination, *absent);
        if (record.source >= 0 && behind(last_sent, {record.source, record.rank}, record.received_number))
          peer(record.source, *absent);
      } else {
        const auto [at, is_new] = absent_from.try_emplace({&communicator, record.sequence});
        absent = &at->second;
        for (const auto& other : communicator.members)
          if (is_new && (other.reached < record.sequence || came_too_late(other, member, record, flights) ||
                         (other.reached == record.sequence &&
                          (other.failed != nullptr || (other.blocked != nullptr && is_dead(other.rank))))))
            absent->push_back(other.rank);
      }
      all.push_back({&record, member.rank, absent});
      auto& own = waits.blocked[static_cast<std::size_t>(member.rank)];
      if (own == nullptr || record.entered_at < own->entered_at) own = &record;
      for (const auto& other : communicator.members)
        if (!record.point_to_point() && came_too_late(other, member, record, flights)) waits.late.insert(other.rank);
      if (!absent->empty()) waits_for_somebody.insert(member.rank);
      waited_for.insert(absent->begin(), absent->end());
    }
  }
  for (std::size_t rank = 0; rank < waits.blocked.size(); ++rank)
    if (waits.blocked[rank] != nullptr) waits.waiting.push_back(static_cast<int>(rank));
  for (const auto& [at, absent] : absent_from)
    waits.nameless = std::max(waits.nameless, static_cast<std::size_t>(std::count(absent.begin(), absent.end(), -1)));
  waited_for.erase(-1);

  const auto those = [&](auto accept) {
    std::vector<int> found;
    for (const int rank : waited_for)
      if (accept(rank)) found.push_back(rank);
    return found;
  };
  const auto blocked = [&](int rank) { return waits.blocked[static_cast<std::size_t>(rank)] != nullptr; };
  const auto blame = [&](HangCause cause, std::vector<int> ranks) {
    if (!waits.guilty.empty() || ranks.empty()) return;
    waits.cause = cause;
    waits.guilty = std::move(ranks);
  };
  blame(HangCause::rank_died, those(is_dead));
  blame(HangCause::failed, those([&](int rank) { return failed.count(rank) > 0; }));
  blame(HangCause::never_entered,
        those([&](int rank) { return flights[static_cast<std::size_t>(rank)] != nullptr && !blocked(rank); }));
  blame(HangCause::no_record, those([&](int rank) { return flights[static_cast<std::size_t>(rank)] == nullptr; }));
  if (waits.guilty.empty() && waits.nameless > 0)
    waits.cause = HangCause::no_record;
  else {
    blame(HangCause::still_inside, those([&](int rank) { return waits_for_somebody.count(rank) == 0; }));
    blame(HangCause::communicators_crossed, those([](int) { return true; }));
  }
  for (const Wait& wait : all) {
    const bool concerned =
        waits.guilty.empty()
            ? waits.nameless == 0 || std::count(wait.absent->begin(), wait.absent->end(), -1) > 0
            : std::find(wait.absent->begin(), wait.absent->end(), waits.guilty.front()) != wait.absent->end();
    if (concerned && (waits.record == nullptr || wait.record->entered_at < waits.record->entered_at))
      waits.record = wait.record;
  }
  if (waits.cause == HangCause::none && waits.record != nullptr) {
    std::vector<int> inside;
    std::size_t members = 0;
    for (const CommunicatorFlight& communicator : communicators) {
      if (communicator.name != waits.record->communicator) continue;
      members = communicator.members.size();
      for (const auto& member : communicator.members)
        if (member.blocked != nullptr) inside.push_back(member.rank);
    }
    const bool most_left = !waits.record->point_to_point() && 2 * inside.size() < members;
    waits.cause = most_left ? HangCause::still_inside : HangCause::all_inside;
    if (most_left) waits.guilty = inside;
  }
  if (waits.record != nullptr) waits.communicator = waits.record->communicator;
  if (waits.cause == HangCause::none) {  // nobody waits
    for (std::size_t rank = 0; rank < flights.size(); ++rank)
      if (is_dead(static_cast<int>(rank))) waits.guilty.push_back(static_cast<int>(rank));
    waits.cause = waits.guilty.empty() ? HangCause::none : HangCause::rank_died;
    blame(HangCause::failed, std::vector<int>(failed.begin(), failed.end()));
    if (!waits.guilty.empty()) {
      waits.record = last_of(*flights[static_cast<std::size_t>(waits.guilty.front())]);
      if (waits.record != nullptr) waits.communicator = waits.record->communicator;
    }
  }
  return waits;
}

ASSAY_DETAIL_HEADER_INLINE std::string waiting_text(const WaitAnalysis& waits, std::int64_t now) {
  std::vector<int> ranks;
  double longest = 0;
  bool given_up = true;
  for (const int rank : waits.waiting) {
    if (std::find(waits.guilty.begin(), waits.guilty.end(), rank) != waits.guilty.end() &&
        waits.cause == HangCause::still_inside)
      continue;
    const FlightRecord& record = *waits.blocked[static_cast<std::size_t>(rank)];
    ranks.push_back(rank);
    longest = std::max(longest, seconds_since(record, now));
    given_up = given_up && record.state == FlightState::timed_out;
  }
  if (ranks.empty()) return {};
  const std::string verb = ranks.size() == 1 ? " has waited for " : " have waited for ";
  return rank_list(ranks) + (given_up ? " gave up after " : verb) + seconds_text(longest);
}

/// "its last was broadcast #16 (f32, 4, root 0), completed 12.3 s ago", for the first of the ranks.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string last_text(const std::vector<int>& ranks,
                                                               const std::vector<const RankFlight*>& flights,
                                                               std::int64_t now, bool several) {
  const RankFlight* flight = flights[static_cast<std::size_t>(ranks.front())];
  const std::string whose = ranks.size() == 1 ? "its last" : "the last of rank " + std::to_string(ranks.front());
  if (flight == nullptr)
    return (ranks.size() == 1 ? "it" : "rank " + std::to_string(ranks.front())) + " left no record";
  if (flight->records.empty())
    return (ranks.size() == 1 ? "it" : "rank " + std::to_string(ranks.front())) + " has recorded no operation";
  const FlightRecord& last = *last_of(*flight);
  std::string text = whose + " was " + description_of(last) + (several ? " in '" + last.communicator + "'" : "");
  const std::string seconds = seconds_text(seconds_since(last, now));
  switch (last.state) {
    case FlightState::entered: return text + ", entered " + seconds + " ago";
    case FlightState::timed_out: return text + ", given up after " + seconds;
    case FlightState::completed: return text + ", completed " + seconds + " ago";
    case FlightState::failed: break;
  }
  return text + ", which failed (" + std::string(enum_name(last.error)) + ") " + seconds + " ago";
}

ASSAY_DETAIL_HEADER_INLINE std::string cause_sentence(const WaitAnalysis& waits,
                                                      const std::vector<const RankFlight*>& flights, std::int64_t now,
                                                      bool several) {
  const std::string waiting = waiting_text(waits, now);
  const std::string tail = waiting.empty() ? "" : "; " + waiting;
  const std::string operation =
      waits.record == nullptr ? ""
                              : description_of(*waits.record) + (several ? " in '" + waits.communicator + "'" : "");
  const bool one = waits.guilty.size() == 1;
  const std::string who = rank_list(waits.guilty);
  switch (waits.cause) {
    case HangCause::rank_died: {
      const RankFlight& first = *flights[static_cast<std::size_t>(waits.guilty.front())];
      std::string text = who + " died";
      if (one && first.process != 0)
        text += " (process " + std::to_string(first.process) + (first.host.empty() ? "" : " on " + first.host) + ")";
      return text + "; " + last_text(waits.guilty, flights, now, several) + tail +
             (tail.empty() || waits.record == nullptr ? "" : " in " + title_of(*waits.record));
    }
    case HangCause::failed: return who + " failed" + "; " + last_text(waits.guilty, flights, now, several) + tail;
    case HangCause::never_entered: {
      const RankFlight* first = flights[static_cast<std::size_t>(waits.guilty.front())];
      const std::string ended = one && first->life == ProcessLife::ended ? " and ended in order" : "";
      const std::string what = waits.record->point_to_point() ? " never came to the other end of rank " +
                                                                    std::to_string(waits.record->rank) + "'s "
                               : waits.late.count(waits.guilty.front()) > 0 ? " came too late to "
                                                                            : " never entered ";
      return who + what + operation + ended + "; " + last_text(waits.guilty, flights, now, several) + tail;
    }
    case HangCause::no_record:
      return (waits.guilty.empty() ? std::to_string(waits.nameless) + " ranks of '" + waits.communicator + "'" : who) +
             " left no record, and all others came to " + operation + tail;
    case HangCause::still_inside: {
      const FlightRecord* own = last_of(*flights[static_cast<std::size_t>(waits.guilty.front())]);
      return who + (one ? " is" : " are") + " still inside " +
             (own == nullptr ? operation
                             : description_of(*own) + (several ? " in '" + own->communicator + "'" : "") +
                                   (own->state == FlightState::timed_out ? ", given up after " : ", for ") +
                                   seconds_text(seconds_since(*own, now))) +
             ", which others have left" + tail;
    }
    case HangCause::all_inside:
      return "all ranks of '" + waits.communicator + "' came to " + description_of(*waits.record) +
             ", and it does not end, so the runtime or the network hangs" + tail;
    case HangCause::communicators_crossed: {
      std::string text = "ranks wait for each other in different communicators";
      std::map<std::string, std::vector<int>> places;
      for (const int rank : waits.waiting)
        places[description_of(*waits.blocked[static_cast<std::size_t>(rank)]) + " of '" +
               waits.blocked[static_cast<std::size_t>(rank)]->communicator + "'"]
            .push_back(rank);
      const char* separator = ": ";
      for (const auto& [place, ranks] : places) {
        text += separator + rank_list(ranks) + " in " + place;
        separator = ", ";
      }
      return text + tail;
    }
    default: break;
  }
  return "no rank waits, and all calls that were recorded match";
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> further_findings(const WaitAnalysis& waits,
                                                                     const std::vector<const RankFlight*>& flights,
                                                                     std::int64_t now, bool several) {
  std::vector<std::string> findings;
  constexpr std::size_t most = 8;
  for (std::size_t i = 1; i < waits.guilty.size() && i < most; ++i)
    findings.push_back("rank " + std::to_string(waits.guilty[i]) + ": " +
                       last_text({waits.guilty[i]}, flights, now, several));
  std::vector<int> absent, dead, torn;
  for (std::size_t rank = 0; rank < flights.size(); ++rank) {
    if (flights[rank] == nullptr)
      absent.push_back(static_cast<int>(rank));
    else if (flights[rank]->unfinished > 0)
      torn.push_back(static_cast<int>(rank));
    if (flights[rank] != nullptr && flights[rank]->life == ProcessLife::dead) dead.push_back(static_cast<int>(rank));
  }
  if (waits.after_the_end)
    findings.push_back("no process lives any more: they were ended together, or these records are old");
  else if (!dead.empty() && waits.cause != HangCause::rank_died)
    findings.push_back("dead: " + rank_list(dead));
  if (!absent.empty()) findings.push_back("no record of " + rank_list(absent));
  if (!torn.empty()) findings.push_back("ended while writing a record: " + rank_list(torn));
  return findings;
}

}  // namespace assay::inline v0::detail
