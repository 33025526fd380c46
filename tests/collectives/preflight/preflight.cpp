#include "assay/collectives/preflight/preflight.hpp"

#include "assay/collectives/in_process/in_process_coordinator.hpp"
#include "assay/collectives/in_process/run_ranks.hpp"
#include "testing/catch.hpp"
#include "testing/under_sanitizer.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

/// What all ranks made of it, who must say the same.
PreflightResult preflight_of(int size, const InProcessOptions& network, PreflightOptions options, int absent = -1) {
  const InProcessWorld world(size, network);
  auto coordinators = in_process_coordinators(size);
  std::vector<PreflightResult> results(static_cast<std::size_t>(size));
  run_ranks(world, [&](InProcessCollective& end) {
    if (end.rank() == absent) return;
    AnyCollective collective(end);
    results[static_cast<std::size_t>(end.rank())] =
        preflight(collective, coordinators[static_cast<std::size_t>(end.rank())], options);
  });
  const std::size_t shown = absent == 0 ? 1 : 0;
  for (int rank = 0; rank < size; ++rank) {
    if (rank == absent) continue;
    CHECK(results[static_cast<std::size_t>(rank)].health == results[shown].health);
    CHECK(results[static_cast<std::size_t>(rank)].reason == results[shown].reason);
  }
  return results[shown];
}

PreflightOptions quick() {
  PreflightOptions options;
  options.count = 101;
  options.operation_deadline = std::chrono::milliseconds(300);
  options.bandwidth_bytes = 1 << 16;
  options.links = false;
  return options;
}

}  // namespace

TEST_CASE("ranks that compute the right thing are healthy") {
  const int size = GENERATE(1, 2, 5);
  const PreflightResult result = preflight_of(size, {}, quick());
  CHECK(result.health == Health::healthy);
  CHECK(result.exit_code() == 0);
  CHECK(result.outcomes.size() == 7);
  CHECK_THAT(result.reason, contains("on 1 host: barrier, broadcast, all_reduce"));
  CHECK(result.reason.find('\n') == std::string::npos);
}

TEST_CASE("a wrong result is unhealthy, and the reason names the operation and the rank") {
  InProcessOptions network;
  network.hooks.on_message = [](InProcessMessage& message) {
    return message.from == 2 && message.place.operation == CollectiveOperation::all_reduce ? MessageFate::lose
                                                                                           : MessageFate::deliver;
  };
  const PreflightResult result = preflight_of(4, network, quick());
  CHECK(result.health == Health::unhealthy);
  CHECK(result.exit_code() == 1);
  CHECK_THAT(result.reason, contains("all_reduce: "));
  CHECK_THAT(result.reason, contains("rank 2"));
}

TEST_CASE("a hang ends the preflight in time, and is explained") {
  InProcessOptions network;
  network.hooks.on_call = [](const InProcessArrival& arrival) {
    return arrival.rank == 2 && arrival.place.call == 4 ? CallFate::hang : CallFate::proceed;
  };
  const PreflightResult result = preflight_of(3, network, quick());
  CHECK(result.health == Health::unhealthy);
  CHECK_THAT(result.reason, contains("rank 2 has not come"));
  CHECK(result.outcomes.back().id == "collectives/preflight/hang");
  CHECK(result.outcomes.back().verdict == Verdict::error);
}

TEST_CASE("a rank that does not answer is named by all others") {
  const PreflightResult result = preflight_of(4, {}, quick(), 2);
  CHECK(result.health == Health::unhealthy);
  CHECK_THAT(result.reason, contains("rank 2 does not answer"));
}

TEST_CASE("a slow link is unhealthy; on a host with fewer processors than ranks only if asked for") {
  InProcessOptions network;
  // 3.3 ms against 0.07; a sanitizer takes a millisecond itself
  const double slow = testing::under_sanitizer() ? 2e6 : 2e7;
  network.link = [slow](int from, int to) { return EmulatedLink{1e-4, from == 1 && to == 0 ? slow : 1e9}; };
  PreflightOptions options = quick();
  options.operations = {CollectiveOperation::barrier};
  options.links = true;
  options.least_slowdown = 5;
  options.least_latency_slowdown = 5;
  options.judge_oversubscribed = true;
  PreflightResult result = preflight_of(4, network, options);
  CHECK(result.health == Health::unhealthy);
  CHECK_THAT(result.reason, contains("bandwidth: the link 1 → 0 takes"));
  bool mapped = false;
  for (const Outcome& outcome : result.outcomes) mapped = mapped || outcome.heat_maps.size() == 2;
  CHECK(mapped);
}

TEST_CASE("what could not be checked is not healthy") {
  PreflightOptions options = quick();
  SECTION("no time") {
    options.budget = std::chrono::milliseconds(0);
    const PreflightResult result = preflight_of(2, {}, options);
    CHECK(result.exit_code() == 2);
    CHECK_THAT(result.reason, contains("the time was up before barrier was checked"));
  }
  SECTION("nothing asked for") {
    options.operations.clear();
    CHECK(preflight_of(2, {}, options).health == Health::undecided);
  }
}

TEST_CASE("a coordinator of other ranks is misuse") {
  const InProcessWorld world(1);
  AnyCollective collective(world.collective(0));
  auto coordinators = in_process_coordinators(2);
  CHECK_THROWS_AS(preflight(collective, coordinators[1]), Misuse);
}
