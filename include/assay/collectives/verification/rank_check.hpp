#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/any_collective.hpp"
#include "assay/collectives/verification/collective_data.hpp"
#include "assay/collectives/verification/detail/guarded_region.hpp"
#include "assay/collectives/verification/diagnose_output.hpp"
#include "assay/collectives/verification/rank_finding.hpp"

namespace assay::inline v0 {

/// One rank's buffers for calls of one problem, and what is in them: fills inputs, poisons outputs, and afterwards
/// compares outputs, inputs and the guards around both. Filling and comparing are apart from the call itself, so that
/// calls can be timed and verified all the same:
///
///     auto check = RankCheck::make(collective, problem, slots);
///     for each batch: prepare(slot, number) for each slot; run and time call(slot); inspect(slot) for each slot.
///
/// All ranks use the same numbers of calls; data differ from number to number.
class RankCheck {
 public:
  /// Buffers for `slots` calls. Misuse: no slot; a problem that no rank could have. Errors: those of the runtime's
  /// memory; `unsupported` for an all_to_all_v in place.
  [[nodiscard]] static Result<RankCheck> make(const AnyCollective& collective, const CollectiveProblem& problem,
                                              std::size_t slots = 2);

  /// What is sent and expected.
  [[nodiscard]] const CollectiveData& data() const { return *data_; }
  /// Number of sets of buffers.
  [[nodiscard]] std::size_t slots() const { return slots_.size(); }

  /// Fills the slot's buffers for the call of that number. Errors: those of the runtime's memory.
  [[nodiscard]] Result<void> prepare(std::size_t slot, std::uint64_t number);

  /// What to launch on this rank.
  [[nodiscard]] CollectiveCall call(std::size_t slot) const;

  /// Compares what the call has left in the slot's buffers, and looks for the cause of what is wrong. Errors: those of
  /// the runtime's memory. O(elements); where much is wrong, some thousand elements more.
  [[nodiscard]] Result<RankFinding> inspect(std::size_t slot);

  /// A hash of the slot's output, after `inspect`: to compare runs with each other.
  [[nodiscard]] std::uint64_t output_hash(std::size_t slot);

 private:
  struct Slot {
    detail::GuardedRegion send, receive;
    std::uint64_t number = 0;
  };

  RankCheck(const CollectiveProblem& problem, int rank, int size);

  [[nodiscard]] char* input(Slot& slot) const {
    return slot.send.exists() ? slot.send.data() : slot.receive.data() + input_at_;
  }

  /// The input that is apart from the output, what belongs to no block, and the guards.
  void inspect_surroundings(Slot& own, const std::vector<detail::StreamPart>& parts, RankFinding& finding);

  [[nodiscard]] static std::uint64_t hash_of(const char* data, std::size_t bytes);

  CollectiveProblem problem_;
  int rank_, size_;
  std::size_t bytes_;
  std::shared_ptr<const CollectiveData> data_;
  unsigned char poison_;
  Index send_ = 0;            ///< elements of the input
  Index separate_send_ = -1;  ///< elements of a buffer for it alone; -1: none
  Index receive_ = -1;        ///< elements of the buffer for the output; -1: none
  Index input_at_ = 0;        ///< bytes into the output's buffer, where the input lies there
  bool output_in_send_ = false;
  std::vector<Slot> slots_;
  std::vector<char> scratch_;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/verification/rank_check.ipp"
#endif
