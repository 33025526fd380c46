#pragma once

#include "assay/collectives/call_signature.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string signature_of(const CollectiveCall& call) {
  std::string text(name_of(call.operation));
  if (call.operation == CollectiveOperation::barrier) return text;
  text += " " + std::string(name_of(call.type));
  if (call.operation == CollectiveOperation::all_to_all_v) {
    for (const RankBlockLayout* layout : {&call.sent, &call.received}) {
      text += layout == &call.sent ? " sent " : " received ";
      for (std::size_t i = 0; i < layout->counts.size(); ++i)
        text += (i > 0 ? "," : "") + std::to_string(layout->counts[i]);
    }
    return text;
  }
  text += " " + std::to_string(call.count);
  if (reduces(call.operation)) text += " " + std::string(name_of(call.reduction));
  if (has_root(call.operation)) text += " root " + std::to_string(call.root);
  const auto other = [](int rank) { return rank < 0 ? std::string("none") : std::to_string(rank); };
  if (call.operation == CollectiveOperation::send_receive)
    text += " to " + other(call.destination) + " from " + other(call.source);
  return text;
}

namespace detail {

ASSAY_DETAIL_HEADER_INLINE bool SignatureWords::next_counts(std::vector<Index>& counts) {
  std::string_view list = next();
  while (!list.empty()) {
    const std::size_t end = list.find(',');
    if (!read(list.substr(0, end), counts.emplace_back())) return false;
    list = end == std::string_view::npos ? std::string_view() : list.substr(end + 1);
  }
  return true;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<CollectiveCall> call_of_signature(std::string_view signature) {
  const auto read = [&]() -> std::optional<CollectiveCall> {
    CollectiveCall call;
    detail::SignatureWords words{signature};
    const auto operation = collective_operation_named(words.next());
    if (!operation) return std::nullopt;
    call.operation = *operation;
    if (call.operation == CollectiveOperation::barrier) return call;
    const auto type = element_type_named(words.next());
    if (!type) return std::nullopt;
    call.type = *type;
    if (call.operation == CollectiveOperation::all_to_all_v) {
      if (words.next() != "sent" || !words.next_counts(call.sent.counts) || words.next() != "received" ||
          !words.next_counts(call.received.counts))
        return std::nullopt;
      return call;
    }
    if (!words.next(call.count)) return std::nullopt;
    if (reduces(call.operation)) {
      const auto reduction = reduction_named(words.next());
      if (!reduction) return std::nullopt;
      call.reduction = *reduction;
    }
    if (has_root(call.operation) && (words.next() != "root" || !words.next(call.root))) return std::nullopt;
    if (call.operation == CollectiveOperation::send_receive &&
        (words.next() != "to" || !words.next_rank_or_none(call.destination) || words.next() != "from" ||
         !words.next_rank_or_none(call.source)))
      return std::nullopt;
    return call;
  };
  if (auto call = read()) return *std::move(call);
  return failure(ErrorKind::malformed, "'" + std::string(signature) + "' is no signature of a collective call");
}

namespace detail {

ASSAY_DETAIL_HEADER_INLINE void add_disagreement(std::vector<CallMismatch>& found,
                                                 std::span<const std::optional<CollectiveCall>> calls,
                                                 const std::string& field,
                                                 const std::function<std::string(const CollectiveCall&)>& value_of) {
  std::map<std::string, std::vector<int>> groups;
  for (std::size_t rank = 0; rank < calls.size(); ++rank)
    if (calls[rank]) groups[value_of(*calls[rank])].push_back(static_cast<int>(rank));
  if (groups.size() < 2) return;
  std::vector<std::pair<std::string, std::vector<int>>> sides(groups.begin(), groups.end());
  std::sort(sides.begin(), sides.end(), [](const auto& a, const auto& b) {
    return a.second.size() != b.second.size() ? a.second.size() < b.second.size() : a.first < b.first;
  });
  const bool has_most = sides.back().second.size() > sides[sides.size() - 2].second.size();
  CallMismatch mismatch{field, {}, field + ": "};
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const auto& [value, ranks] = sides[i];
    mismatch.message += (i > 0 ? ", " : "") + rank_list(ranks) + (ranks.size() == 1 ? " gives " : " give ") + value;
    if (!has_most || i + 1 < sides.size()) mismatch.ranks.insert(mismatch.ranks.end(), ranks.begin(), ranks.end());
  }
  std::sort(mismatch.ranks.begin(), mismatch.ranks.end());
  found.push_back(std::move(mismatch));
}

/// What one rank sends must be what the other receives.
ASSAY_DETAIL_HEADER_INLINE void add_unpaired(std::vector<CallMismatch>& found,
                                             std::span<const std::optional<CollectiveCall>> calls) {
  const auto text = [](int rank) { return rank < 0 ? std::string("nobody") : "rank " + std::to_string(rank); };
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (!calls[i]) continue;
    const int rank = static_cast<int>(i), to = calls[i]->destination, from = calls[i]->source;
    const auto at = [&](int other) -> const CollectiveCall* {
      const auto index = static_cast<std::size_t>(other);
      return other >= 0 && index < calls.size() && calls[index] ? &*calls[index] : nullptr;
    };
    if (const CollectiveCall* other = at(to); other != nullptr && other->source != rank)
      found.push_back(
          {"destination",
           {rank, to},
           "destination: " + text(rank) + " sends to " + text(to) + ", which receives from " + text(other->source)});
    else if (other != nullptr && other->count != calls[i]->count)
      found.push_back({"count",
                       {rank, to},
                       "count: " + text(rank) + " sends " + std::to_string(calls[i]->count) + " elements to " +
                           text(to) + ", which expects " + std::to_string(other->count)});
    if (const CollectiveCall* other = at(from); other != nullptr && other->destination != rank)
      found.push_back(
          {"source",
           {rank, from},
           "source: " + text(rank) + " receives from " + text(from) + ", which sends to " + text(other->destination)});
  }
}

ASSAY_DETAIL_HEADER_INLINE void add_unequal_blocks(std::vector<CallMismatch>& found,
                                                   std::span<const std::optional<CollectiveCall>> calls) {
  const auto block = [](const std::vector<Index>& counts, std::size_t of) {
    return of < counts.size() ? counts[of] : 0;
  };
  for (std::size_t i = 0; i < calls.size(); ++i) {
    for (std::size_t j = 0; j < calls.size(); ++j) {
      if (!calls[i] || !calls[j] || block(calls[i]->sent.counts, j) == block(calls[j]->received.counts, i)) continue;
      found.push_back({"sent",
                       {static_cast<int>(i), static_cast<int>(j)},
                       "sent: rank " + std::to_string(i) + " sends " + std::to_string(block(calls[i]->sent.counts, j)) +
                           " elements to rank " + std::to_string(j) + ", which expects " +
                           std::to_string(block(calls[j]->received.counts, i))});
    }
  }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<CallMismatch> call_mismatches(
    std::span<const std::optional<CollectiveCall>> calls) {
  std::vector<CallMismatch> found;
  detail::add_disagreement(found, calls, "operation",
                           [](const CollectiveCall& call) { return std::string(name_of(call.operation)); });
  if (!found.empty()) return found;
  const auto first = std::find_if(calls.begin(), calls.end(), [](const auto& call) { return call.has_value(); });
  if (first == calls.end() || (*first)->operation == CollectiveOperation::barrier) return found;
  const CollectiveOperation operation = (*first)->operation;

  detail::add_disagreement(found, calls, "type",
                           [](const CollectiveCall& call) { return std::string(name_of(call.type)); });
  if (operation == CollectiveOperation::send_receive)
    detail::add_unpaired(found, calls);
  else if (operation == CollectiveOperation::all_to_all_v)
    detail::add_unequal_blocks(found, calls);
  else
    detail::add_disagreement(found, calls, "count",
                             [](const CollectiveCall& call) { return std::to_string(call.count); });
  if (reduces(operation))
    detail::add_disagreement(found, calls, "reduction",
                             [](const CollectiveCall& call) { return std::string(name_of(call.reduction)); });
  if (has_root(operation))
    detail::add_disagreement(found, calls, "root",
                             [](const CollectiveCall& call) { return std::to_string(call.root); });
  return found;
}

}  // namespace assay::inline v0
