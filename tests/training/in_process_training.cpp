#include "assay/training/in_process_training.hpp"

#include "assay/collectives/in_process/in_process_coordinator.hpp"
#include "testing/catch.hpp"
#include "training/in_process.hpp"
#include "training/small_training.hpp"

using namespace assay;

namespace assay::testing {

TrainingSubject trained_in_process(int ranks, const InProcessOptions& world) {
  return in_process_training(ranks, world);
}

void on_ranks(int ranks, const std::function<void(AnyCollective&, Coordinator&)>& body, CollectiveAlgorithm algorithm) {
  auto coordinators = in_process_coordinators(ranks);
  InProcessOptions world;
  world.algorithm = algorithm;
  run_ranks(InProcessWorld(ranks, world), [&](InProcessCollective& end) {
    AnyCollective collective(end);
    body(collective, coordinators[static_cast<std::size_t>(end.rank())]);
  });
}

}  // namespace assay::testing

TEST_CASE("threads as ranks train, and an error names the rank that met it") {
  TrainingOptions options = testing::small_training();
  const TrainingSubject subject = in_process_training(3);
  CHECK(subject.name == "in_process.ring");
  CHECK(subject.ranks == 3);
  const auto traces = subject.train(options);
  REQUIRE(traces);
  REQUIRE(traces.value().size() == 3);
  CHECK(traces.value()[2].rank == 2);
  CHECK(traces.value()[1].losses.size() == 10);
  CHECK(traces.value()[1].losses == traces.value()[0].losses);

  InProcessOptions world;
  world.hooks.on_call = [](const InProcessArrival& arrival) {
    return arrival.rank == 1 && arrival.place.call == 4 ? CallFate::crash : CallFate::proceed;
  };
  const auto failed = in_process_training(3, world).train(options);
  REQUIRE(!failed);
  CHECK_THAT(failed.error().message, testing::contains("rank 1 has ended"));
  options.global_batch = 0;
  CHECK_THROWS_AS(subject.train(options), Misuse);
}
