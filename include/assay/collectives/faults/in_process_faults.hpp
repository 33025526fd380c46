#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/collectives/faults/collective_faults.hpp"
#include "assay/collectives/faults/detail/faulty_reduction.hpp"
#include "assay/collectives/faults/fault_injection.hpp"
#include "assay/collectives/in_process/in_process_hooks.hpp"

namespace assay::inline v0 {

/// The faults that the in-process algorithms themselves can have.
inline constexpr std::array<std::string_view, 13> faults_inside_in_process{"chunk_dropped",
                                                                           "contribution_duplicated",
                                                                           "narrow_accumulator",
                                                                           "wrong_reduction",
                                                                           "bit_flip",
                                                                           "intermittent_bit_flip",
                                                                           "nondeterministic_order",
                                                                           "ranks_disagree",
                                                                           "slow_rank",
                                                                           "slow_link",
                                                                           "rank_hang",
                                                                           "rank_crash",
                                                                           "early_barrier_exit"};

namespace detail {

/// A fault within the algorithms: messages, reductions and calls of the guilty rank.
struct FaultInside {
  FaultInjection how;
  CollectiveFault fault;
  int size;
  std::atomic<std::uint64_t>* effects;

  void took_effect() const {
    if (effects != nullptr) ++*effects;
  }
  [[nodiscard]] bool is(std::string_view name) const { return how.fault == name; }
  [[nodiscard]] bool hits(const InProcessPlace& place) const {
    if (place.call < how.first_call || !fault.fits(place.operation)) return false;
    return how.rate == 1 || static_cast<double>(mixed(how.seed, place.call, 0) >> 11) < how.rate * 0x1p53;
  }
  [[nodiscard]] static bool adds(AlgorithmPhase phase) {
    return phase == AlgorithmPhase::reduce_scatter || phase == AlgorithmPhase::reduce || phase == AlgorithmPhase::fold;
  }

  [[nodiscard]] MessageFate message(InProcessMessage& message) const;

  [[nodiscard]] bool reduce(const InProcessReduction& step) const;

  [[nodiscard]] CallFate call(const InProcessArrival& arrival) const;

  void returned(const InProcessArrival& arrival) const;

  void order(const InProcessPlace& place, std::vector<int>& ranks) const;
};

}  // namespace detail

/// Hooks that give the in-process algorithms of `size` ranks a fault, where it comes about inside of them:
/// `chunk_dropped` and `contribution_duplicated` lose or double the first message that the guilty rank gives to a
/// reduction, `bit_flip` alters what it passes on of results, `ranks_disagree` the last bit of an element of its
/// result. `effects`, which outlives the hooks, counts what was altered: a rank that sends no addend cannot lose one.
/// Misuse: a fault that is not among `faults_inside_in_process`, a rank that is none.
[[nodiscard]] InProcessHooks in_process_hooks(FaultInjection how, int size,
                                              std::atomic<std::uint64_t>* effects = nullptr);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/faults/in_process_faults.ipp"
#endif
