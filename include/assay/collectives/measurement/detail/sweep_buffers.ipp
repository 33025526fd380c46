#pragma once

#include "assay/collectives/measurement/detail/sweep_buffers.hpp"

#include <algorithm>
#include <cstring>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Result<SweepBlock> SweepBlock::of(const CollectiveMemory& memory, std::size_t bytes) {
  auto allocated = memory.allocate(std::max<std::size_t>(bytes, 1));
  if (!allocated) return allocated.propagate();
  SweepBlock block;
  block.memory_ = &memory;
  block.block_ = allocated.value();
  block.bytes_ = std::max<std::size_t>(bytes, 1);
  return block;
}

ASSAY_DETAIL_HEADER_INLINE Result<SweepBuffers> SweepBuffers::make(const CollectiveMemory& memory,
                                                                   const CollectiveProblem& problem, int rank, int size,
                                                                   unsigned calls, double budget) {
  SweepBuffers buffers(memory, problem, rank, size);
  for (std::uint64_t call = 0; call < static_cast<std::uint64_t>(size);
       ++call) {  // a send_receive and an all_to_all_v differ from call to call
    const CollectiveCall form = call_of(problem, rank, size, call);
    buffers.sent_ = std::max(buffers.sent_, send_extent(form, rank, size));
    buffers.received_ = std::max(buffers.received_, receive_extent(form, rank, size));
  }
  const double width = static_cast<double>(bytes_of(problem.type));
  const double whole = problem.in_place ? static_cast<double>(std::max(buffers.sent_, buffers.received_))
                                        : static_cast<double>(buffers.sent_ + buffers.received_);
  const double input = problem.in_place ? 0 : static_cast<double>(buffers.sent_);
  const double fitting = std::max(1.0, (budget / width - input) / std::max(whole, 1.0));
  const auto outputs = static_cast<std::size_t>(std::min(fitting, static_cast<double>(std::max(calls, 1u))));
  for (std::size_t i = 0; i < outputs; ++i) {
    const Index elements = problem.in_place ? std::max(buffers.sent_, buffers.received_) : buffers.received_;
    if (auto added = buffers.add(buffers.outputs_, elements); !added) return added.propagate();
    if (auto poisoned = buffers.poison(i); !poisoned) return poisoned.propagate();
  }
  if (!problem.in_place)
    for (std::size_t i = 0; i <= outputs; ++i) {
      if (auto added = buffers.add(buffers.inputs_, buffers.sent_); !added) return added.propagate();
      if (auto written = buffers.write(buffers.inputs_[i].data(), i, 0, buffers.sent_); !written)
        return written.propagate();
    }
  return buffers;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> SweepBuffers::prepare(std::uint64_t index) {
  constexpr Index small = Index{1} << 18;
  const std::size_t output = index % outputs_.size();
  if (problem_.in_place) {
    if (received_ <= small)
      if (auto poisoned = poison(output); !poisoned) return poisoned;
    const auto [from, length] = sent_part();
    return write(outputs_[output].data() + static_cast<std::size_t>(from) * width(), data_call(index), 0, length);
  }
  return received_ <= small ? poison(output) : Result<void>();
}

ASSAY_DETAIL_HEADER_INLINE CollectiveCall SweepBuffers::call(std::uint64_t index) const {
  CollectiveCall made = call_of(problem_, rank_, size_, data_call(index));
  made.multiplier = data_.pattern().multiplier(rank_);
  char* output = outputs_[index % outputs_.size()].data();
  made.receive = output;
  made.send = problem_.in_place ? output : inputs_[index % inputs_.size()].data();
  if (problem_.in_place) {
    made.send = output + static_cast<std::size_t>(sent_part().first) * width();
    made.receive = output + static_cast<std::size_t>(received_at()) * width();
  }
  if (receive_extent(made, rank_, size_) == 0) made.receive = nullptr;
  if (send_extent(made, rank_, size_) == 0) made.send = nullptr;
  return made;
}

ASSAY_DETAIL_HEADER_INLINE Result<RankFinding> SweepBuffers::inspect(std::uint64_t index) {
  const char* output = outputs_[index % outputs_.size()].data() + static_cast<std::size_t>(received_at()) * width();
  RankFinding finding;
  finding.rank = rank_;
  finding.call = data_call(index);
  const auto parts = expected_parts(problem_, rank_, size_, finding.call);
  for (const StreamPart& part : parts) {
    auto found = host(output + static_cast<std::size_t>(part.at) * width(), part.length);
    if (!found) return found.propagate();
    finding.elements += part.length;
    finding.wrong +=
        data_.compare(found.value(), finding.call, part.source, part.from, part.length, part.at, finding.runs);
  }
  if (finding.wrong == 0) return finding;
  const Index extent = receive_extent(call_of(problem_, rank_, size_, finding.call), rank_, size_);
  auto whole = host(output, extent);
  if (!whole) return whole.propagate();
  const auto* bytes = static_cast<const char*>(whole.value());
  finding.suspicions =
      diagnose_output(data_, rank_, finding.call, bytes, extent, poison_byte, parts, finding.runs, finding.wrong);
  if (finding.runs.size() > RankFinding::most_runs) finding.runs.resize(RankFinding::most_runs);
  return finding;
}

ASSAY_DETAIL_HEADER_INLINE Result<Index> SweepBuffers::changed_inputs() {
  Index sum = 0;
  std::vector<ElementRun> runs;
  std::vector<char> expected;
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    for (Index at = 0; at < sent_; at += piece) {
      const Index length = std::min(piece, sent_ - at);
      auto found = host(inputs_[i].data() + static_cast<std::size_t>(at) * width(), length);
      if (!found) return found.propagate();
      expected.resize(static_cast<std::size_t>(length) * width());
      data_.write(expected.data(), i, rank_, at, length);
      if (std::memcmp(found.value(), expected.data(), expected.size()) == 0) continue;
      for (Index e = 0; e < length; ++e)
        sum += std::memcmp(static_cast<const char*>(found.value()) + static_cast<std::size_t>(e) * width(),
                           expected.data() + static_cast<std::size_t>(e) * width(), width()) != 0
                   ? 1
                   : 0;
    }
  return sum;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> SweepBuffers::write(char* to, std::uint64_t call, Index from, Index length) {
  if (memory_->host_accessible) {
    data_.write(to, call, rank_, from, length);
    return {};
  }
  for (Index at = 0; at < length; at += piece) {
    const Index part = std::min(piece, length - at);
    staging_.resize(static_cast<std::size_t>(part) * width());
    data_.write(staging_.data(), call, rank_, from + at, part);
    if (auto written = memory_->write(to + static_cast<std::size_t>(at) * width(), staging_.data(), staging_.size());
        !written)
      return written;
  }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> SweepBuffers::poison(std::size_t output) {
  const Index elements = problem_.in_place ? std::max(sent_, received_) : received_;
  const auto bytes = static_cast<std::size_t>(elements) * width();
  if (memory_->host_accessible) {
    std::memset(outputs_[output].data(), poison_byte, bytes);
    return {};
  }
  staging_.assign(bytes, static_cast<char>(poison_byte));
  return memory_->write(outputs_[output].data(), staging_.data(), bytes);
}

}  // namespace assay::inline v0::detail
