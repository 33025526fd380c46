#include "assay/training/check_sharding.hpp"

#include "testing/catch.hpp"
#include "training/in_process.hpp"
#include "training/small_training.hpp"

using namespace assay;

TEST_CASE("training with a sharded state is that with a whole one") {
  for (const CollectiveAlgorithm algorithm : all_collective_algorithms)
    for (const StateSharding sharding : all_state_shardings)
      for (const int ranks : {1, 3, 4}) {
        if (sharding == StateSharding::none) continue;
        TrainingOptions options = testing::small_training();
        options.sharding = sharding;
        const Outcome outcome = check_sharding(testing::trained_in_process(algorithm, ranks), options);
        INFO(outcome.id << ": " << outcome.reason);
        CHECK(outcome.verdict == Verdict::pass);
        if (sharding == StateSharding::optimizer_state || ranks == 1) CHECK(outcome.label("parity") == "bitwise");
      }
}

TEST_CASE("shards that are not updated, gathered or summed as they should fail") {
  for (const TrainingFault fault : {TrainingFault::shard_off_by_one, TrainingFault::missing_all_gather,
                                    TrainingFault::dropped_rank, TrainingFault::stale_gradients})
    for (const StateSharding sharding :
         {StateSharding::optimizer_state, StateSharding::gradients, StateSharding::weights}) {
      TrainingOptions options = testing::small_training();
      options.sharding = sharding;
      options.fault = fault;
      const Outcome outcome = check_sharding(testing::trained_in_process(CollectiveAlgorithm::ring, 4), options);
      INFO(name_of(fault) << ", " << outcome.id << ": " << outcome.reason);
      CHECK(outcome.verdict == Verdict::fail);
      CHECK(outcome.label("named") == name_of(fault));
    }
}

TEST_CASE("a trainer that only pretends to shard as it sums fails by its bits") {
  const TrainingSubject right = testing::trained_in_process(CollectiveAlgorithm::ring, 2);
  TrainingSubject subject{"pretender", 2, [&](const TrainingOptions& options) {
                            auto traces = right.train(options);
                            if (options.sharding != StateSharding::none)
                              for (TrainingTrace& trace : traces.value())
                                trace.losses[6] = std::nextafter(trace.losses[6], 9.0);
                            return traces;
                          }};
  TrainingOptions options = testing::small_training();
  options.sharding = StateSharding::optimizer_state;
  const Outcome outcome = check_sharding(subject, options);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK_THAT(outcome.reason, testing::contains("from step 7 on"));
  subject.train = [](const TrainingOptions&) -> Result<std::vector<TrainingTrace>> {
    return failure(ErrorKind::unsupported, "no reduce_scatter");
  };
  CHECK(check_sharding(subject, options).verdict == Verdict::unsupported);
  options.sharding = StateSharding::none;
  CHECK_THROWS_AS(check_sharding(right, options), Misuse);
}
