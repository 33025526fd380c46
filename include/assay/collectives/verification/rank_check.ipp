#pragma once

#include "assay/collectives/verification/rank_check.hpp"

#include <cstring>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<RankCheck> RankCheck::make(const AnyCollective& collective,
                                                             const CollectiveProblem& problem, std::size_t slots) {
  expect(slots > 0, [] { return "a check of a collective needs at least one slot"; });
  expect(problem.count >= 0 && problem.offset >= 0 &&
             (!has_root(problem.operation) || (problem.root >= 0 && problem.root < collective.size())),
         [&] {
           return "a problem of " + std::to_string(collective.size()) + " ranks was given count " +
                  std::to_string(problem.count) + ", offset " + std::to_string(problem.offset) + " and root " +
                  std::to_string(problem.root) + "; give 0 or more, and one of the ranks for the root";
         });
  if (problem.in_place && problem.operation == CollectiveOperation::all_to_all_v)
    return failure(ErrorKind::unsupported,
                   "an all_to_all_v in place is not defined: where the blocks of the input lie is not where those of "
                   "the output do");
  RankCheck check(problem, collective.rank(), collective.size());
  auto memory = std::make_shared<const CollectiveMemory>(collective.memory());
  for (std::size_t i = 0; i < slots; ++i) {
    Slot slot;
    for (const bool sends : {true, false}) {
      const Index elements = sends ? check.separate_send_ : check.receive_;
      if (elements < 0) continue;
      auto region = detail::GuardedRegion::make(memory, static_cast<std::size_t>(elements) * check.bytes_,
                                                static_cast<std::size_t>(problem.offset) * check.bytes_);
      if (!region) return region.propagate();
      (sends ? slot.send : slot.receive) = std::move(region).value();
    }
    check.slots_.push_back(std::move(slot));
  }
  return Result<RankCheck>(std::move(check));  // spelled out: nvcc would copy
}

ASSAY_DETAIL_HEADER_INLINE Result<void> RankCheck::prepare(std::size_t slot, std::uint64_t number) {
  Slot& own = slots_.at(slot);
  own.number = number;
  if (own.receive.exists()) std::memset(own.receive.data(), poison_, own.receive.bytes());
  if (send_ > 0) data_->write(input(own), number, rank_, 0, send_);
  for (detail::GuardedRegion* region : {&own.send, &own.receive})
    if (region->exists())
      if (auto pushed = region->push(); !pushed) return pushed;
  return {};
}

ASSAY_DETAIL_HEADER_INLINE CollectiveCall RankCheck::call(std::size_t slot) const {
  const Slot& own = slots_.at(slot);
  CollectiveCall made = detail::call_of(problem_, rank_, size_, own.number);
  made.multiplier = data_->pattern().multiplier(rank_);
  if (send_ > 0 || own.send.exists())
    made.send = own.send.exists() ? own.send.address() : own.receive.address() + input_at_;
  if (own.receive.exists())
    made.receive = own.receive.address();
  else if (output_in_send_)
    made.receive = own.send.address() + rank_ * problem_.count * static_cast<Index>(bytes_);
  return made;
}

ASSAY_DETAIL_HEADER_INLINE Result<RankFinding> RankCheck::inspect(std::size_t slot) {
  Slot& own = slots_.at(slot);
  for (detail::GuardedRegion* region : {&own.send, &own.receive})
    if (region->exists())
      if (auto pulled = region->pull(); !pulled) return pulled.propagate();
  RankFinding finding;
  finding.rank = rank_;
  finding.call = own.number;
  char* output = own.receive.exists() ? own.receive.data()
                 : output_in_send_    ? own.send.data() + rank_ * problem_.count * static_cast<Index>(bytes_)
                                      : nullptr;
  const auto parts = detail::expected_parts(problem_, rank_, size_, own.number);
  for (const detail::StreamPart& part : parts) {
    finding.elements += part.length;
    finding.wrong += data_->compare(output + part.at * static_cast<Index>(bytes_), own.number, part.source, part.from,
                                    part.length, part.at, finding.runs);
  }
  if (finding.wrong > 0)
    finding.suspicions =
        detail::diagnose_output(*data_, rank_, own.number, output, receive_ >= 0 ? receive_ : problem_.count, poison_,
                                parts, finding.runs, finding.wrong);
  if (finding.runs.size() > RankFinding::most_runs) finding.runs.resize(RankFinding::most_runs);
  if (!data_->is_exact() && problem_.operation == CollectiveOperation::all_reduce)
    finding.hash = hash_of(output, static_cast<std::size_t>(problem_.count) * bytes_);
  inspect_surroundings(own, parts, finding);
  return finding;
}

ASSAY_DETAIL_HEADER_INLINE std::uint64_t RankCheck::output_hash(std::size_t slot) {
  Slot& own = slots_.at(slot);
  if (own.receive.exists()) return hash_of(own.receive.data(), own.receive.bytes());
  return output_in_send_ ? hash_of(own.send.data() + rank_ * problem_.count * static_cast<Index>(bytes_),
                                   static_cast<std::size_t>(problem_.count) * bytes_)
                         : 0;
}

