#pragma once

#include "assay/collectives/guarded_collective.hpp"

#include <optional>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE GuardedCollective::GuardedCollective(AnyCollective inner,
                                                                std::shared_ptr<Coordinator> coordinator)
    : inner_(std::move(inner)), coordinator_(std::move(coordinator)) {
  expect(coordinator_ != nullptr && coordinator_->rank() == inner_.rank() && coordinator_->size() == inner_.size(),
         [&] {
           return "a guarded collective was given " +
                  (coordinator_ == nullptr ? std::string("no coordinator")
                                           : "the coordinator of rank " + std::to_string(coordinator_->rank()) +
                                                 " of " + std::to_string(coordinator_->size())) +
                  " for rank " + std::to_string(inner_.rank()) + " of " + std::to_string(inner_.size()) +
                  "; give one of the same ranks";
         });
}

ASSAY_DETAIL_HEADER_INLINE Result<void> GuardedCollective::agree(std::span<const CollectiveCall> calls,
                                                                 Deadline deadline) {
  std::string mine;
  for (const CollectiveCall& call : calls) {
    if (auto right = check_call_and_buffers(call, rank(), size()); !right) {
      mine = refused + right.error().message;
      break;
    }
    mine += signature_of(call) + "\n";
  }
  auto texts = coordinator_->exchange(std::move(mine), deadline);
  if (!texts) return texts.propagate();
  for (const auto& text : texts.value())
    if (text && text->rfind(refused, 0) == 0) return failure(ErrorKind::invalid, text->substr(refused.size()));
  std::vector<int> absent;
  std::vector<std::vector<CollectiveCall>> groups;
  for (std::size_t rank = 0; rank < texts.value().size(); ++rank) {
    const auto& text = texts.value()[rank];
    if (!text) absent.push_back(static_cast<int>(rank));
    auto group = calls_of(text.value_or(""));
    if (!group) return group.propagate();
    groups.push_back(std::move(group).value());
  }
  const std::string what = calls.empty() ? "no operation" : signature_of(calls.front());
  if (!absent.empty())
    return failure(ErrorKind::timed_out,
                   what + ": " + detail::rank_list(absent) + " did not come in time; nothing was begun");
  return compare(groups, what);
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<CollectiveCall>> GuardedCollective::calls_of(std::string_view text) {
  std::vector<CollectiveCall> calls;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    auto call = call_of_signature(text.substr(0, end));
    if (!call) return call.propagate();
    calls.push_back(std::move(call).value());
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return calls;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> GuardedCollective::compare(
    const std::vector<std::vector<CollectiveCall>>& groups, const std::string& what) {
  for (std::size_t rank = 1; rank < groups.size(); ++rank) {
    if (groups[rank].size() == groups[0].size()) continue;
    return failure(ErrorKind::invalid, what + ": rank " + std::to_string(rank) + " groups " +
                                           std::to_string(groups[rank].size()) + " operations, rank 0 " +
                                           std::to_string(groups[0].size()));
  }
  std::string all;
  for (std::size_t i = 0; !groups.empty() && i < groups[0].size(); ++i) {
    std::vector<std::optional<CollectiveCall>> calls;
    for (const auto& group : groups) calls.emplace_back(group[i]);
    for (const CallMismatch& mismatch : call_mismatches(calls)) all += (all.empty() ? "" : "; ") + mismatch.message;
  }
  if (all.empty()) return {};
  return failure(ErrorKind::invalid, "the ranks' calls do not match: " + all);
}

}  // namespace assay::inline v0
