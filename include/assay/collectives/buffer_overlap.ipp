#pragma once

#include "assay/collectives/buffer_overlap.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE InPlaceForm in_place_form(const CollectiveCall& call, int rank) {
  switch (call.operation) {
    case CollectiveOperation::all_reduce:
    case CollectiveOperation::broadcast:
    case CollectiveOperation::reduce:
    case CollectiveOperation::all_to_all:
    case CollectiveOperation::send_receive: return {true, true, 0};
    case CollectiveOperation::all_gather:
    case CollectiveOperation::gather: return {true, true, rank * call.count};
    case CollectiveOperation::reduce_scatter:
    case CollectiveOperation::scatter: return {true, false, rank * call.count};
    case CollectiveOperation::all_to_all_v:
    case CollectiveOperation::barrier: break;
  }
  return {};
}

/// Two blocks of an all_to_all_v that are written to the same memory: their ranks, or −1.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::pair<int, int> colliding_blocks(const RankBlockLayout& layout) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < layout.counts.size(); ++i)
    if (layout.counts[i] > 0) order.push_back(i);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return layout.displacements[a] < layout.displacements[b]; });
  for (std::size_t i = 1; i < order.size(); ++i)
    if (layout.displacements[order[i - 1]] + layout.counts[order[i - 1]] > layout.displacements[order[i]])
      return std::minmax(static_cast<int>(order[i - 1]), static_cast<int>(order[i]));
  return {-1, -1};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<void> check_overlap(const CollectiveCall& call, int rank, int size) {
  const auto refuse = [&](const std::string& what) {
    return Result<void>(failure(ErrorKind::invalid, "rank " + std::to_string(rank) + " of " + std::to_string(size) +
                                                        ", " + std::string(name_of(call.operation)) + ": " + what));
  };
  if (call.operation == CollectiveOperation::all_to_all_v)
    if (const auto [first, second] = detail::colliding_blocks(call.received); first >= 0)
      return refuse("received: the blocks of ranks " + std::to_string(first) + " and " + std::to_string(second) +
                    " overlap; give each memory of its own");
  const Index sent = send_extent(call, rank, size), received = receive_extent(call, rank, size);
  if (sent == 0 || received == 0) return {};
  const auto bytes = [&](Index elements) { return static_cast<std::uintptr_t>(elements) * bytes_of(call.type); };
  const auto send = reinterpret_cast<std::uintptr_t>(call.send),
             receive = reinterpret_cast<std::uintptr_t>(call.receive);
  if (send + bytes(sent) <= receive || receive + bytes(received) <= send) return {};
  const detail::InPlaceForm form = detail::in_place_form(call, rank);
  if (!form.allowed)
    return refuse("send and receive overlap; this operation is not done in place: give memory of its own");
  if (form.send_within_receive ? send == receive + bytes(form.offset) : receive == send + bytes(form.offset)) return {};
  const std::string inner = form.send_within_receive ? "send" : "receive",
                    outer = form.send_within_receive ? "receive" : "send";
  return refuse("send and receive overlap, and not as in place, where " + inner + " is " + outer +
                (form.offset > 0 ? " + " + std::to_string(form.offset) + " elements" : "") +
                "; give that, or memory of its own");
}

}  // namespace assay::inline v0