ASSAY_DETAIL_HEADER_INLINE RankCheck::RankCheck(const CollectiveProblem& problem, int rank, int size)
    : problem_(problem),
      rank_(rank),
      size_(size),
      bytes_(bytes_of(problem.type)),
      data_(std::make_shared<CollectiveData>(problem, rank, size)),
      poison_(data_->poison()) {
  using enum CollectiveOperation;
  const CollectiveCall call = detail::call_of(problem, rank, size, 0);
  send_ = send_extent(call, rank, size);
  const bool data = problem.operation != barrier, at_root = rank == problem.root || !has_root(problem.operation);
  separate_send_ = data && (send_ > 0 || at_root) ? send_ : -1;
  receive_ = data ? receive_extent(call, rank, size) : -1;
  if (problem.operation == all_to_all_v)
    receive_ = call.received.displacements.back() + call.received.counts.back() +
               1;  // behind every block, an empty one too, is an element that belongs to none
  if (!problem.in_place) {
    if (problem.operation == reduce && !at_root) receive_ = problem.count;  // there, and not to be touched
    return;
  }
  switch (problem.operation) {
    case reduce_scatter:
      output_in_send_ = true;
      receive_ = -1;
      break;
    case scatter:
      if (at_root) {
        output_in_send_ = true;
        receive_ = -1;
      }
      break;
    case reduce:
      if (at_root)
        separate_send_ = -1;
      else
        receive_ = -1;
      break;
    case gather:
      if (at_root)
        input_at_ = rank * problem.count * static_cast<Index>(bytes_), separate_send_ = -1;
      else
        receive_ = -1;
      break;
    case all_gather:
      input_at_ = rank * problem.count * static_cast<Index>(bytes_);
      separate_send_ = -1;
      break;
    case broadcast:
    case all_reduce:
    case all_to_all:
    case send_receive: separate_send_ = -1; break;
    case all_to_all_v:
    case barrier: break;
  }
}

ASSAY_DETAIL_HEADER_INLINE void RankCheck::inspect_surroundings(Slot& own, const std::vector<detail::StreamPart>& parts,
                                                                RankFinding& finding) {
  if (own.send.exists() && !output_in_send_ && send_ > 0) {
    scratch_.resize(own.send.bytes());
    data_->write(scratch_.data(), own.number, rank_, 0, send_);
    if (std::memcmp(scratch_.data(), own.send.data(), scratch_.size()) != 0) {
      Index first = 0;
      while (std::memcmp(scratch_.data() + first * static_cast<Index>(bytes_),
                         own.send.data() + first * static_cast<Index>(bytes_), bytes_) == 0)
        ++first;
      finding.suspicions.push_back({"input_overwritten", rank_, first, 1, 1,
                                    "rank " + std::to_string(rank_) + "'s input was altered from element " +
                                        std::to_string(first) + " on, though the output is elsewhere"});
    }
  }
  if (own.receive.exists() && (parts.empty() || problem_.operation == CollectiveOperation::all_to_all_v)) {
    Index at = 0;
    for (std::size_t i = 0; i <= parts.size(); ++i) {
      const Index end = i < parts.size() ? parts[i].at : receive_;
      for (; at < end; ++at) {
        const char* found = own.receive.data() + at * static_cast<Index>(bytes_);
        if (std::all_of(found, found + bytes_, [&](char byte) { return static_cast<unsigned char>(byte) == poison_; }))
          continue;
        const bool elsewhere = parts.empty();
        finding.suspicions.push_back(
            {elsewhere ? "wrong_root" : "out_of_bounds_write", elsewhere ? -1 : rank_, at, 1, 1,
             "rank " + std::to_string(rank_) + "'s element " + std::to_string(at) + " was written, which " +
                 (elsewhere ? "is the root's to receive" : "belongs to no block")});
        i = parts.size();
        break;
      }
      if (i < parts.size()) at = parts[i].at + parts[i].length;
    }
  }
  for (const bool sends : {true, false}) {
    detail::GuardedRegion& region = sends ? own.send : own.receive;
    if (!region.exists()) continue;
    if (const std::ptrdiff_t altered = region.altered_guard(); altered != 0)
      finding.suspicions.push_back(
          {"out_of_bounds_write", rank_, 0, 0, 1,
           "rank " + std::to_string(rank_) + ": byte " + std::to_string(altered < 0 ? -altered : altered) +
               (altered < 0 ? " before " : " behind ") + (sends ? "the input" : "the output") + " was written"});
  }
}

ASSAY_DETAIL_HEADER_INLINE std::uint64_t RankCheck::hash_of(const char* data, std::size_t bytes) {
  std::uint64_t lanes[4] = {1, 2, 3, 4}, words[4];
  std::size_t at = 0;
  const auto take = [&] {
    for (int i = 0; i < 4; ++i) lanes[i] = (lanes[i] ^ words[i]) * 0x9E3779B97F4A7C15u, lanes[i] ^= lanes[i] >> 29;
  };
  for (; at + sizeof words <= bytes; at += sizeof words) {
    std::memcpy(words, data + at, sizeof words);
    take();
  }
  std::memset(words, 0, sizeof words);
  if (at < bytes) std::memcpy(words, data + at, bytes - at);
  take();
  return detail::mixed(detail::mixed(lanes[0], lanes[1], bytes), lanes[2], lanes[3]);
}

}  // namespace assay::inline v0
