#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "assay/collectives/element_type.hpp"
#include "assay/training/adamw.hpp"
#include "assay/training/language_model.hpp"
#include "assay/training/training_fault.hpp"

namespace assay::inline v0 {

/// What of the training's state each rank holds a part of, and the others do not. Rajbhandari, Rasley, Ruwase, He,
/// "ZeRO: memory optimizations toward training trillion parameter models", SC20.
enum class StateSharding {
  none,             ///< nothing: all_reduce of gradients
  optimizer_state,  ///< ZeRO-1: all_reduce of gradients, all_gather of weights
  gradients,        ///< ZeRO-2: reduce_scatter of gradients, all_gather of weights
  weights           ///< ZeRO-3: all_gather of weights before they are used, reduce_scatter of gradients
};

/// In the order of `StateSharding`.
inline constexpr std::array<StateSharding, 4> all_state_shardings{StateSharding::none, StateSharding::optimizer_state,
                                                                  StateSharding::gradients, StateSharding::weights};

/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(StateSharding sharding) noexcept {
  constexpr std::array<std::string_view, 4> names{"none", "optimizer_state", "gradients", "weights"};
  return names[static_cast<std::size_t>(sharding)];
}

/// What is trained, and how.
struct TrainingOptions {
  LanguageModel model;
  AdamW optimizer;   ///< and its rates
  Index steps = 60;  ///< of the optimizer
  Index global_batch =
      16;                  ///< samples of a step, over all ranks; the first ranks get one more where it does not divide
  std::uint64_t seed = 1;  ///< of weights, text and dropout
  ElementType gradient_type = ElementType::float32;  ///< in which gradients are summed over ranks: float32 or bfloat16
  Index bucket_elements = 4096;  ///< gradients are summed in calls of at most so many; not those of a reduce_scatter
  StateSharding sharding = StateSharding::none;
  Index audited_first = 3;                    ///< so many first steps are recorded for an audit,
  Index audited_period = 10;                  ///< and every so many-th; 0: no others
  std::chrono::milliseconds deadline{30000};  ///< of each collective operation
  TrainingFault fault = TrainingFault::none;  ///< committed on purpose
  int faulty_rank = 1;                        ///< where the fault is one rank's; modulo the number of ranks

  /// Whether a step is recorded in full.
  [[nodiscard]] bool audits(Index step) const {
    return step <= audited_first || (audited_period > 0 && step % audited_period == 0);
  }
};

/// Misuse names the field at fault.
inline void expect_valid(const TrainingOptions& options) {
  expect_valid(options.model);
  expect(options.steps >= 1 && options.global_batch >= 1 && options.bucket_elements >= 1,
         [] { return "TrainingOptions: steps, global_batch and bucket_elements must be 1 or more"; });
  expect(options.gradient_type == ElementType::float32 || options.gradient_type == ElementType::bfloat16, [&] {
    return "TrainingOptions::gradient_type is " + std::string(name_of(options.gradient_type)) +
           "; gradients are summed in f32 or bf16";
  });
  expect(options.faulty_rank >= 0, [] { return "TrainingOptions::faulty_rank is negative"; });
}

/// The part [begin, end) of `total` things that rank `rank` of `size` has.
struct RankShare {
  Index begin = 0, end = 0;
  /// How many things those are.
  [[nodiscard]] Index count() const { return end - begin; }
};

/// Samples: as even as can be, the first ranks have one more.
[[nodiscard]] inline RankShare samples_of(Index total, int rank, int size) {
  const Index each = total / size, rest = total % size, r = rank;
  return {r * each + std::min(r, rest), (r + 1) * each + std::min(r + 1, rest)};
}

/// Weights of a sharded state: equal shards of ⌈total/size⌉; the last may be shorter, or empty.
[[nodiscard]] inline RankShare weights_of(Index total, int rank, int size) {
  const Index each = (total + size - 1) / size;
  return {std::min(total, rank * each), std::min(total, (rank + 1) * each)};
}

}  // namespace assay::inline v0
