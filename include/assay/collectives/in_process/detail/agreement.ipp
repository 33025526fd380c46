#pragma once

#include "assay/collectives/in_process/detail/agreement.hpp"

#include <algorithm>
#include <optional>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::string title_of(const Arrival& arrival, std::uint64_t call) {
  const std::string number = "call " + std::to_string(call);
  if (arrival.color) return number + " (split)";
  if (arrival.calls.empty()) return number + " (an empty group)";
  return number + " (" + std::string(name_of(arrival.calls.front().operation)) +
         (arrival.calls.size() > 1 ? " and " + std::to_string(arrival.calls.size() - 1) + " more" : "") + ")";
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool plainly_equal(const CollectiveCall& a, const CollectiveCall& b) {
  if (a.operation != b.operation) return false;
  if (a.operation == CollectiveOperation::barrier) return true;
  if (a.type != b.type || (reduces(a.operation) && a.reduction != b.reduction) ||
      (has_root(a.operation) && a.root != b.root))
    return false;
  return a.operation == CollectiveOperation::all_to_all_v || a.count == b.count;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool blocks_match(const std::vector<Arrival>& arrivals, std::size_t index) {
  for (std::size_t i = 0; i < arrivals.size(); ++i)
    for (std::size_t j = 0; j < arrivals.size(); ++j)
      if (arrivals[i].calls[index].sent.counts[j] != arrivals[j].calls[index].received.counts[i]) return false;
  return true;
}

ASSAY_DETAIL_HEADER_INLINE std::string disagreement(const std::vector<Arrival>& arrivals) {
  std::vector<int> refused, splitting;
  for (std::size_t rank = 0; rank < arrivals.size(); ++rank) {
    if (!arrivals[rank].refusal.empty()) refused.push_back(static_cast<int>(rank));
    if (arrivals[rank].color) splitting.push_back(static_cast<int>(rank));
  }
  if (!refused.empty())
    return arrivals[static_cast<std::size_t>(refused.front())].refusal +
           (refused.size() > 1 ? "; others refuse as well: " + rank_list({refused.begin() + 1, refused.end()}) : "");
  if (!splitting.empty())
    return splitting.size() == arrivals.size() ? ""
                                               : "operation: " + rank_list(splitting) + " split, and the others do not";

  const std::size_t calls = arrivals.front().calls.size();
  std::vector<int> other_sizes;
  for (std::size_t rank = 1; rank < arrivals.size(); ++rank)
    if (arrivals[rank].calls.size() != calls) other_sizes.push_back(static_cast<int>(rank));
  if (!other_sizes.empty())
    return "operations in the group: rank 0 gives " + std::to_string(calls) + ", " + rank_list({other_sizes.front()}) +
           " gives " + std::to_string(arrivals[static_cast<std::size_t>(other_sizes.front())].calls.size());

  for (std::size_t index = 0; index < calls; ++index) {
    const CollectiveCall& first = arrivals.front().calls[index];
    bool equal = std::all_of(arrivals.begin(), arrivals.end(),
                             [&](const Arrival& arrival) { return plainly_equal(arrival.calls[index], first); });
    if (equal && first.operation == CollectiveOperation::all_to_all_v) equal = blocks_match(arrivals, index);
    if (equal) continue;
    std::vector<std::optional<CollectiveCall>> of_ranks;
    for (const Arrival& arrival : arrivals) of_ranks.emplace_back(arrival.calls[index]);
    std::string text;
    for (const CallMismatch& mismatch : call_mismatches(of_ranks))
      text += (text.empty() ? "" : "; ") + mismatch.message;
    return text;
  }
  return {};
}

/// Makes the communicators of the colors that the ranks brought.
ASSAY_DETAIL_HEADER_INLINE void make_parts(Communicator& whole) {
  Meeting& meeting = whole.meeting;
  meeting.parts.clear();
  for (int rank = 0; rank < whole.size(); ++rank)
    meeting.parts[*meeting.arrivals[static_cast<std::size_t>(rank)].color].second.push_back(rank);
  for (auto& [color, part] : meeting.parts) {
    std::vector<int> world_ranks;
    for (const int rank : part.second) world_ranks.push_back(whole.world_rank(rank));
    part.first = std::make_shared<Communicator>(whole.shared_world(), std::move(world_ranks));
    part.first->set_id(whole.world().add(part.first));
  }
}

/// Who holds up a meeting: those that have ended, if any; else those that are absent, once the deadline has passed.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<Error> reason_to_leave(const Communicator& communicator,
                                                                              const Meeting& meeting,
                                                                              const Arrival& mine, Deadline deadline) {
  const bool late = has_passed(deadline);
  if (!late && !communicator.any_ended()) return std::nullopt;
  std::vector<int> present, absent;
  for (int rank = 0; rank < communicator.size(); ++rank)
    (meeting.arrivals[static_cast<std::size_t>(rank)].present ? present : absent).push_back(rank);
  const std::string title = title_of(mine, meeting.round);
  for (const int rank : absent)
    if (auto ended = communicator.end_of_sender(rank))
      return Error{ended->kind, ended->message + "; " + title + " waits for it"};
  if (!late) return std::nullopt;
  return Error{ErrorKind::timed_out, "the deadline of " + title + " passed: " + rank_list(absent) +
                                         (absent.size() == 1 ? " has" : " have") + " not come, " + rank_list(present) +
                                         (present.size() == 1 ? " waits" : " wait")};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> agree(Communicator& communicator, int rank, Arrival arrival, bool stay,
                                              Deadline deadline) {
  Meeting& meeting = communicator.meeting;
  Arrival& mine = meeting.arrivals[static_cast<std::size_t>(rank)];
  std::unique_lock lock(meeting.mutex);
  const auto wait_while = [&](const auto& waiting) -> Result<void> {
    while (waiting()) {
      std::optional<Error> reason;
      if (communicator.is_broken())
        reason = communicator.error();
      else
        reason = reason_to_leave(communicator, meeting, arrival, deadline);
      if (reason) {
        lock.unlock();
        const Error broken = communicator.break_with(*std::move(reason));
        return failure(broken.kind, broken.message);
      }
      meeting.changed.wait_until(lock, deadline);
    }
    return {};
  };
  if (communicator.is_broken()) return failure(communicator.error().kind, communicator.error().message);
  if (auto free = wait_while([&] { return mine.present; }); !free) return free;  // one who did not stay last time

  const std::uint64_t round = meeting.round;
  if (!stay) {
    arrival.kept.assign(arrival.calls.begin(), arrival.calls.end());
    arrival.calls = arrival.kept;
  }
  arrival.present = true;
  mine = arrival;
  if (!stay) mine.calls = mine.kept;
  if (++meeting.present == communicator.size()) {
    const std::string what = disagreement(meeting.arrivals);
    meeting.refusal.reset();
    if (!what.empty())
      meeting.refusal =
          Error{ErrorKind::invalid, title_of(meeting.arrivals.front(), round) + " does not match: " + what};
    else if (arrival.color)
      make_parts(communicator);
    for (Arrival& each : meeting.arrivals) each = Arrival();
    meeting.present = 0;
    ++meeting.round;
    meeting.changed.notify_all();
  } else if (stay) {
    if (auto met = wait_while([&] { return meeting.round == round; }); !met) return met;
  }
  if (stay && meeting.refusal) return failure(meeting.refusal->kind, meeting.refusal->message);
  return {};
}

}  // namespace assay::inline v0::detail
