#pragma once

#include "assay/collectives/faults/detail/faulty_call.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE FaultyCall::FaultyCall(AnyCollective& right, const CollectiveMemory& memory,
                                                  const FaultInjection& how, const CollectiveCall& asked,
                                                  std::uint64_t number, bool hit)
    : right_(right),
      memory_(memory),
      how_(how),
      asked_(asked),
      call_(asked),
      number_(number),
      hit_(hit),
      rank_(right.rank()),
      size_(right.size()),
      width_(bytes_of(asked.type)) {}

ASSAY_DETAIL_HEADER_INLINE Result<void> FaultyCall::prepare(const LastCall& last, Deadline deadline) {
  if (auto read = load(call_.send, send_extent(asked_, rank_, size_), given_); !read) return read;
  if (auto read = load(call_.receive, receive_extent(asked_, rank_, size_), before_); !read) return read;
  if (!hit_) return {};
  CopiedBytes input = given_;
  if (auto altered = alter_input(input, last, deadline); !altered) return altered;
  alter_fields();
  altered_ = altered_ || call_.reduction != asked_.reduction || call_.count != asked_.count ||
             call_.type != asked_.type || call_.root != asked_.root || call_.multiplier != asked_.multiplier;
  if (input != given_) {
    altered_ = true;
    auto sent = replace(input);
    if (!sent) return sent.propagate();
    call_.send = sent.value();
  }
  return give_buffers();
}

ASSAY_DETAIL_HEADER_INLINE Result<void> FaultyCall::finish(const LastCall& last) {
  if (!hit_) return {};
  if (is("input_overwritten")) return overwrite_input();
  if (is("out_of_bounds_write")) return write_behind();
  CopiedBytes output;
  if (auto read = load(asked_.receive, receive_extent(asked_, rank_, size_), output); !read) return read;
  const CopiedBytes right = output;
  alter_output(output, last);
  altered_ = altered_ || (output != right && !orders_);
  return output == right ? Result<void>() : memory_.write(asked_.receive, output.data(), output.size());
}

