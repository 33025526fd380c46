#include "assay/training/training_state.hpp"

#include "testing/catch.hpp"
#include "training/small_training.hpp"

using namespace assay;

TEST_CASE("training begins with the seed's weights, no moments, and moments of its own shard where they are sharded") {
  TrainingOptions options = testing::small_training();
  const TrainingState whole = initial_state(options, 1, 3);
  CHECK(whole.weights == initial_weights(options.model, options.seed));
  CHECK(whole.first == std::vector<float>(whole.weights.size(), 0.0f));
  options.sharding = StateSharding::optimizer_state;
  std::size_t moments = 0;
  for (int rank = 0; rank < 3; ++rank) moments += initial_state(options, rank, 3).second.size();
  CHECK(moments == whole.weights.size());
}

TEST_CASE("a step further moves step, place in the text and random numbers") {
  const TrainingOptions options = testing::small_training();
  TrainingState state = initial_state(options, 0, 1);
  const std::uint64_t random = state.random_state;
  advance(state, options);
  CHECK(state.steps_done == 1);
  CHECK(state.next_sample == 13);
  CHECK(state.random_state != random);
}
