#include "assay/suite/distributed_runner.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "assay/suite/serve_distributed.hpp"
#include "testing/catch.hpp"
#include "testing/thread_channel.hpp"

using namespace assay;
using testing::Network;
using testing::ThreadChannel;

namespace {

thread_local int performing_process = 0;

Suite suite_of(std::size_t count, std::function<void(std::size_t)> effect = {}) {
  Suite suite;
  for (std::size_t i = 0; i < count; ++i) {
    Case entry;
    entry.id = "case/" + std::to_string(i);
    entry.run = [i, effect](const CaseContext& context) {
      if (effect) effect(i);
      Outcome outcome;
      outcome.verdict = i % 10 == 3 ? Verdict::fail : Verdict::pass;
      outcome.measure("seed_remainder", static_cast<double>(context.seed % 1000));
      if (i % 10 == 3) outcome.reason = "a fault";
      return outcome;
    };
    suite.push_back(std::move(entry));
  }
  return suite;
}

struct Distributed {
  Run run;
  std::vector<Result<void>> workers;
};

Distributed distribute(const Suite& suite, const Suite& workers_suite, int processes, Network& network,
                       DistributionOptions distribution = {}, bool tells_losses = true,
                       const std::atomic<bool>* stop = nullptr) {
  Distributed result;
  result.workers.assign(static_cast<std::size_t>(processes - 1), failure(ErrorKind::io, "not ended"));
  RunOptions options;
  options.seed = 5;
  options.stop = stop;
  std::vector<std::thread> threads;
  for (int process = 1; process < processes; ++process)
    threads.emplace_back([&, process] {
      ThreadChannel channel{&network, process};
      result.workers[static_cast<std::size_t>(process - 1)] = serve_distributed(
          workers_suite,
          [&](const Suite& own, std::size_t position) {
            performing_process = process;
            return detail::perform(own[position], options);
          },
          "host" + std::to_string(process), channel);
    });
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < suite.size(); ++i) all.push_back(i);
  ThreadChannel channel{&network, 0, tells_losses};
  NullObserver observer;
  result.run = run_distributed(suite, all, options, distribution, {}, observer, channel);
  for (int process = 1; process < processes; ++process) network.kill(process);
  for (std::thread& thread : threads) thread.join();
  return result;
}

}  // namespace

TEST_CASE("a distributed run gives what a run in one process gives, wherever the cases ran") {
  const Suite suite = suite_of(300);
  RunOptions options;
  options.seed = 5;
  NullObserver observer;
  const Run alone = run_suite(suite, options, {}, observer);
  Network network(4);
  const Distributed spread = distribute(suite, suite, 4, network);
  REQUIRE(spread.run.outcomes.size() == alone.outcomes.size());
  for (std::size_t i = 0; i < suite.size(); ++i) {
    CHECK(spread.run.outcomes[i].id == alone.outcomes[i].id);
    CHECK(spread.run.outcomes[i].verdict == alone.outcomes[i].verdict);
    CHECK(spread.run.outcomes[i].measurement("seed_remainder") == alone.outcomes[i].measurement("seed_remainder"));
    CHECK(spread.run.outcomes[i].label("host").substr(0, 4) == "host");
  }
  CHECK(spread.run.exit_code() == 1);
}

TEST_CASE("a lost process costs the case that it was at, and no other") {
  for (const bool tells_losses : {true, false}) {
    Network network(3);
    const Suite suite = suite_of(60);
    const Suite workers = suite_of(60, [&](std::size_t i) {
      if (i != 20) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));  // that it began is told by then
      network.kill(performing_process);
    });
    DistributionOptions distribution;
    distribution.silence = std::chrono::seconds(3);
    const Distributed spread = distribute(suite, workers, 3, network, distribution, tells_losses);
    REQUIRE(spread.run.outcomes.size() == 60);
    CHECK(spread.run.count(Verdict::error) == 1);
    CHECK(spread.run.count(Verdict::pass) == 53);
    CHECK(spread.run.outcomes[20].label("ended") == "process lost");
    CHECK_THAT(spread.run.outcomes[20].reason,
               testing::contains(tells_losses ? "its process ended" : "it was silent for 3 s"));
    REQUIRE(spread.run.environment.devices.size() == 1);
    CHECK_THAT(spread.run.environment.devices[0], testing::contains("1 were lost"));
  }
}

TEST_CASE("a process that was never heard of is told of") {
  for (const bool tells_losses : {true, false}) {
    Network network(3);
    network.kill(2);
    const Suite suite = suite_of(8);
    const Distributed spread = distribute(suite, suite, 3, network, {}, tells_losses);
    CHECK(spread.run.count(Verdict::error) == 0);
    REQUIRE(spread.run.environment.devices.size() == 1);
    CHECK(spread.run.environment.devices[0] == (tells_losses
                                                    ? "2 processes, of which 1 were lost"
                                                    : "2 processes, of which 1 had not yet been heard of at the end"));
  }
}

TEST_CASE("when no process is left, what did not run is an error that says so") {
  Network network(2);
  const Suite suite = suite_of(8);
  const Suite workers = suite_of(8, [&](std::size_t i) {
    if (i != 2) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    network.kill(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  });
  const Distributed spread = distribute(suite, workers, 2, network);
  REQUIRE(spread.run.outcomes.size() == 8);
  CHECK(spread.run.outcomes[1].verdict == Verdict::pass);
  CHECK_THAT(spread.run.outcomes[2].reason, testing::contains("lost with the process that ran it: process 1 on host1"));
  CHECK_THAT(spread.run.outcomes[7].reason, testing::contains("no process is left to run it"));
  CHECK(!spread.workers[0]);
}

TEST_CASE("processes with another suite are errors, not outcomes of other cases") {
  Network network(2);
  const Suite suite = suite_of(3);
  const Distributed spread = distribute(suite, suite_of(2), 2, network);
  CHECK(spread.run.outcomes[0].verdict == Verdict::pass);
  CHECK_THAT(spread.run.outcomes[2].reason, testing::contains("no such case"));
}

TEST_CASE("a stop request ends the running cases and starts no others") {
  Network network(2);
  std::atomic<bool> stop{false};
  const Suite suite = suite_of(200);
  const Suite workers = suite_of(200, [&](std::size_t i) {
    if (i == 5) stop = true;
    if (i >= 5) std::this_thread::sleep_for(std::chrono::milliseconds(30));
  });
  const Distributed spread = distribute(suite, workers, 2, network, {}, true, &stop);
  CHECK(spread.run.outcomes.size() >= 6);
  CHECK(spread.run.outcomes.size() < 15);
  CHECK(spread.run.exit_code() == 1);
  CHECK(spread.run.planned_cases == 200);
}

TEST_CASE("what cannot be a distributed run is misuse") {
  Network network(2);
  ThreadChannel worker{&network, 1};
  NullObserver observer;
  const Suite suite = suite_of(1);
  CHECK_THROWS_AS(run_distributed(suite, {0}, {}, {}, {}, observer, worker), Misuse);
  Network lonely(1);
  ThreadChannel alone{&lonely, 0};
  CHECK_THROWS_AS(run_distributed(suite, {0}, {}, {}, {}, observer, alone), Misuse);
}
