#include "assay/training/audit_training.hpp"

#include <set>
#include <string>

#include "testing/catch.hpp"
#include "training/in_process.hpp"
#include "training/small_training.hpp"

using namespace assay;
using testing::small_training;

namespace {

TrainingAudit audit_of(const TrainingOptions& options, int ranks,
                       CollectiveAlgorithm algorithm = CollectiveAlgorithm::ring) {
  InProcessOptions world;
  world.algorithm = algorithm;
  const auto traces = testing::trained_in_process(ranks, world).train(options);
  REQUIRE(traces);
  TrainingOptions promised = options;
  promised.fault = TrainingFault::none;
  auto audit = audit_training(promised, traces.value());
  REQUIRE(audit);
  return std::move(audit).value();
}

}  // namespace

TEST_CASE(
    "right trainers are not accused, whatever the algorithm, the number of ranks, the buckets, the sharding and the "
    "type of gradients") {
  double worst = 0;
  for (const CollectiveAlgorithm algorithm : all_collective_algorithms)
    for (const int ranks : {1, 2, 3, 4, 8})
      for (const ElementType type : {ElementType::float32, ElementType::bfloat16})
        for (const StateSharding sharding : all_state_shardings) {
          if (sharding != StateSharding::none && algorithm != CollectiveAlgorithm::ring && ranks != 4) continue;
          TrainingOptions options = small_training();
          options.steps = 3;
          options.sharding = sharding;
          options.gradient_type = type;
          options.bucket_elements = ranks == 3 ? 7 : ranks == 4 ? 100000 : 333;
          const TrainingAudit audit = audit_of(options, ranks, algorithm);
          INFO(name_of(algorithm) << ", " << ranks << " ranks, " << name_of(type) << ", sharded " << name_of(sharding));
          for (const TrainingFinding& finding : audit.findings) UNSCOPED_INFO(finding.text);
          REQUIRE(audit.findings.empty());
          REQUIRE(audit.undecided.empty());
          CHECK(audit.steps == 3);
          worst = std::max({worst, audit.worst_gradient_ratio, audit.worst_update_ratio});
        }
  CHECK(worst > 0.05);
  CHECK(worst < 0.9);
}

TEST_CASE("every fault is caught and named, with the rank, on 2, 3 and 4 ranks") {
  for (const TrainingFault fault : all_training_faults)
    for (const int ranks : {2, 3, 4})
      for (const StateSharding sharding : all_state_shardings) {
        const bool of_shards = fault == TrainingFault::shard_off_by_one || fault == TrainingFault::missing_all_gather;
        if (of_shards && sharding == StateSharding::none) continue;
        if (fault == TrainingFault::skipped_bucket && sharding >= StateSharding::gradients)
          continue;  // which have no buckets
        if (!of_shards && ranks != 3 && sharding != StateSharding::none) continue;
        TrainingOptions options = small_training();
        options.steps = 3;
        options.fault = fault;
        options.sharding = sharding;
        options.bucket_elements = 333;
        const TrainingAudit audit = audit_of(options, ranks);
        INFO(name_of(fault) << ", " << ranks << " ranks, sharded " << name_of(sharding));
        for (const TrainingFinding& finding : audit.findings)
          UNSCOPED_INFO(name_of(finding.fault) << " " << finding.rank << ": " << finding.text);
        REQUIRE(!audit.findings.empty());
        CHECK(name_of(audit.findings[0].fault) == name_of(fault));
        const bool one_rank = fault == TrainingFault::dropped_rank || fault == TrainingFault::doubled_rank ||
                              fault == TrainingFault::lost_microbatch ||
                              fault == TrainingFault::unsynchronized_moments || of_shards ||
                              (fault == TrainingFault::other_seed && sharding != StateSharding::weights);
        if (one_rank) CHECK(audit.findings[0].rank == 1);
      }
}

TEST_CASE("a collective that loses a rank's message is caught through the training that it spoils") {
  InProcessOptions world;
  world.hooks.on_message = [](InProcessMessage& message) {
    const bool one = message.place.operation == CollectiveOperation::all_reduce &&
                     message.place.phase == AlgorithmPhase::reduce_scatter &&
                     message.place.type == ElementType::float32 && message.place.call == 3 && message.from == 2;
    return one ? MessageFate::lose : MessageFate::deliver;
  };
  TrainingOptions options = small_training();
  options.steps = 2;
  const auto traces = testing::trained_in_process(4, world).train(options);
  REQUIRE(traces);
  const auto audit = audit_training(options, traces.value());
  REQUIRE(audit);
  REQUIRE(!audit.value().findings.empty());
  CHECK(audit.value().worst_gradient_ratio > 1);
}