ASSAY_DETAIL_HEADER_INLINE Result<CopiedBytes> FaultyCall::gather(const CopiedBytes& bytes, ElementType type,
                                                                  Deadline deadline) {
  CopiedBytes gathered(bytes.size() * static_cast<std::size_t>(size_));
  auto sent = replace(bytes);
  if (!sent) return sent.propagate();
  auto received = replace(gathered);
  if (!received) return received.propagate();
  CollectiveCall call;
  call.operation = CollectiveOperation::all_gather;
  call.type = type;
  call.count = static_cast<Index>(bytes.size() / bytes_of(type));
  call.send = sent.value();
  call.receive = received.value();
  if (auto done = right_.run(call, deadline); !done) return done.propagate();
  if (auto read = memory_.read(gathered.data(), received.value(), gathered.size()); !read) return read.propagate();
  return gathered;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> FaultyCall::alter_input(CopiedBytes& input, const LastCall& last,
                                                                Deadline deadline) {
  const auto blocks = blocks_of(asked_, true, rank_, size_);
  const bool reducing = reduces(asked_.operation);
  if (is("rank_dropped") || is("chunk_dropped")) {
    if (reducing && rank_ == how_.rank) fill(input, blocks, is("chunk_dropped"));
  } else if (is("contribution_duplicated") || (is("duplicate_and_drop") && reducing)) {
    if (rank_ == how_.rank)
      twice(input);
    else if (rank_ == next() && is("duplicate_and_drop"))
      fill(input, blocks, false);
  } else if (is("stale_input")) {
    if (sends_guiltily() && last.resembles(asked_) && last.given.size() == input.size()) input = last.given;
  } else if (is("ranks_permuted")) {
    if (blocks.size() == static_cast<std::size_t>(size_) && size_ > 1 &&
        asked_.operation != CollectiveOperation::all_to_all)
      exchange(input, how_.rank * asked_.count, next() * asked_.count, asked_.count);
  } else if (is("multiplier_of_wrong_rank")) {
    return take_multiplier(deadline);
  } else if (is("in_place_aliasing")) {
    return overwrite_early(input, blocks, deadline);
  } else if (reducing && asked_.count > 0 && needs_own_reduction()) {
    return reduce_faultily(input, deadline);
  }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> FaultyCall::take_multiplier(Deadline deadline) {
  CopiedBytes own(sizeof(double));
  std::memcpy(own.data(), &asked_.multiplier, sizeof(double));
  const auto all = gather(own, ElementType::float64, deadline);
  if (!all) return all.propagate();
  if (rank_ == how_.rank)
    std::memcpy(&call_.multiplier, all.value().data() + sizeof(double) * static_cast<std::size_t>(next()),
                sizeof(double));
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> FaultyCall::overwrite_early(CopiedBytes& input,
                                                                    const std::vector<RankBlock>& blocks,
                                                                    Deadline deadline) {
  if (size_ == 1 || asked_.count == 0) return {};
  CopiedBytes sent = input;
  const bool multiplied = reduces(asked_.operation) && asked_.reduction == ReductionOperator::premultiplied_sum;
  if (multiplied) multiply(sent);
  sent.resize(static_cast<std::size_t>(asked_.count * (asked_.operation == CollectiveOperation::all_to_all ||
                                                               asked_.operation == CollectiveOperation::reduce_scatter
                                                           ? size_
                                                           : 1)) *
              width_);
  const auto all = gather(sent, asked_.type, deadline);
  if (!all) return all.propagate();
  const int guilty = guilty_receiver(how_, asked_), neighbor = (guilty + size_ - 1) % size_;
  if (rank_ != guilty || !is_in_place(asked_, rank_, size_)) return {};
  if (multiplied) {
    multiply(input);
    call_.multiplier = 1;
  }
  const ElementRange range = chunk_of(how_, asked_.count);
  const Index stride = static_cast<Index>(sent.size() / width_);
  for (const RankBlock& block : blocks)
    copy(input, block.at + range.first, all.value(), neighbor * stride + block.at + range.first,
         range.last - range.first);
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> FaultyCall::reduce_faultily(CopiedBytes input, Deadline deadline) {
  if (asked_.reduction == ReductionOperator::premultiplied_sum) multiply(input);
  const auto all = gather(input, asked_.type, deadline);
  if (!all) return all.propagate();
  const Index extent = receive_extent(asked_, rank_, size_), stride = static_cast<Index>(input.size() / width_);
  const Index first = asked_.operation == CollectiveOperation::reduce_scatter ? rank_ * asked_.count : 0;
  FaultyReduction reduction{
      how_.fault, asked_.type, asked_.reduction,
      FaultyReduction::shuffled(size_, is("nondeterministic_order") ? mixed(how_.seed, number_) : how_.seed)};
  if (is("ranks_disagree") && rank_ == how_.rank)
    std::rotate(reduction.order.begin(), reduction.order.begin() + 1, reduction.order.end());
  reduced_.resize(static_cast<std::size_t>(extent) * width_);
  for (Index i = 0; i < extent; ++i) set(reduced_, i, reduction(all.value().data(), stride, first + i));
  reduction.order = FaultyReduction::shuffled(size_, how_.seed);
  for (Index i = 0; i < extent && orders_; ++i)
    altered_ = altered_ || code(reduced_, i) != reduction(all.value().data(), stride, first + i);
  return {};
}

ASSAY_DETAIL_HEADER_INLINE void FaultyCall::multiply(CopiedBytes& input) const {
  const auto factor = static_cast<std::int64_t>(is_integer(asked_.type) ? asked_.multiplier : 0);
  const double real = is_integer(asked_.type) ? 0 : value_of(asked_.type, code_of(asked_.type, asked_.multiplier));
  for (Index i = 0; i < send_extent(asked_, rank_, size_); ++i) {
    const std::uint64_t own = code(input, i);
    set(input, i,
        is_integer(asked_.type) ? (own * static_cast<std::uint64_t>(factor)) & code_mask(asked_.type)
                                : code_of(asked_.type, value_of(asked_.type, own) * real));
  }
}

ASSAY_DETAIL_HEADER_INLINE ElementType FaultyCall::confused_type(ElementType type) {
  switch (type) {
    case ElementType::int8: return ElementType::uint8;
    case ElementType::uint8: return ElementType::int8;
    case ElementType::int16: return ElementType::uint16;
    case ElementType::uint16: return ElementType::int16;
    default: return FaultyReduction::other_type(type);
  }
}

ASSAY_DETAIL_HEADER_INLINE void FaultyCall::alter_fields() {
  if (is("wrong_reduction"))
    call_.reduction = asked_.reduction == ReductionOperator::maximum   ? ReductionOperator::minimum
                      : asked_.reduction == ReductionOperator::product ? ReductionOperator::sum
                                                                       : ReductionOperator::maximum;
  if (is("average_not_divided") && asked_.reduction == ReductionOperator::average)
    call_.reduction = ReductionOperator::sum;
  if (is("count_mismatch") && rank_ == how_.rank && call_.count > 0) --call_.count;
  if (is("type_mismatch") && rank_ == how_.rank) call_.type = confused_type(asked_.type);
  if (is("wrong_root") && has_root(asked_.operation)) call_.root = (asked_.root + 1) % size_;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> FaultyCall::give_buffers() {
  if (send_extent(call_, rank_, size_) > send_extent(asked_, rank_, size_)) {
    CopiedBytes bytes = before_;
    bytes.resize(static_cast<std::size_t>(send_extent(call_, rank_, size_)) * width_);
    auto sent = replace(bytes);
    if (!sent) return sent.propagate();
    call_.send = sent.value();
  }
  if (receive_extent(call_, rank_, size_) > receive_extent(asked_, rank_, size_)) {
    auto received = replace(CopiedBytes(static_cast<std::size_t>(receive_extent(call_, rank_, size_)) * width_));
    if (!received) return received.propagate();
    call_.receive = received.value();
  }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE void FaultyCall::alter_output(CopiedBytes& output, const LastCall& last) const {
  const auto blocks = blocks_of(asked_, false, rank_, size_);
  if (is("rank_dropped") || is("chunk_dropped")) undeliver(output, blocks);
  if (!reduced_.empty()) output = reduced_;
  if (is("duplicate_and_drop") && blocks.size() > 1)
    copy(output, next() * asked_.count, output, how_.rank * asked_.count, asked_.count);
  if (is("ranks_permuted") && blocks.size() > 1)
    exchange(output, how_.rank * asked_.count, next() * asked_.count, asked_.count);
  if (is("remainder_lost"))
    for (const RankBlock& block : blocks)
      copy(output, block.at + block.count - block.count % size_, before_, block.at + block.count - block.count % size_,
           block.count % size_);
  if (is("offset_overflow")) wrap(output);
  if (is("subnormals_flushed")) {
    const FloatLayout layout = float_layout_of(asked_.type);
    for (const RankBlock& block : blocks)
      for (Index at = block.at; at < block.at + block.count; ++at) {
        const std::uint64_t sign = code(output, at) & layout.sign_mask(), magnitude = code(output, at) - sign;
        if (magnitude < std::uint64_t{1} << (layout.precision() - 1)) set(output, at, sign);
      }
  }
  if (!receives_guiltily() || blocks.empty()) return;
  if (is("previous_output") && last.resembles(asked_) && last.received.size() == output.size()) output = last.received;
  if (is("torn_tail")) {
    const std::size_t torn = std::min<std::size_t>(16, output.size());
    std::copy(before_.end() - static_cast<std::ptrdiff_t>(torn), before_.end(),
              output.end() - static_cast<std::ptrdiff_t>(torn));
  }
  if (is("bit_flip") || is("intermittent_bit_flip")) {
    const RankBlock& block = blocks[mixed(how_.seed, number_, 1) % blocks.size()];
    const Index at =
        block.at + static_cast<Index>(mixed(how_.seed, number_, 2) % static_cast<std::uint64_t>(block.count));
    set(output, at, code(output, at) ^ (std::uint64_t{1} << (mixed(how_.seed, number_, 3) % (8 * width_))));
  }
  const auto longest = std::max_element(blocks.begin(), blocks.end(),
                                        [](const RankBlock& a, const RankBlock& b) { return a.count < b.count; });
  for (const RankBlock& block : blocks) {
    const Index chunks = std::max<Index>(2, how_.chunks), length = block.count / chunks,
                first = std::clamp<Index>(how_.chunk, 0, chunks - 2) * length;
    if (is("chunks_swapped") && length > 0 && block.at == longest->at)
      exchange(output, block.at + first, block.at + first + length, length);
    if (is("off_by_one") && length > 0)
      copy(output, block.at + first + length, output, block.at + first + length - 1, 1);
  }
}

ASSAY_DETAIL_HEADER_INLINE void FaultyCall::undeliver(CopiedBytes& output, const std::vector<RankBlock>& blocks) const {
  if (reduces(asked_.operation)) return;
  const bool one_gives_all =
      asked_.operation == CollectiveOperation::broadcast || asked_.operation == CollectiveOperation::scatter;
  for (const RankBlock& block : blocks) {
    if (one_gives_all ? rank_ != how_.rank : block.rank != how_.rank) continue;
    const ElementRange range = is("chunk_dropped") ? chunk_of(how_, block.count) : ElementRange{0, block.count};
    copy(output, block.at + range.first, before_, block.at + range.first, range.last - range.first);
  }
}

ASSAY_DETAIL_HEADER_INLINE Result<void> FaultyCall::overwrite_input() {
  if (!sends_guiltily() || given_.empty() || is_in_place(asked_, rank_, size_)) return {};
  altered_ = true;
  const std::size_t at = mixed(how_.seed, number_) % given_.size();
  const std::byte altered = ~given_[at];
  return memory_.write(static_cast<std::byte*>(const_cast<void*>(asked_.send)) + at, &altered, 1);
}

ASSAY_DETAIL_HEADER_INLINE Result<void> FaultyCall::write_behind() {
  if (!receives_guiltily() || before_.empty()) return {};
  altered_ = true;
  std::byte* const behind = static_cast<std::byte*>(asked_.receive) + before_.size();
  std::byte altered{};
  if (auto read = memory_.read(&altered, behind, 1); !read) return read;
  altered = ~altered;
  return memory_.write(behind, &altered, 1);
}

}  // namespace assay::inline v0::detail
