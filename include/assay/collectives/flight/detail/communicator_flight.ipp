#pragma once

#include "assay/collectives/flight/detail/communicator_flight.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::optional<std::uint64_t> CommunicatorFlight::front() const {
  std::optional<std::uint64_t> least;
  for (const Member& member : members)
    if (member.blocked != nullptr && !member.blocked->point_to_point() && (!least || member.blocked->sequence < *least))
      least = member.blocked->sequence;
  return least;
}

/// Name without ".2": what was joined again after a hang replaces what was before.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::pair<std::string, int> generation_of(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot + 1 == name.size() || name.size() - dot > 6 ||
      name.find_first_not_of("0123456789", dot + 1) != std::string::npos)
    return {name, 1};
  return {name.substr(0, dot), std::stoi(name.substr(dot + 1))};
}

ASSAY_DETAIL_HEADER_INLINE void find_position(CommunicatorFlight::Member& member) {
  for (const auto* records : {&member.collectives, &member.messages})
    for (auto at = records->rbegin(); at != records->rend() && (*at)->state != FlightState::completed; ++at) {
      if ((*at)->stuck() && (member.blocked == nullptr || (*at)->entered_at <= member.blocked->entered_at))
        member.blocked = *at;
      if ((*at)->state == FlightState::failed && (*at)->error == ErrorKind::aborted && !(*at)->point_to_point())
        member.aborted = *at;
      if (own_failure(**at) && (member.failed == nullptr || (*at)->entered_at <= member.failed->entered_at))
        member.failed = *at;
    }
  if (member.blocked != nullptr && member.failed != nullptr)
    (member.failed->entered_at < member.blocked->entered_at ? member.blocked : member.failed) = nullptr;
  if (!member.collectives.empty()) member.reached = member.collectives.back()->sequence;
  const FlightRecord* end = member.blocked != nullptr ? member.blocked : member.failed;
  if (end != nullptr && !end->point_to_point()) member.reached = end->sequence;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<CommunicatorFlight> communicator_flights(
    const std::vector<const RankFlight*>& flights) {
  std::map<std::string, int> latest;
  for (const RankFlight* flight : flights)
    if (flight != nullptr)
      for (const FlightMembership& membership : flight->communicators) {
        const auto [name, generation] = generation_of(membership.communicator);
        int& most = latest[name];
        most = std::max(most, generation);
      }
  std::map<std::string, CommunicatorFlight> found;
  for (const RankFlight* flight : flights) {
    if (flight == nullptr) continue;
    for (const FlightMembership& membership : flight->communicators) {
      const auto [name, generation] = generation_of(membership.communicator);
      if (generation < latest[name] || membership.rank < 0 || membership.rank >= membership.size ||
          static_cast<std::size_t>(membership.size) > flights.size())
        continue;
      CommunicatorFlight& communicator = found[membership.communicator];
      communicator.name = membership.communicator;
      if (communicator.members.size() < static_cast<std::size_t>(membership.size))
        communicator.members.resize(static_cast<std::size_t>(membership.size));
      CommunicatorFlight::Member& member = communicator.members[static_cast<std::size_t>(membership.rank)];
      member.rank = flight->rank;
      member.known = true;
    }
    for (const FlightRecord& record : flight->records) {
      const auto communicator = found.find(record.communicator);
      if (communicator == found.end() || record.rank < 0 ||
          static_cast<std::size_t>(record.rank) >= communicator->second.members.size())
        continue;
      CommunicatorFlight::Member& member = communicator->second.members[static_cast<std::size_t>(record.rank)];
      if (member.rank == flight->rank)
        (record.point_to_point() ? member.messages : member.collectives).push_back(&record);
    }
  }
  std::vector<CommunicatorFlight> all;
  for (auto& [name, communicator] : found) {
    // In a communicator of the whole world those who left no record are known by what is left.
    if (communicator.members.size() == flights.size()) {
      std::vector<bool> taken(flights.size());
      for (const auto& member : communicator.members)
        if (member.rank >= 0) taken[static_cast<std::size_t>(member.rank)] = true;
      for (std::size_t rank = 0; rank < communicator.members.size(); ++rank)
        if (communicator.members[rank].rank < 0 && !taken[rank])
          communicator.members[rank].rank = static_cast<int>(rank);
    }
    for (auto& member : communicator.members) find_position(member);
    all.push_back(std::move(communicator));
  }
  return all;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE CollectiveCall recorded_call(const FlightRecord& record) {
  CollectiveCall call;
  call.operation = record.operation;
  call.type = record.type;
  call.count = record.count;
  call.reduction = record.reduction;
  call.root = record.root;
  return call;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool same_call(const FlightRecord& a, const FlightRecord& b) {
  if (a.operation != b.operation) return false;
  if (a.operation == CollectiveOperation::barrier) return true;
  return a.type == b.type && (a.operation == CollectiveOperation::all_to_all_v || a.count == b.count) &&
         (!reduces(a.operation) || a.reduction == b.reduction) && (!has_root(a.operation) || a.root == b.root);
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string call_text(const FlightRecord& record) {
  const std::string arguments = arguments_of(record);
  return std::string(name_of(record.operation)) + (arguments.empty() ? "" : " (" + arguments + ")");
}

/// The elements that were sent by all ranks together must have been received, where all ranks' records are there.
ASSAY_DETAIL_HEADER_INLINE void add_lost_elements(FlightMismatch& mismatch,
                                                  std::span<const std::pair<int, const FlightRecord*>> records,
                                                  std::size_t members) {
  if (records.size() != members || records.front().second->operation != CollectiveOperation::all_to_all_v) return;
  Index sent = 0, received = 0;
  for (const auto& [rank, record] : records) {
    sent += record->count;
    received += record->received_count;
  }
  if (sent != received)
    mismatch.fields.push_back({"count",
                               {},
                               "count: the ranks send " + std::to_string(sent) + " elements together, and receive " +
                                   std::to_string(received)});
}

ASSAY_DETAIL_HEADER_INLINE std::optional<FlightMismatch> first_mismatch(const CommunicatorFlight& communicator,
                                                                        std::size_t world) {
  std::vector<std::tuple<std::uint64_t, int, const FlightRecord*>> all;
  for (const auto& member : communicator.members)
    for (const FlightRecord* record : member.collectives) all.emplace_back(record->sequence, member.rank, record);
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
  });
  for (std::size_t first = 0, last; first < all.size(); first = last) {
    bool differs = false;
    const FlightRecord& one = *std::get<2>(all[first]);
    for (last = first; last < all.size() && std::get<0>(all[last]) == one.sequence; ++last)
      differs = differs || !same_call(one, *std::get<2>(all[last]));
    if (!differs && one.operation != CollectiveOperation::all_to_all_v) continue;
    FlightMismatch mismatch{&communicator, "", one.sequence, one.entered_at, {}, {}, {}};
    std::vector<std::optional<CollectiveCall>> calls(world);
    std::vector<std::pair<int, const FlightRecord*>> records;
    for (std::size_t i = first; i < last; ++i) {
      const auto& [sequence, rank, record] = all[i];
      calls[static_cast<std::size_t>(rank)] = recorded_call(*record);
      records.emplace_back(rank, record);
      mismatch.entered_at = std::min(mismatch.entered_at, record->entered_at);
      const std::string description = call_text(*record);
      auto side = std::find_if(mismatch.sides.begin(), mismatch.sides.end(),
                               [&](const auto& known) { return known.first == description; });
      if (side == mismatch.sides.end()) side = mismatch.sides.insert(side, {description, {}});
      side->second.push_back(rank);
    }
    if (differs)
      mismatch.fields = call_mismatches(calls);
    else
      add_lost_elements(mismatch, records, communicator.members.size());
    if (mismatch.fields.empty()) continue;
    const bool one_operation = mismatch.fields.front().field != "operation";
    mismatch.title = one_operation ? title_of(one) : "call #" + std::to_string(one.sequence);
    for (const CallMismatch& field : mismatch.fields)
      mismatch.ranks.insert(mismatch.ranks.end(), field.ranks.begin(), field.ranks.end());
    std::sort(mismatch.ranks.begin(), mismatch.ranks.end());
    mismatch.ranks.erase(std::unique(mismatch.ranks.begin(), mismatch.ranks.end()), mismatch.ranks.end());
    std::sort(mismatch.sides.begin(), mismatch.sides.end(), [](const auto& a, const auto& b) {
      return std::pair(a.second.size(), a.second.front()) < std::pair(b.second.size(), b.second.front());
    });
    return mismatch;
  }
  return std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE std::optional<FlightMismatch> first_unequal_message(const CommunicatorFlight& communicator) {
  std::map<std::tuple<int, int, std::uint64_t>, const FlightRecord*> sent;
  for (const auto& member : communicator.members)
    for (const FlightRecord* record : member.messages)
      if (record->destination >= 0) sent[{record->rank, record->destination, record->sent_number}] = record;
  std::optional<FlightMismatch> earliest;
  for (const auto& member : communicator.members)
    for (const FlightRecord* record : member.messages) {
      if (record->source < 0) continue;
      const auto other = sent.find({record->source, record->rank, record->received_number});
      if (other == sent.end() || (other->second->type == record->type && other->second->count == record->count))
        continue;
      const std::int64_t entered_at = std::min(record->entered_at, other->second->entered_at);
      if (earliest && earliest->entered_at <= entered_at) continue;
      const int from = communicator.members[static_cast<std::size_t>(record->source)].rank, to = member.rank;
      const auto elements = [](const FlightRecord& of) {
        return std::to_string(of.count) + " " + std::string(name_of(of.type));
      };
      const std::string field = other->second->type != record->type ? "type" : "count";
      earliest = FlightMismatch{&communicator,
                                "message " + std::to_string(record->received_number) + " from rank " +
                                    std::to_string(from) + " to rank " + std::to_string(to),
                                record->sequence,
                                entered_at,
                                {{field,
                                  {std::min(from, to), std::max(from, to)},
                                  field + ": rank " + std::to_string(from) + " sends " + elements(*other->second) +
                                      ", rank " + std::to_string(to) + " receives " + elements(*record)}},
                                {std::min(from, to), std::max(from, to)},
                                {}};
    }
  return earliest;
}

ASSAY_DETAIL_HEADER_INLINE std::string order_finding(const FlightMismatch& mismatch) {
  if (mismatch.sides.size() != 2 || mismatch.fields.front().field != "operation") return {};
  const auto& [odd, odd_ranks] = mismatch.sides.front();
  const auto& [usual, usual_ranks] = mismatch.sides.back();
  const auto member_of = [&](int rank) {
    return std::find_if(mismatch.communicator->members.begin(), mismatch.communicator->members.end(),
                        [&](const auto& member) { return member.rank == rank; });
  };
  const auto calls_later = [&](int rank, const std::string& description) {
    for (const FlightRecord* record : member_of(rank)->collectives)
      if (record->sequence > mismatch.sequence && call_text(*record) == description) return true;
    return false;
  };
  const bool odd_comes_to_usual = calls_later(odd_ranks.front(), usual),
             usual_comes_to_odd = calls_later(usual_ranks.front(), odd);
  const std::string who = rank_list(odd_ranks), verb = odd_ranks.size() == 1 ? " calls " : " call ";
  if (odd_comes_to_usual && usual_comes_to_odd)
    return "order inverted: " + who + verb + odd + " before " + usual + ", " + rank_list(usual_ranks) +
           " the other way round";
  if (odd_comes_to_usual) return who + verb + odd + " in addition: " + usual + " comes after it";
  if (usual_comes_to_odd)
    return who + (odd_ranks.size() == 1 ? " has" : " have") + " left out " + usual + ": the others call " + odd +
           " after it";
  const auto& records = member_of(usual_ranks.front())->collectives;
  for (std::size_t i = records.size(); i-- > 1;) {
    const auto description = [&](std::size_t at) { return call_text(*records[at]); };
    if (records[i]->sequence >= mismatch.sequence) continue;
    if (description(i - 1) == usual && description(i) == odd)
      return "as #" + std::to_string(records[i - 1]->sequence) + " and #" + std::to_string(records[i]->sequence) +
             " all called " + usual + " and then " + odd + ": " + who + " inverted the order, or left the first out";
  }
  return {};
}

}  // namespace assay::inline v0::detail
