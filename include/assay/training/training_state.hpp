#pragma once

#include <cstdint>
#include <vector>

#include "assay/suite/seed.hpp"
#include "assay/training/training_options.hpp"

namespace assay::inline v0 {

/// All that training goes on from, on one rank.
struct TrainingState {
  Index steps_done = 0;              ///< of the optimizer
  std::uint64_t next_sample = 0;     ///< where in the text the loader stands
  std::uint64_t random_state = 0;    ///< from which the next step's dropout is drawn
  std::vector<float> weights;        ///< of the whole model; where weights are sharded, others' are NaN
  std::vector<float> first, second;  ///< AdamW's moments of this rank's shard, or of all weights

  /// Gives all members to an archive, in the order of the file.
  template <class Archive>
  void members(Archive& archive) {
    archive(steps_done, next_sample, random_state, weights, first, second);
  }
};

/// What rank `rank` of `size` begins with.
[[nodiscard]] inline TrainingState initial_state(const TrainingOptions& options, int rank, int size) {
  TrainingState state;
  state.random_state = case_seed(options.seed, "dropout");
  state.weights = initial_weights(options.model, options.seed);
  const auto total = static_cast<Index>(state.weights.size());
  const Index own = options.sharding == StateSharding::none ? total : weights_of(total, rank, size).count();
  state.first.assign(static_cast<std::size_t>(own), 0.0f);
  state.second = state.first;
  return state;
}

/// A step further in the text and in the random numbers.
inline void advance(TrainingState& state, const TrainingOptions& options) {
  ++state.steps_done;
  state.next_sample += static_cast<std::uint64_t>(options.global_batch);
  state.random_state = detail::splitmix64_finalize(state.random_state + 0x9E3779B97F4A7C15u);
}

}  // namespace assay::inline v0