TEST_CASE("ranks that part in a step that is not recorded are told of, and so is what is not finite") {
  TrainingOptions options = small_training();
  options.steps = 4;
  options.audited_first = 1;
  options.audited_period = 0;
  auto traces = testing::trained_in_process(3).train(options);
  REQUIRE(traces);
  REQUIRE(audit_training(options, traces.value()).value().findings.empty());
  std::vector<TrainingTrace> changed = traces.value();
  ++changed[1].checksums[2];
  auto audit = audit_training(options, changed).value();
  REQUIRE(audit.findings.size() == 1);
  CHECK(audit.findings[0].rank == 1);
  CHECK(audit.findings[0].text ==
        "step 3: rank 1 has other weights than the rest; the step before was not recorded, so that the cause is not "
        "known");
  changed = traces.value();
  changed[2].losses[3] = std::nan("");
  audit = audit_training(options, changed).value();
  REQUIRE(audit.findings.size() == 1);
  CHECK(audit.findings[0].text == "step 4: rank 2 tells another loss than the rest");
  for (const float wrong :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 0.0f, 1e30f}) {
    changed = traces.value();
    changed[2].audited[0].gradient[40] = wrong;
    audit = audit_training(options, changed).value();
    REQUIRE(!audit.findings.empty());
    CHECK(audit.findings[0].text.find("step 1: ") == 0);
    CHECK(audit.worst_gradient_ratio > 1);
    changed = traces.value();
    changed[2].audited[0].after.weights[40] = wrong;
    audit = audit_training(options, changed).value();
    REQUIRE(!audit.findings.empty());
    CHECK(audit.findings[0].rank == 2);
  }
  for (TrainingTrace& trace : changed = traces.value()) {  // diverged
    trace.audited[0].step = trace.first_step = 2;
    trace.audited[0].before.steps_done = 1;
    trace.audited[0].before.next_sample = static_cast<std::uint64_t>(options.global_batch);
    trace.audited[0].before.weights[3] = std::numeric_limits<float>::infinity();
  }
  audit = audit_training(options, changed).value();
  CHECK(audit.findings.empty());
  CHECK(audit.undecided ==
        "step 2: the gradient is not finite, so that nothing can be said of its sum: training has diverged");
}

TEST_CASE("traces that do not belong together are refused") {
  TrainingOptions options = small_training();
  options.steps = 2;
  const auto traces = testing::trained_in_process(2).train(options);
  REQUIRE(traces);
  const auto refused = [&](const std::function<void(std::vector<TrainingTrace>&)>& change) {
    std::vector<TrainingTrace> changed = traces.value();
    change(changed);
    const auto audit = audit_training(options, changed);
    REQUIRE(!audit);
    CHECK(audit.error().kind == ErrorKind::invalid);
    return audit.error().message;
  };
  CHECK(refused([](auto& list) { list.clear(); }) == "there are no traces; give those of all ranks, in their order");
  CHECK_THAT(refused([](auto& list) { std::swap(list[0], list[1]); }),
             testing::contains("says that it is of rank 1 of 2"));
  CHECK_THAT(refused([](auto& list) { list.pop_back(); }), testing::contains("rank 0 of 2"));
  CHECK_THAT(refused([](auto& list) { list[1].losses.pop_back(); }), testing::contains("rank 1 has other steps"));
  CHECK_THAT(refused([](auto& list) { list[1].audited.pop_back(); }), testing::contains("other recorded steps"));
  CHECK_THAT(refused([](auto& list) { list[0].audited[0].step = list[1].audited[0].step = 9; }),
             testing::contains("one without a loss"));
  CHECK_THAT(refused([](auto& list) { list[1].audited[1].before.weights.pop_back(); }),
             testing::contains("another model or sharding"));
  CHECK_THAT(refused([](auto& list) { list[1].audited[1].gradient.clear(); }),
             testing::contains("gradient of another extent"));
}
