#include "assay/collectives/measurement/sweep.hpp"

#include <atomic>
#include <mutex>

#include "assay/collectives/in_process/in_process_coordinator.hpp"
#include "assay/collectives/in_process/run_ranks.hpp"
#include "assay/collectives/model/cost.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::Approx;

namespace {

/// What every rank of a world got from a sweep.
std::vector<Result<SweepResult>> sweep_all(int ranks, const SweepOptions& options, InProcessHooks hooks = {}) {
  InProcessOptions settings;
  settings.hooks = std::move(hooks);
  const InProcessWorld world(ranks, settings);
  auto coordinators = in_process_coordinators(ranks);
  std::vector<Result<SweepResult>> results(static_cast<std::size_t>(ranks), SweepResult{});
  run_ranks(world, [&](InProcessCollective& end) {
    const auto rank = static_cast<std::size_t>(end.rank());
    AnyCollective any(world.collective(end.rank()));
    results[rank] = sweep(any, coordinators[rank], options);
  });
  return results;
}

SweepOptions small() {
  SweepOptions options;
  options.least_bytes = 4;
  options.most_bytes = 6000;
  options.step_factor = 37;
  options.iterations = 5;
  options.deadline = std::chrono::seconds(20);
  return options;
}

/// A fault in the output of rank 2, in one call.
InProcessHooks in_one_call(std::uint64_t call, std::function<void(const CollectiveCall&)> fault) {
  InProcessHooks hooks;
  hooks.on_return = [=](const InProcessArrival& arrival) {
    if (arrival.rank == 2 && arrival.place.call == call) fault(arrival.calls[0]);
  };
  return hooks;
}

}  // namespace

TEST_CASE("every operation is measured and found right, out of place and in place, on odd numbers of ranks too") {
  SweepOptions options = small();
  options.operations.assign(all_collective_operations.begin(), all_collective_operations.end());
  options.types = {ElementType::bfloat16, ElementType::int8};
  options.reductions = {ReductionOperator::sum, ReductionOperator::average, ReductionOperator::maximum};
  options.root = 1;
  for (const int ranks : {2, 3}) {
    const auto results = sweep_all(ranks, options);
    for (const auto& result : results) {
      REQUIRE(result);
      CHECK(result.value().runtime == "in_process.ring");
      CHECK(result.value().wrong() == 0);
      CHECK(result.value().points.size() == results[0].value().points.size());
    }
    std::size_t in_place = 0;
    for (const SweepPoint& point : results[0].value().points) {
      CAPTURE(name_of(point.operation), point.bytes, point.in_place);
      CHECK(!point.error);
      CHECK(point.verified);
      CHECK(point.findings.empty());
      CHECK(point.call_seconds.size() == 5);
      CHECK(point.seconds > 0);
      CHECK(point.least_seconds <= point.median_seconds);
      CHECK(point.median_seconds <= point.p99_seconds);
      CHECK(point.p99_seconds <= point.most_seconds);
      CHECK(point.seconds <= point.most_seconds);
      if (point.operation == CollectiveOperation::all_gather)
        CHECK(point.bytes == static_cast<double>(point.count * ranks) * static_cast<double>(bytes_of(point.type)));
      in_place += point.in_place ? 1 : 0;
    }
    // 2 types × 3 sizes (of int8 4, 148 and 5476 bytes), times reductions of three operations; none of all_to_all_v or
    // a barrier.
    CHECK(in_place == 2 * 3 * (3 * 3 + 6));
  }
}

TEST_CASE("one wrong bit in one timed call is found, whatever other calls did") {
  SweepOptions options = small();
  options.sizes = {4000};
  options.in_place = false;
  // Calls: warm-up with its barrier before, then a barrier, then the timed calls from 3 on.
  for (const std::uint64_t call : {3u, 5u, 7u}) {
    const auto results = sweep_all(3, options, in_one_call(call, [](const CollectiveCall& made) {
                                     static_cast<unsigned char*>(made.receive)[1234] ^= 1;
                                   }));
    for (const auto& result : results) {
      REQUIRE(result);
      CHECK(result.value().wrong() == 1);
      CHECK(result.value().points[0].verified);
      REQUIRE(!result.value().points[0].findings.empty());
      CHECK(result.value().points[0].findings.back().find("rank 2: 1 of 1000 elements are wrong in call") == 0);
      CHECK(result.value().points[0].findings.back().find("the first is 308") != std::string::npos);
    }
  }
}

