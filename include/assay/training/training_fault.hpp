#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace assay::inline v0 {

/// What goes wrong in distributed training. Checks name these; `DataParallelTrainer` commits them when it is told to,
/// so that checks can be checked.
enum class TrainingFault {
  none,
  dropped_rank,     ///< a rank's gradients are not in the sum
  doubled_rank,     ///< a rank's gradients are in the sum twice
  lost_microbatch,  ///< one sample's gradients are not in the sum
  average_for_sum,  ///< the sum is divided by the number of ranks, and then by the number of tokens
  mean_of_means,    ///< means over the tokens of each rank are averaged, though ranks have unequal numbers of tokens
  stale_gradients,  ///< the sum is that of the step before
  narrow_accumulation,     ///< gradients are summed in bfloat16 where float32 was promised
  skipped_bucket,          ///< a bucket is not summed: each rank goes on with its own part of it
  other_seed,              ///< a rank begins with other weights
  unsynchronized_moments,  ///< a rank begins with other moments
  no_bias_correction,      ///< AdamW does without it
  shard_off_by_one,        ///< a rank does not update the last weight of its shard
  missing_all_gather,      ///< a rank does not take the weights that others have updated
  unknown                  ///< wrong, in no way that is known here
};

/// In the order of `TrainingFault`.
inline constexpr std::array<TrainingFault, 13> all_training_faults{
    TrainingFault::dropped_rank,           TrainingFault::doubled_rank,       TrainingFault::lost_microbatch,
    TrainingFault::average_for_sum,        TrainingFault::mean_of_means,      TrainingFault::stale_gradients,
    TrainingFault::narrow_accumulation,    TrainingFault::skipped_bucket,     TrainingFault::other_seed,
    TrainingFault::unsynchronized_moments, TrainingFault::no_bias_correction, TrainingFault::shard_off_by_one,
    TrainingFault::missing_all_gather};

/// The name in reports and on the command line.
[[nodiscard]] constexpr std::string_view name_of(TrainingFault fault) noexcept {
  constexpr std::array<std::string_view, 15> names{"none",
                                                   "dropped_rank",
                                                   "doubled_rank",
                                                   "lost_microbatch",
                                                   "average_for_sum",
                                                   "mean_of_means",
                                                   "stale_gradients",
                                                   "narrow_accumulation",
                                                   "skipped_bucket",
                                                   "other_seed",
                                                   "unsynchronized_moments",
                                                   "no_bias_correction",
                                                   "shard_off_by_one",
                                                   "missing_all_gather",
                                                   "unknown"};
  return names[static_cast<std::size_t>(fault)];
}

/// The fault of that name; nothing where the name is unknown.
[[nodiscard]] constexpr std::optional<TrainingFault> training_fault_named(std::string_view name) noexcept {
  for (const TrainingFault fault : all_training_faults)
    if (name_of(fault) == name) return fault;
  return std::nullopt;
}

/// What goes wrong in a perceptron that is split over ranks. `none` is right.
enum class TensorParallelFault {
  none,
  bias_on_every_rank,       ///< b is added before the sum, n times
  missing_all_reduce,       ///< the outputs are each rank's own part
  missing_backward_reduce,  ///< the gradient of x is each rank's own part
  boundary_off_by_one,      ///< a rank leaves its last hidden unit out
  shard_of_another          ///< a rank has the rows of B that belong to its neighbor's columns of A
};

/// In the order of `TensorParallelFault`.
inline constexpr std::array<TensorParallelFault, 5> all_tensor_parallel_faults{
    TensorParallelFault::bias_on_every_rank, TensorParallelFault::missing_all_reduce,
    TensorParallelFault::missing_backward_reduce, TensorParallelFault::boundary_off_by_one,
    TensorParallelFault::shard_of_another};

/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(TensorParallelFault fault) noexcept {
  constexpr std::array<std::string_view, 6> names{"none",
                                                  "bias_on_every_rank",
                                                  "missing_all_reduce",
                                                  "missing_backward_reduce",
                                                  "boundary_off_by_one",
                                                  "shard_of_another"};
  return names[static_cast<std::size_t>(fault)];
}

/// What goes wrong in a pipeline. `none` is right.
enum class PipelineFault {
  none,
  lost_microbatch,      ///< a stage does not add up the gradients of one microbatch
  repeated_microbatch,  ///< a stage adds up those of one microbatch twice
  stale_activations,    ///< a stage takes the activations of the microbatch before
  skipped_layer         ///< a stage leaves its first layer out: the boundary is off by one
};

/// In the order of `PipelineFault`.
inline constexpr std::array<PipelineFault, 4> all_pipeline_faults{
    PipelineFault::lost_microbatch, PipelineFault::repeated_microbatch, PipelineFault::stale_activations,
    PipelineFault::skipped_layer};

/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(PipelineFault fault) noexcept {
  constexpr std::array<std::string_view, 5> names{"none", "lost_microbatch", "repeated_microbatch", "stale_activations",
                                                  "skipped_layer"};
  return names[static_cast<std::size_t>(fault)];
}

/// What is wrong in recorded training.
struct TrainingFinding {
  TrainingFault fault = TrainingFault::unknown;
  int rank = -1;     ///< the guilty one; −1: all of them, or none in particular
  std::string text;  ///< one sentence
};

}  // namespace assay::inline v0
