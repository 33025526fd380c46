#include "assay/collectives/in_process/run_ranks.hpp"

#include <atomic>
#include <set>
#include <thread>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("every rank runs once, in a thread of its own, hundreds at a time and again") {
  const InProcessWorld world(256);
  for (int round = 0; round < 2; ++round) {
    std::mutex mutex;
    std::set<std::thread::id> threads;
    std::set<int> ranks;
    run_ranks(world, [&](InProcessCollective& collective) {
      CollectiveCall call;
      call.operation = CollectiveOperation::barrier;
      collective.run(call, deadline_after(std::chrono::seconds(60))).value();
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
      ranks.insert(collective.rank());
    });
    CHECK((threads.size() == 256 && ranks.size() == 256 && *ranks.rbegin() == 255));
  }
}

TEST_CASE(
    "what a rank throws comes out with its number, the ranks that waited for it are told, and the cause is nested") {
  std::atomic<int> told = 0;
  try {
    run_ranks(InProcessWorld(3), [&](InProcessCollective& collective) {
      if (collective.rank() == 1) throw std::out_of_range("no such thing");
      CollectiveCall call;
      call.operation = CollectiveOperation::barrier;
      const auto done = collective.run(call, deadline_after(std::chrono::seconds(60)));
      if (!done &&
          done.error().message.find("rank 1 has ended: its function threw: no such thing") != std::string::npos)
        ++told;
    });
    FAIL("nothing was thrown");
  } catch (const RankException& thrown) {
    CHECK(thrown.rank() == 1);
    CHECK(std::string(thrown.what()) == "rank 1: its function threw: no such thing");
    CHECK_THROWS_AS(std::rethrow_if_nested(thrown), std::out_of_range);
  }
  CHECK(told == 2);
  CHECK_THROWS_AS(run_ranks(InProcessWorld(2), [](InProcessCollective&) { throw 7; }), RankException);
}