TEST_CASE("in place, a wrong bit is found as well, and does not spoil the next call") {
  SweepOptions options = small();
  options.sizes = {4000};
  options.out_of_place = false;
  for (const CollectiveOperation operation :
       {CollectiveOperation::all_reduce, CollectiveOperation::all_gather, CollectiveOperation::reduce_scatter}) {
    options.operations = {operation};
    const auto results = sweep_all(3, options, in_one_call(4, [](const CollectiveCall& made) {
                                     static_cast<unsigned char*>(made.receive)[0] ^= 1;
                                   }));
    CHECK(results[0].value().wrong() == 1);
  }
}

TEST_CASE("an output that is left from before, and an input that is changed, are wrong") {
  SweepOptions options = small();
  options.sizes = {4'000'000};  // not poisoned between calls
  options.memory_bytes = 1e7;   // so that outputs are used again
  options.in_place = false;
  std::mutex mutex;
  std::vector<char> before;
  InProcessHooks stale;
  stale.on_return = [&](const InProcessArrival& arrival) {
    if (arrival.rank != 1 || arrival.calls[0].operation != CollectiveOperation::all_reduce) return;
    auto* out = static_cast<char*>(arrival.calls[0].receive);
    const auto bytes = static_cast<std::size_t>(arrival.calls[0].count) * 4;
    const std::lock_guard lock(mutex);
    std::vector<char> now(out, out + bytes);
    if (before.size() == bytes && arrival.place.call > 6) std::memcpy(out, before.data(), bytes);
    before = std::move(now);
  };
  const auto left = sweep_all(2, options, stale);
  CHECK(left[0].value().wrong() > 900'000);

  const auto changed = sweep_all(3, options, in_one_call(5, [](const CollectiveCall& made) {
                                   const_cast<unsigned char*>(static_cast<const unsigned char*>(made.send))[40] ^= 1;
                                 }));
  CHECK(changed[0].value().wrong() > 0);
  REQUIRE(!changed[0].value().points[0].findings.empty());
  CHECK(changed[0].value().points[0].findings.back() == "rank 2: 1 elements of the input were changed");
}

TEST_CASE("without verification nothing is said to be right") {
  SweepOptions options = small();
  options.verify = false;
  const auto results = sweep_all(2, options, in_one_call(3, [](const CollectiveCall&) {}));
  for (const SweepPoint& point : results[0].value().points) CHECK(!point.verified);
}

TEST_CASE("what the runtime lacks is told once; a rank that hangs ends the sweep with its name, without a deadlock") {
  struct Lacking {
    InProcessCollective end;
    int rank() const { return end.rank(); }
    int size() const { return end.size(); }
    std::string name() const { return "lacking"; }
    void abort(std::string_view reason) { end.abort(reason); }
    Result<void> all_reduce(const CollectiveCall& call, Deadline deadline) { return end.run(call, deadline); }
  };
  SweepOptions options = small();
  options.operations = {CollectiveOperation::all_gather, CollectiveOperation::all_reduce};
  const InProcessWorld world(2);
  auto coordinators = in_process_coordinators(2);
  run_ranks(world, [&](InProcessCollective& end) {
    AnyCollective any(Lacking{world.collective(end.rank())});
    const auto result = sweep(any, coordinators[static_cast<std::size_t>(end.rank())], options);
    if (end.rank() != 0) return;
    REQUIRE(result);
    REQUIRE(result.value().points.size() == 2 + 6);  // all_gather out of place and in place; three sizes of all_reduce
    CHECK(result.value().points[0].error->kind == ErrorKind::unsupported);
    CHECK(!result.value().points[2].error);
  });

  InProcessHooks hooks;
  hooks.on_call = [](const InProcessArrival& arrival) {
    return arrival.rank == 1 && arrival.place.call == 5 ? CallFate::hang : CallFate::proceed;
  };
  options.operations = {CollectiveOperation::all_reduce};
  options.deadline = std::chrono::milliseconds(300);
  const auto results = sweep_all(3, options, hooks);
  for (const auto& result : results) {
    REQUIRE(result);
    REQUIRE(result.value().points.size() == 1);
    REQUIRE(result.value().points[0].error);
    CHECK(result.value().points[0].error->kind == ErrorKind::timed_out);
    CHECK(result.value().points[0].error->message.find("rank") != std::string::npos);
  }
}

TEST_CASE("options that cannot be are refused before anything runs") {
  SweepOptions options = small();
  options.root = 2;
  for (const auto& result : sweep_all(2, options)) {
    REQUIRE(!result);
    CHECK(result.error().message == "SweepOptions::root is 2; it must be a rank, 0 to 1");
  }
}

TEST_CASE("cost models foretell what ranks take over emulated links, within 15 percent, a tree within 25", "[.long]") {
  struct Trial {
    CollectiveAlgorithm algorithm;
    CostModel model;
    int ranks;
    int ranks_per_node;
    std::size_t chunk_bytes;  // a tree is a pipeline of chunks; the other models count whole blocks
  };
  constexpr std::size_t whole = std::size_t{1} << 30;
  Link link;
  link.latency_seconds = 4e-3;
  link.line_rate = 20e6;
  for (const Trial& trial : {Trial{CollectiveAlgorithm::ring, CostModel::ring, 5, 1, whole},
                             Trial{CollectiveAlgorithm::ring, CostModel::ring, 8, 1, whole},
                             Trial{CollectiveAlgorithm::recursive_halving_doubling, CostModel::recursive, 8, 1, whole},
                             Trial{CollectiveAlgorithm::tree, CostModel::tree, 8, 1, std::size_t{16} << 10},
                             Trial{CollectiveAlgorithm::hierarchical, CostModel::hierarchical, 8, 4, whole}}) {
    InProcessOptions settings;
    settings.algorithm = trial.algorithm;
    settings.ranks_per_node = trial.ranks_per_node;
    settings.chunk_bytes = trial.chunk_bytes;
    settings.check_calls = false;
    settings.link = [&](int, int) { return EmulatedLink{link.latency_seconds, link.line_rate}; };
    const InProcessWorld world(trial.ranks, settings);
    auto coordinators = in_process_coordinators(trial.ranks);
    SweepOptions options;
    options.operations = {CollectiveOperation::all_reduce};
    if (trial.model == CostModel::ring)
      options.operations = {CollectiveOperation::all_reduce, CollectiveOperation::reduce_scatter,
                            CollectiveOperation::all_gather, CollectiveOperation::all_to_all};
    options.sizes = {4096, 100'000, 2'000'000};
    options.iterations = 5;
    options.in_place = false;
    options.barrier_before_each = true;
    run_ranks(world, [&](InProcessCollective& end) {
      AnyCollective any(world.collective(end.rank()));
      const auto result = sweep(any, coordinators[static_cast<std::size_t>(end.rank())], options);
      if (end.rank() != 0) return;
      REQUIRE(result);
      Topology topology = flat_topology(trial.ranks, link);
      topology.devices = topology.adapters = trial.ranks_per_node;
      topology.nodes = trial.ranks / trial.ranks_per_node;
      for (const SweepPoint& point : result.value().points) {
        CAPTURE(name_of(trial.model), trial.ranks, name_of(point.operation), point.bytes);
        CHECK(point.wrong == 0);
        CHECK(point.median_seconds ==
              Approx(modeled_seconds(trial.model, point.operation, point.bytes, topology).value())
                  .epsilon(trial.model == CostModel::tree ? 0.25 : 0.15));
      }
    });
  }
}
