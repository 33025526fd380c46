#include "assay/training/data_parallel_trainer.hpp"

#include <cmath>

#include "testing/catch.hpp"
#include "training/in_process.hpp"
#include "training/small_training.hpp"

using namespace assay;

TEST_CASE("all ranks have the same weights after every step, and those that are sharded let go of what is others'") {
  for (const StateSharding sharding : all_state_shardings) {
    TrainingOptions options = testing::small_training();
    options.sharding = sharding;
    options.steps = 4;
    const auto traces = testing::trained_in_process(3).train(options);
    REQUIRE(traces);
    for (const TrainingTrace& trace : traces.value()) {
      CHECK(trace.checksums == traces.value()[0].checksums);
      CHECK(trace.last.steps_done == 4);
      CHECK(trace.audited.size() == 3);
      const auto total = static_cast<Index>(trace.last.weights.size());
      const RankShare own = weights_of(total, trace.rank, 3);
      CHECK(trace.last.first.size() == static_cast<std::size_t>(sharding == StateSharding::none ? total : own.count()));
      for (Index i = 0; i < total; ++i)
        REQUIRE(std::isnan(trace.last.weights[static_cast<std::size_t>(i)]) ==
                (sharding == StateSharding::weights && (i < own.begin || i >= own.end)));
    }
  }
}

TEST_CASE("more ranks than samples, or than weights of a shard, still train") {
  TrainingOptions options = testing::small_training();
  options.global_batch = 2;
  options.steps = 2;
  for (const StateSharding sharding : {StateSharding::none, StateSharding::weights}) {
    options.sharding = sharding;
    const auto traces = testing::trained_in_process(5).train(options);
    REQUIRE(traces);
    CHECK(std::isfinite(traces.value()[4].losses[1]));
  }
}

TEST_CASE("states of another model are refused, and a collective's error is the trainer's") {
  testing::on_ranks(1, [&](AnyCollective& collective, Coordinator&) {
    DataParallelTrainer trainer(collective, testing::small_training());
    TrainingState state = trainer.state();
    state.first.pop_back();
    bool refused = false;
    try {
      trainer.restore(state);
    } catch (const Misuse&) {
      refused = true;
    }
    if (!refused) throw std::runtime_error("a state of another model was taken");
    collective.abort("enough");
    const Result<void> done = trainer.step();
    if (done || done.error().kind != ErrorKind::aborted) throw std::runtime_error("an aborted collective took a step");
  });
}
