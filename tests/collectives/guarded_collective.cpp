#include "assay/collectives/guarded_collective.hpp"

#include <functional>
#include <thread>

#include "assay/collectives/in_process/in_process_coordinator.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

/// A runtime that believes everything and counts what it is asked for.
struct Credulous {
  int own = 0, ranks = 1;
  std::shared_ptr<int> calls = std::make_shared<int>(0);

  int rank() const { return own; }
  int size() const { return ranks; }
  std::string name() const { return "credulous"; }
  void abort(std::string_view) {}
  Result<void> broadcast(const CollectiveCall&, Deadline) { return seen(); }
  Result<void> barrier(const CollectiveCall&, Deadline) { return seen(); }
  Result<void> seen() {
    ++*calls;
    return {};
  }
};

struct Answers {
  std::vector<Result<void>> results;
  std::vector<int> reached;  ///< calls that the runtime saw
};

/// What every rank is told when it makes the calls that `calls_of` gives it; a rank without calls does not come.
Answers ask(int size, const std::function<std::vector<CollectiveCall>(int rank)>& calls_of) {
  auto coordinators = in_process_coordinators(size);
  Answers answers{std::vector<Result<void>>(static_cast<std::size_t>(size)),
                  std::vector<int>(static_cast<std::size_t>(size))};
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      const auto index = static_cast<std::size_t>(rank);
      Credulous inner{rank, size};
      AnyCollective guarded(GuardedCollective(inner, std::make_shared<InProcessCoordinator>(coordinators[index])));
      const auto calls = calls_of(rank);
      if (calls.empty()) return;
      const Deadline deadline = deadline_after(std::chrono::milliseconds(100));
      answers.results[index] =
          calls.size() == 1 ? guarded.run(calls.front(), deadline) : guarded.run_group(calls, deadline);
      answers.reached[index] = *inner.calls;
    });
  }
  for (std::thread& thread : threads) thread.join();
  return answers;
}

CollectiveCall broadcast_from(int root, int* data) {
  CollectiveCall call;
  call.operation = CollectiveOperation::broadcast;
  call.type = ElementType::int32;
  call.count = 1;
  call.root = root;
  call.send = call.receive = data;
  return call;
}

}  // namespace

TEST_CASE("calls that match reach the runtime, alone and in groups") {
  std::vector<int> data(4);
  const std::size_t calls = GENERATE(std::size_t{1}, std::size_t{2});
  const Answers answers = ask(4, [&](int rank) {
    return std::vector<CollectiveCall>(calls, broadcast_from(3, &data[static_cast<std::size_t>(rank)]));
  });
  for (const auto& result : answers.results) CHECK(result);
  CHECK(answers.reached == std::vector<int>(4, static_cast<int>(calls)));
}

TEST_CASE("mismatched calls are refused on every rank alike, before the runtime sees them") {
  std::vector<int> data(4);
  std::string expected;
  std::function<std::vector<CollectiveCall>(int)> calls;
  SECTION("another root") {
    expected = "the ranks' calls do not match: root: rank 2 gives 1, ranks 0, 1, 3 give 0";
    calls = [&](int rank) {
      return std::vector<CollectiveCall>{broadcast_from(rank == 2 ? 1 : 0, &data[static_cast<std::size_t>(rank)])};
    };
  }
  SECTION("a call that contradicts itself is told to all") {
    expected = "rank 1 of 4, broadcast: count is -1; it must be 0 or more";
    calls = [&](int rank) {
      std::vector<CollectiveCall> made{broadcast_from(0, &data[static_cast<std::size_t>(rank)])};
      if (rank == 1) made[0].count = -1;
      return made;
    };
  }
  SECTION("groups of different lengths") {
    expected = "broadcast int32 1 root 0: rank 3 groups 2 operations, rank 0 1";
    calls = [&](int rank) {
      return std::vector<CollectiveCall>(rank == 3 ? 2 : 1, broadcast_from(0, &data[static_cast<std::size_t>(rank)]));
    };
  }
  const Answers answers = ask(4, calls);
  for (const auto& result : answers.results) {
    REQUIRE(!result);
    CHECK(result.error().kind == ErrorKind::invalid);
    CHECK(result.error().message == expected);
  }
  CHECK(answers.reached == std::vector<int>(4));
}

TEST_CASE("ranks that do not come are named, and nothing is begun") {
  std::vector<int> data(4);
  const Answers answers = ask(4, [&](int rank) {
    return rank % 2 == 1 ? std::vector<CollectiveCall>{}
                         : std::vector<CollectiveCall>{broadcast_from(0, &data[static_cast<std::size_t>(rank)])};
  });
  for (const std::size_t rank : {0u, 2u}) {
    REQUIRE(!answers.results[rank]);
    CHECK(answers.results[rank].error().kind == ErrorKind::timed_out);
    CHECK(answers.results[rank].error().message ==
          "broadcast int32 1 root 0: ranks 1, 3 did not come in time; nothing was begun");
  }
  CHECK(answers.reached == std::vector<int>(4));
}
