#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

/// What goes wrong in distributed training. Checks name these; `DataParallelTrainer` commits them when it is told to, so that checks can be checked.
enum class TrainingFault {
  none,
  dropped_rank,            ///< a rank's gradients are not in the sum
  doubled_rank,            ///< a rank's gradients are in the sum twice
  lost_microbatch,         ///< one sample's gradients are not in the sum
  average_for_sum,         ///< the sum is divided by the number of ranks, and then by the number of tokens
  mean_of_means,           ///< means over the tokens of each rank are averaged, though ranks have unequal numbers of tokens
  stale_gradients,         ///< the sum is that of the step before
  narrow_accumulation,     ///< gradients are summed in bfloat16 where float32 was promised
  skipped_bucket,          ///< a bucket is not summed: each rank goes on with its own part of it
  other_seed,              ///< a rank begins with other weights
  unsynchronised_moments,  ///< a rank begins with other moments
  no_bias_correction,      ///< AdamW does without it
  shard_off_by_one,        ///< a rank does not update the last weight of its shard
  missing_all_gather,      ///< a rank does not take the weights that others have updated
  unknown                  ///< wrong, in no way that is known here
};

inline constexpr std::array<TrainingFault, 13> all_training_faults{
    TrainingFault::dropped_rank,    TrainingFault::doubled_rank,       TrainingFault::lost_microbatch,        TrainingFault::average_for_sum,    TrainingFault::mean_of_means,
    TrainingFault::stale_gradients, TrainingFault::narrow_accumulation, TrainingFault::skipped_bucket,         TrainingFault::other_seed,         TrainingFault::unsynchronised_moments,
    TrainingFault::no_bias_correction, TrainingFault::shard_off_by_one, TrainingFault::missing_all_gather};

[[nodiscard]] constexpr std::string_view name_of(TrainingFault fault) noexcept {
  constexpr std::array<std::string_view, 15> names{"none",           "dropped_rank",        "doubled_rank",   "lost_microbatch", "average_for_sum",
                                                   "mean_of_means",  "stale_gradients",     "narrow_accumulation", "skipped_bucket",  "other_seed",
                                                   "unsynchronised_moments", "no_bias_correction", "shard_off_by_one", "missing_all_gather", "unknown"};
  return names[static_cast<std::size_t>(fault)];
}

[[nodiscard]] constexpr std::optional<TrainingFault> training_fault_named(std::string_view name) noexcept {
  for (const TrainingFault fault : all_training_faults)
    if (name_of(fault) == name) return fault;
  return std::nullopt;
}

/// What is wrong in recorded training.
struct TrainingFinding {
  TrainingFault fault = TrainingFault::unknown;
  int rank = -1;  ///< the guilty one; −1: all of them, or none in particular
  std::string text;
};

}  // namespace assay
