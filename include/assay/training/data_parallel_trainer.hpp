#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "assay/training/detail/exchange_buffer.hpp"
#include "assay/training/detail/local_gradient.hpp"
#include "assay/training/training_trace.hpp"

namespace assay::inline v0 {

/// Trains the language model on one rank of a collective: the rank's samples forward and backward, gradients summed
/// over ranks in buckets, AdamW. Each rank makes one, with equal options, and steps it. Errors are those of the
/// collective: after one, the trainer is of no more use.
class DataParallelTrainer {
 public:
  /// Refers to the collective, which must outlive it.
  DataParallelTrainer(AnyCollective& collective, const TrainingOptions& options);

  /// Weights and moments, as far as this rank has them.
  [[nodiscard]] const TrainingState& state() const { return state_; }
  /// What it was made with.
  [[nodiscard]] const TrainingOptions& options() const { return options_; }
  /// Goes on from a state of the same rank, size and options. Misuse: extents of another model or shard.
  void restore(TrainingState state);
  /// What was recorded since the begin, or since `restore`.
  [[nodiscard]] const TrainingTrace& trace() {
    trace_.last = state_;
    return trace_;
  }

  /// One step of training.
  [[nodiscard]] Result<void> step();

  /// Steps until `options().steps` are done.
  [[nodiscard]] Result<void> run() {
    while (state_.steps_done < options_.steps)
      if (auto done = step(); !done) return done;
    return {};
  }

 private:
  /// Faults of all ranks, or of this one.
  [[nodiscard]] bool has(TrainingFault fault) const;
  [[nodiscard]] Index total() const { return static_cast<Index>(state_.weights.size()); }
  [[nodiscard]] RankShare own() const { return weights_of(total(), rank_, size_); }
  [[nodiscard]] bool sums_shards() const { return options_.sharding >= StateSharding::gradients; }

  /// Sums the local gradients over ranks into `gradient_`: all of them, or the own shard's.
  [[nodiscard]] Result<void> sum_gradients(detail::LocalGradient& local);

  [[nodiscard]] Result<void> sum_range(CollectiveOperation operation, const float* from, float* to, Index count);

  void update_own_weights();

  [[nodiscard]] Result<void> gather_weights();

  /// Where weights are sharded, those of others are let go: whoever uses them without gathering them gets NaN.
  void forget_others(TrainingState& state) const {
    if (options_.sharding != StateSharding::weights) return;
    std::fill(state.weights.begin(), state.weights.begin() + own().begin, std::numeric_limits<float>::quiet_NaN());
    std::fill(state.weights.begin() + own().end, state.weights.end(), std::numeric_limits<float>::quiet_NaN());
  }

  TrainingOptions options_;
  detail::Exchange exchange_;
  int rank_, size_;
  TrainingState state_;
  TrainingTrace trace_;
  std::vector<float> gradient_, stale_, last_gathered_;
};

/// All steps on this rank.
[[nodiscard]] inline Result<TrainingTrace> train(AnyCollective& collective, const TrainingOptions& options) {
  DataParallelTrainer trainer(collective, options);
  if (auto done = trainer.run(); !done) return done.propagate();
  return trainer.trace();
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/training/data_parallel_trainer.ipp"
#endif
