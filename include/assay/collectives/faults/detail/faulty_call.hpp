#pragma once

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

/// One call with a fault in what goes in, `prepare`, or in what comes out, `finish`; between them the right collective
/// runs `call()`. Every rank of the communicator makes one.
class FaultyCall {
 public:
  FaultyCall(AnyCollective& right, const CollectiveMemory& memory, const FaultInjection& how,
             const CollectiveCall& asked, std::uint64_t number, bool hit);

  [[nodiscard]] const CollectiveCall& call() const { return call_; }
  /// Whether anything is not as it would have been on this rank.
  [[nodiscard]] bool altered() const { return altered_; }

  [[nodiscard]] Result<void> prepare(const LastCall& last, Deadline deadline);

  [[nodiscard]] Result<void> finish(const LastCall& last);

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

  [[nodiscard]] std::uint64_t code(const CopiedBytes& bytes, Index at) const {
    return load_code(bytes.data(), at, width_);
  }
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
  [[nodiscard]] Result<CopiedBytes> gather(const CopiedBytes& bytes, ElementType type, Deadline deadline);

  [[nodiscard]] Result<void> alter_input(CopiedBytes& input, const LastCall& last, Deadline deadline);

  void fill(CopiedBytes& input, const std::vector<RankBlock>& blocks, bool chunk_only) const {
    for (const RankBlock& block : blocks) {
      const ElementRange range = chunk_only ? chunk_of(how_, block.count) : ElementRange{0, block.count};
      for (Index i = range.first; i < range.last; ++i)
        set(input, block.at + i, FaultyReduction::identity(asked_.type, asked_.reduction));
    }
  }
  void twice(CopiedBytes& input) const {
    const ReductionOperator step =
        asked_.reduction == ReductionOperator::product ? ReductionOperator::product : ReductionOperator::sum;
    for (Index i = 0; i < send_extent(asked_, rank_, size_); ++i)
      set(input, i, reduced(asked_.type, step, code(input, i), code(input, i)));
  }

  [[nodiscard]] Result<void> take_multiplier(Deadline deadline);

  /// The neighbor's message is there before the own elements have been sent.
  [[nodiscard]] Result<void> overwrite_early(CopiedBytes& input, const std::vector<RankBlock>& blocks,
                                             Deadline deadline);

  [[nodiscard]] bool needs_own_reduction() const {
    return is("narrow_accumulator") || is("type_reinterpreted") || is("average_rounded_down") || is("nan_lost") ||
           is("zero_sign_lost") || is("nondeterministic_order") || is("ranks_disagree");
  }
  [[nodiscard]] Result<void> reduce_faultily(CopiedBytes input, Deadline deadline);
  void multiply(CopiedBytes& input) const;

  /// Another type of the same width that libraries have.
  [[nodiscard]] static ElementType confused_type(ElementType type);
  void alter_fields();

  /// A wrong root needs buffers that it was not given: what it sends is what its own output held.
  [[nodiscard]] Result<void> give_buffers();

  void alter_output(CopiedBytes& output, const LastCall& last) const;

  /// What the guilty rank should have given is as it was before; on the guilty rank everything where one rank gives
  /// all.
  void undeliver(CopiedBytes& output, const std::vector<RankBlock>& blocks) const;

  void wrap(CopiedBytes& output) const {
    if (output.size() <= how_.offset_limit) return;
    CopiedBytes wrapped = before_;
    for (std::size_t at = 0; at < output.size(); ++at) wrapped[at % how_.offset_limit] = output[at];
    output = wrapped;
  }

  [[nodiscard]] Result<void> overwrite_input();
  [[nodiscard]] Result<void> write_behind();

  AnyCollective& right_;
  const CollectiveMemory& memory_;
  const FaultInjection& how_;
  CollectiveCall asked_, call_;
  std::uint64_t number_;
  bool hit_, altered_ = false;
  bool orders_ =
      is("nondeterministic_order") || is("ranks_disagree");  ///< another order is no fault: only one that differs is
  int rank_, size_;
  std::size_t width_;
  CopiedBytes given_, before_, reduced_;
  std::deque<ScratchBuffer> scratch_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/faults/detail/faulty_call.ipp"
#endif
