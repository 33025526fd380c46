#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/collectives/any_collective.hpp"
#include "assay/collectives/faults/detail/collective_blocks.hpp"
#include "assay/collectives/faults/detail/faulty_reduction.hpp"
#include "assay/collectives/faults/detail/scratch_buffer.hpp"

namespace assay::inline v0::detail {

/// What a rank gave and received in the last call, for faults that bring it back.
struct LastCall {
  std::optional<CollectiveCall> call;
  CopiedBytes given, received;

  [[nodiscard]] bool resembles(const CollectiveCall& other) const {
    return call && call->operation == other.operation && call->type == other.type && call->count == other.count;
  }
};

/// One call with a fault in what goes in, `prepare`, or in what comes out, `finish`; between them the right collective runs
/// `call()`. Every rank of the communicator makes one.
class FaultyCall {
 public:
  FaultyCall(AnyCollective& right, const CollectiveMemory& memory, const FaultInjection& how, const CollectiveCall& asked,
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

  [[nodiscard]] const CollectiveCall& call() const { return call_; }
  /// Whether anything is not as it would have been on this rank.
  [[nodiscard]] bool altered() const { return altered_; }

  [[nodiscard]] Result<void> prepare(const LastCall& last, Deadline deadline) {
    if (auto read = load(call_.send, send_extent(asked_, rank_, size_), given_); !read) return read;
    if (auto read = load(call_.receive, receive_extent(asked_, rank_, size_), before_); !read) return read;
    if (!hit_) return {};
    CopiedBytes input = given_;
    if (auto altered = alter_input(input, last, deadline); !altered) return altered;
    alter_fields();
    altered_ = altered_ || call_.reduction != asked_.reduction || call_.count != asked_.count || call_.type != asked_.type ||
               call_.root != asked_.root || call_.multiplier != asked_.multiplier;
    if (input != given_) {
      altered_ = true;
      auto sent = replace(input);
      if (!sent) return sent.propagate();
      call_.send = sent.value();
    }
    return give_buffers();
  }

  [[nodiscard]] Result<void> finish(const LastCall& last) {
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

  /// For the next call.
  [[nodiscard]] Result<void> remember(LastCall& last) {
    last.call = asked_;
    last.given = given_;
    return load(asked_.receive, receive_extent(asked_, rank_, size_), last.received);
  }

 private:
  [[nodiscard]] bool is(std::string_view fault) const { return how_.fault == fault; }
  [[nodiscard]] bool sends_guiltily() const { return rank_ == guilty_sender(how_, asked_); }
  [[nodiscard]] bool receives_guiltily() const { return rank_ == guilty_receiver(how_, asked_); }
  [[nodiscard]] int next() const { return (how_.rank + 1) % size_; }

  [[nodiscard]] Result<void> load(const void* from, Index extent, CopiedBytes& bytes) const {
    bytes.resize(static_cast<std::size_t>(extent) * width_);
    return bytes.empty() ? Result<void>() : memory_.read(bytes.data(), from, bytes.size());
  }
  [[nodiscard]] Result<void*> replace(const CopiedBytes& bytes) {
    auto buffer = ScratchBuffer::holding(memory_, bytes);
    if (!buffer) return buffer.propagate();
    scratch_.push_back(std::move(buffer).value());
    return scratch_.back().data();
  }

  [[nodiscard]] std::uint64_t code(const CopiedBytes& bytes, Index at) const { return load_code(bytes.data(), at, width_); }
  void set(CopiedBytes& bytes, Index at, std::uint64_t code) const { store_code(bytes.data(), at, width_, code); }
  void copy(CopiedBytes& to, Index at, const CopiedBytes& from, Index from_at, Index count) const {
    for (Index i = 0; i < count; ++i) set(to, at + i, code(from, from_at + i));
  }
  void exchange(CopiedBytes& bytes, Index a, Index b, Index count) const {
    const CopiedBytes old = bytes;
    copy(bytes, a, old, b, count);
    copy(bytes, b, old, a, count);
  }

  /// `bytes` of all ranks, in their order.
  [[nodiscard]] Result<CopiedBytes> gather(const CopiedBytes& bytes, ElementType type, Deadline deadline) {
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

  [[nodiscard]] Result<void> alter_input(CopiedBytes& input, const LastCall& last, Deadline deadline) {
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
      if (blocks.size() == static_cast<std::size_t>(size_) && size_ > 1 && asked_.operation != CollectiveOperation::all_to_all)
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

  void fill(CopiedBytes& input, const std::vector<RankBlock>& blocks, bool chunk_only) const {
    for (const RankBlock& block : blocks) {
      const ElementRange range = chunk_only ? chunk_of(how_, block.count) : ElementRange{0, block.count};
      for (Index i = range.first; i < range.last; ++i) set(input, block.at + i, FaultyReduction::identity(asked_.type, asked_.reduction));
    }
  }
  void twice(CopiedBytes& input) const {
    const ReductionOperator step = asked_.reduction == ReductionOperator::product ? ReductionOperator::product : ReductionOperator::sum;
    for (Index i = 0; i < send_extent(asked_, rank_, size_); ++i) set(input, i, reduced(asked_.type, step, code(input, i), code(input, i)));
  }

  [[nodiscard]] Result<void> take_multiplier(Deadline deadline) {
    CopiedBytes own(sizeof(double));
    std::memcpy(own.data(), &asked_.multiplier, sizeof(double));
    const auto all = gather(own, ElementType::float64, deadline);
    if (!all) return all.propagate();
    if (rank_ == how_.rank)
      std::memcpy(&call_.multiplier, all.value().data() + sizeof(double) * static_cast<std::size_t>(next()), sizeof(double));
    return {};
  }

  /// The neighbour's message is there before the own elements have been sent.
  [[nodiscard]] Result<void> overwrite_early(CopiedBytes& input, const std::vector<RankBlock>& blocks, Deadline deadline) {
    if (size_ == 1 || asked_.count == 0) return {};
    CopiedBytes sent = input;
    const bool multiplied = reduces(asked_.operation) && asked_.reduction == ReductionOperator::premultiplied_sum;
    if (multiplied) multiply(sent);
    sent.resize(
        static_cast<std::size_t>(
            asked_.count *
            (asked_.operation == CollectiveOperation::all_to_all || asked_.operation == CollectiveOperation::reduce_scatter ? size_ : 1)) *
        width_);
    const auto all = gather(sent, asked_.type, deadline);
    if (!all) return all.propagate();
    const int guilty = guilty_receiver(how_, asked_), neighbour = (guilty + size_ - 1) % size_;
    if (rank_ != guilty || !is_in_place(asked_, rank_, size_)) return {};
    if (multiplied) {
      multiply(input);
      call_.multiplier = 1;
    }
    const ElementRange range = chunk_of(how_, asked_.count);
    const Index stride = static_cast<Index>(sent.size() / width_);
    for (const RankBlock& block : blocks)
      copy(input, block.at + range.first, all.value(), neighbour * stride + block.at + range.first, range.last - range.first);
    return {};
  }

  [[nodiscard]] bool needs_own_reduction() const {
    return is("narrow_accumulator") || is("type_reinterpreted") || is("average_rounded_down") || is("nan_lost") || is("zero_sign_lost") ||
           is("nondeterministic_order") || is("ranks_disagree");
  }
  [[nodiscard]] Result<void> reduce_faultily(CopiedBytes input, Deadline deadline) {
    if (asked_.reduction == ReductionOperator::premultiplied_sum) multiply(input);
    const auto all = gather(input, asked_.type, deadline);
    if (!all) return all.propagate();
    const Index extent = receive_extent(asked_, rank_, size_), stride = static_cast<Index>(input.size() / width_);
    const Index first = asked_.operation == CollectiveOperation::reduce_scatter ? rank_ * asked_.count : 0;
    FaultyReduction reduction{how_.fault, asked_.type, asked_.reduction,
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
  void multiply(CopiedBytes& input) const {
    const auto factor = static_cast<std::int64_t>(is_integer(asked_.type) ? asked_.multiplier : 0);
    const double real = is_integer(asked_.type) ? 0 : value_of(asked_.type, code_of(asked_.type, asked_.multiplier));
    for (Index i = 0; i < send_extent(asked_, rank_, size_); ++i) {
      const std::uint64_t own = code(input, i);
      set(input, i,
          is_integer(asked_.type) ? (own * static_cast<std::uint64_t>(factor)) & code_mask(asked_.type)
                                  : code_of(asked_.type, value_of(asked_.type, own) * real));
    }
  }

  /// Another type of the same width that libraries have.
  [[nodiscard]] static ElementType confused_type(ElementType type) {
    switch (type) {
      case ElementType::int8: return ElementType::uint8;
      case ElementType::uint8: return ElementType::int8;
      case ElementType::int16: return ElementType::uint16;
      case ElementType::uint16: return ElementType::int16;
      default: return FaultyReduction::other_type(type);
    }
  }
  void alter_fields() {
    if (is("wrong_reduction"))
      call_.reduction = asked_.reduction == ReductionOperator::maximum   ? ReductionOperator::minimum
                        : asked_.reduction == ReductionOperator::product ? ReductionOperator::sum
                                                                         : ReductionOperator::maximum;
    if (is("average_not_divided") && asked_.reduction == ReductionOperator::average) call_.reduction = ReductionOperator::sum;
    if (is("count_mismatch") && rank_ == how_.rank && call_.count > 0) --call_.count;
    if (is("type_mismatch") && rank_ == how_.rank) call_.type = confused_type(asked_.type);
    if (is("wrong_root") && has_root(asked_.operation)) call_.root = (asked_.root + 1) % size_;
  }

  /// A wrong root needs buffers that it was not given: what it sends is what its own output held.
  [[nodiscard]] Result<void> give_buffers() {
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

  void alter_output(CopiedBytes& output, const LastCall& last) const {
    const auto blocks = blocks_of(asked_, false, rank_, size_);
    if (is("rank_dropped") || is("chunk_dropped")) undeliver(output, blocks);
    if (!reduced_.empty()) output = reduced_;
    if (is("duplicate_and_drop") && blocks.size() > 1) copy(output, next() * asked_.count, output, how_.rank * asked_.count, asked_.count);
    if (is("ranks_permuted") && blocks.size() > 1) exchange(output, how_.rank * asked_.count, next() * asked_.count, asked_.count);
    if (is("remainder_lost"))
      for (const RankBlock& block : blocks)
        copy(output, block.at + block.count - block.count % size_, before_, block.at + block.count - block.count % size_,
             block.count % size_);
    if (is("offset_overflow")) wrap(output);
    if (!receives_guiltily() || blocks.empty()) return;
    if (is("previous_output") && last.resembles(asked_) && last.received.size() == output.size()) output = last.received;
    if (is("torn_tail")) {
      const std::size_t torn = std::min<std::size_t>(16, output.size());
      std::copy(before_.end() - static_cast<std::ptrdiff_t>(torn), before_.end(), output.end() - static_cast<std::ptrdiff_t>(torn));
    }
    if (is("bit_flip") || is("intermittent_bit_flip")) {
      const RankBlock& block = blocks[mixed(how_.seed, number_, 1) % blocks.size()];
      const Index at = block.at + static_cast<Index>(mixed(how_.seed, number_, 2) % static_cast<std::uint64_t>(block.count));
      set(output, at, code(output, at) ^ (std::uint64_t{1} << (mixed(how_.seed, number_, 3) % (8 * width_))));
    }
    const auto longest =
        std::max_element(blocks.begin(), blocks.end(), [](const RankBlock& a, const RankBlock& b) { return a.count < b.count; });
    for (const RankBlock& block : blocks) {
      const Index chunks = std::max<Index>(2, how_.chunks), length = block.count / chunks,
                  first = std::clamp<Index>(how_.chunk, 0, chunks - 2) * length;
      if (is("chunks_swapped") && length > 0 && block.at == longest->at)
        exchange(output, block.at + first, block.at + first + length, length);
      if (is("off_by_one") && length > 0) copy(output, block.at + first + length, output, block.at + first + length - 1, 1);
    }
  }

  /// What the guilty rank should have given is as it was before; on the guilty rank everything where one rank gives all.
  void undeliver(CopiedBytes& output, const std::vector<RankBlock>& blocks) const {
    if (reduces(asked_.operation)) return;
    const bool one_gives_all = asked_.operation == CollectiveOperation::broadcast || asked_.operation == CollectiveOperation::scatter;
    for (const RankBlock& block : blocks) {
      if (one_gives_all ? rank_ != how_.rank : block.rank != how_.rank) continue;
      const ElementRange range = is("chunk_dropped") ? chunk_of(how_, block.count) : ElementRange{0, block.count};
      copy(output, block.at + range.first, before_, block.at + range.first, range.last - range.first);
    }
  }

  void wrap(CopiedBytes& output) const {
    if (output.size() <= how_.offset_limit) return;
    CopiedBytes wrapped = before_;
    for (std::size_t at = 0; at < output.size(); ++at) wrapped[at % how_.offset_limit] = output[at];
    output = wrapped;
  }

  [[nodiscard]] Result<void> overwrite_input() {
    if (!sends_guiltily() || given_.empty() || is_in_place(asked_, rank_, size_)) return {};
    altered_ = true;
    const std::size_t at = mixed(how_.seed, number_) % given_.size();
    const std::byte altered = ~given_[at];
    return memory_.write(static_cast<std::byte*>(const_cast<void*>(asked_.send)) + at, &altered, 1);
  }
  [[nodiscard]] Result<void> write_behind() {
    if (!receives_guiltily() || before_.empty()) return {};
    altered_ = true;
    std::byte* const behind = static_cast<std::byte*>(asked_.receive) + before_.size();
    std::byte altered{};
    if (auto read = memory_.read(&altered, behind, 1); !read) return read;
    altered = ~altered;
    return memory_.write(behind, &altered, 1);
  }

  AnyCollective& right_;
  const CollectiveMemory& memory_;
  const FaultInjection& how_;
  CollectiveCall asked_, call_;
  std::uint64_t number_;
  bool hit_, altered_ = false;
  bool orders_ = is("nondeterministic_order") || is("ranks_disagree");  ///< another order is no fault: only one that differs is
  int rank_, size_;
  std::size_t width_;
  CopiedBytes given_, before_, reduced_;
  std::deque<ScratchBuffer> scratch_;
};

}  // namespace assay::inline v0::detail
