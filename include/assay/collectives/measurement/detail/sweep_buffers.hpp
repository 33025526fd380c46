#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/collective_memory.hpp"
#include "assay/collectives/verification/collective_data.hpp"
#include "assay/collectives/verification/diagnose_output.hpp"
#include "assay/collectives/verification/rank_finding.hpp"

namespace assay::inline v0::detail {

/// A block of a runtime's memory. Movable.
class SweepBlock {
 public:
  SweepBlock() = default;
  SweepBlock(SweepBlock&& other) noexcept
      : memory_(other.memory_), block_(std::exchange(other.block_, nullptr)), bytes_(other.bytes_) {}
  SweepBlock& operator=(SweepBlock&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(block_, other.block_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~SweepBlock() {
    if (block_ != nullptr) memory_->deallocate(block_, bytes_);
  }

  /// `memory` outlives the block.
  [[nodiscard]] static Result<SweepBlock> of(const CollectiveMemory& memory, std::size_t bytes);
  [[nodiscard]] char* data() const { return static_cast<char*>(block_); }

 private:
  const CollectiveMemory* memory_ = nullptr;
  void* block_ = nullptr;
  std::size_t bytes_ = 0;
};

/// One rank's buffers of one operation at one size, whose contents cost a pass over the output a call, where
/// `RankCheck` writes and reads all of them. Calls use inputs and outputs in turn. There is one input more than there
/// are outputs, and each has data of its own, so that what an earlier call left in an output is wrong for the next one;
/// and no call finds its data in a cache where the buffers together exceed it, as in nccl-tests.
class SweepBuffers {
 public:
  /// Errors: as of the memory.
  [[nodiscard]] static Result<SweepBuffers> make(const CollectiveMemory& memory, const CollectiveProblem& problem,
                                                 int rank, int size, unsigned calls, double budget);

  /// Calls between two visits of the same output.
  [[nodiscard]] std::size_t outputs() const { return outputs_.size(); }

  /// Before call `index`, off the clock: of calls in place the input is written again; small outputs are poisoned.
  [[nodiscard]] Result<void> prepare(std::uint64_t index);

  /// The call of that number, with its buffers.
  [[nodiscard]] CollectiveCall call(std::uint64_t index) const;

  /// What stands in the output of call `index`, if no call after it used it, and what it suggests where it is wrong.
  [[nodiscard]] Result<RankFinding> inspect(std::uint64_t index);

  /// Elements of inputs that calls changed, though they were out of place.
  [[nodiscard]] Result<Index> changed_inputs();

 private:
  static constexpr Index piece = Index{1} << 20;      ///< elements
  static constexpr unsigned char poison_byte = 0xFF;  ///< NaN in every floating-point format

  SweepBuffers(const CollectiveMemory& memory, const CollectiveProblem& problem, int rank, int size)
      : memory_(&memory), problem_(problem), rank_(rank), size_(size), data_(problem, rank, size) {}

  [[nodiscard]] std::size_t width() const { return bytes_of(problem_.type); }
  /// The number of the data that a call sends.
  [[nodiscard]] std::uint64_t data_call(std::uint64_t index) const { return index % (outputs_.size() + 1); }

  /// In place: where in the buffer the rank's own input begins, and its length.
  [[nodiscard]] std::pair<Index, Index> sent_part() const {
    const bool within = problem_.operation == CollectiveOperation::all_gather ||
                        (problem_.operation == CollectiveOperation::gather && rank_ == problem_.root);
    return {within ? rank_ * problem_.count : 0, sent_};
  }
  /// In place: where the output begins.
  [[nodiscard]] Index received_at() const {
    if (!problem_.in_place) return 0;
    const bool within = problem_.operation == CollectiveOperation::reduce_scatter ||
                        (problem_.operation == CollectiveOperation::scatter && rank_ == problem_.root);
    return within ? rank_ * problem_.count : 0;
  }

  [[nodiscard]] Result<void> add(std::vector<SweepBlock>& blocks, Index elements) {
    auto block = SweepBlock::of(*memory_, static_cast<std::size_t>(elements) * width());
    if (!block) return block.propagate();
    blocks.push_back(std::move(block).value());
    return {};
  }
  [[nodiscard]] Result<void> write(char* to, std::uint64_t call, Index from, Index length);
  [[nodiscard]] Result<void> poison(std::size_t output);
  [[nodiscard]] Result<const void*> host(const char* from, Index elements) {
    if (memory_->host_accessible) return static_cast<const void*>(from);
    staging_.resize(static_cast<std::size_t>(elements) * width());
    if (auto read = memory_->read(staging_.data(), from, staging_.size()); !read) return read.propagate();
    return static_cast<const void*>(staging_.data());
  }

  const CollectiveMemory* memory_;
  CollectiveProblem problem_;
  int rank_, size_;
  CollectiveData data_;
  Index sent_ = 0, received_ = 0;
  std::vector<SweepBlock> inputs_, outputs_;
  std::vector<char> staging_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/measurement/detail/sweep_buffers.ipp"
#endif
