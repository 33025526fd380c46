#include "assay/collectives/gloo.hpp"

#include <gloo/rendezvous/file_store.h>
#include <gloo/rendezvous/hash_store.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <thread>

#include "assay/collectives/in_process/in_process_coordinator.hpp"
#include "collectives/runtime_cases.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

static_assert(Collective<GlooCollective>);

namespace {

GlooOptions options_of(GlooAllReduce algorithm = GlooAllReduce::ring) {
  GlooOptions options;
  options.host = "127.0.0.1";
  options.all_reduce = algorithm;
  return options;
}

/// Ranks as threads; `body` gives what it found wrong.
std::vector<std::string> on_ranks(int size,
                                  const std::function<std::string(int rank, GlooCollective& collective)>& body,
                                  GlooOptions options = options_of()) {
  const auto store = std::make_shared<gloo::rendezvous::HashStore>();
  std::vector<std::string> found(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      auto made = GlooCollective::connect(rank, size, store, options);
      found[static_cast<std::size_t>(rank)] = made ? body(rank, made.value()) : made.error().message;
    });
  }
  for (std::thread& thread : threads) thread.join();
  return found;
}

Deadline soon(int milliseconds) {
  return deadline_after(std::chrono::milliseconds(milliseconds));
}

CollectiveCall barrier() {
  CollectiveCall call;
  call.operation = CollectiveOperation::barrier;
  return call;
}

}  // namespace

TEST_CASE("every operation of Gloo gives what it should, for every type and reduction") {
  const int size = GENERATE(1, 4);
  auto coordinators = in_process_coordinators(size);
  const auto problems = testing::some_of(testing::runtime_problems(size), 5);
  const auto found = on_ranks(size, [&](int rank, GlooCollective& collective) {
    AnyCollective any(std::move(collective));
    std::string all;
    for (const std::string& fault : testing::faults_of(any, coordinators[static_cast<std::size_t>(rank)], problems))
      all += fault + "\n";
    return all;
  });
  CHECK(found == std::vector<std::string>(static_cast<std::size_t>(size)));
}

TEST_CASE("the bcube all-reduce of Gloo gives what it should") {
  constexpr int size = 4;
  auto coordinators = in_process_coordinators(size);
  std::vector<CollectiveProblem> problems = testing::some_of(testing::runtime_problems(size), 5);
  std::erase_if(problems,
                [](const CollectiveProblem& problem) { return problem.operation != CollectiveOperation::all_reduce; });
  const auto found = on_ranks(
      size,
      [&](int rank, GlooCollective& collective) {
        AnyCollective any(std::move(collective));
        std::string all;
        for (const std::string& fault : testing::faults_of(any, coordinators[static_cast<std::size_t>(rank)], problems))
          all += fault + "\n";
        return all;
      },
      options_of(GlooAllReduce::bcube));
  CHECK(found == std::vector<std::string>(size));
}

TEST_CASE("ranks that wait in vain time out, and the communicator is then of no more use") {
  const auto found = on_ranks(3, [](int rank, GlooCollective& collective) -> std::string {
    if (rank == 2) {
      std::this_thread::sleep_for(std::chrono::milliseconds(600));
      return "";
    }
    const auto start = std::chrono::steady_clock::now();
    const auto done = collective.barrier(barrier(), soon(150));
    if (done) return "a barrier ended without rank 2";
    // One rank's deadline closes its connections; the other may learn of that first.
    if (done.error().kind != ErrorKind::timed_out && done.error().kind != ErrorKind::device)
      return done.error().message;
    if (std::chrono::steady_clock::now() - start > std::chrono::seconds(20)) return "the deadline was passed by far";
    const auto later = collective.barrier(barrier(), soon(150));
    if (later || later.error().kind != ErrorKind::aborted) return "a broken communicator went on";
    return done.error().kind == ErrorKind::timed_out ? "timed out" : "told";
  });
  CHECK((found[0] == "timed out" || found[1] == "timed out"));
  CHECK((found[0] == "timed out" || found[0] == "told"));
  CHECK((found[1] == "timed out" || found[1] == "told"));
}

TEST_CASE("abort ends an operation that waits, from another thread") {
  const auto found = on_ranks(2, [](int rank, GlooCollective& collective) -> std::string {
    if (rank == 1) {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      return "";
    }
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      collective.abort("asked for by the test");
    });
    const auto start = std::chrono::steady_clock::now();
    const auto done = collective.barrier(barrier(), soon(30000));
    other.join();
    if (std::chrono::steady_clock::now() - start > std::chrono::seconds(20)) return "abort did not end the wait";
    return done ? "it ended well" : done.error().message;
  });
  CHECK_THAT(found[0], contains("rank 0 of 2, barrier: asked for by the test"));
}

TEST_CASE("parts of a communicator work by themselves") {
  const auto found = on_ranks(3, [](int rank, GlooCollective& collective) -> std::string {
    auto part = collective.split(rank == 1 ? 7 : 3);
    if (!part) return part.error().message;
    GlooCollective& own = part.value();
    if (own.size() != (rank == 1 ? 1 : 2) || own.rank() != (rank == 2 ? 1 : 0)) return "wrong part";
    std::int32_t value = rank + 1, sum = 0;
    CollectiveCall call;
    call.type = ElementType::int32;
    call.count = 1;
    call.send = &value;
    call.receive = &sum;
    if (auto done = own.all_reduce(call, soon(20000)); !done) return done.error().message;
    return sum == (rank == 1 ? 2 : 4) ? "" : "wrong sum";
  });
  CHECK(found == std::vector<std::string>(3));
}

TEST_CASE("ranks that do not come to the meeting are told of") {
  auto options = options_of();
  options.timeout = std::chrono::milliseconds(200);
  std::string folder = (std::filesystem::temp_directory_path() / "assay_gloo_XXXXXX").string();
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  const auto alone = GlooCollective::connect(0, 2, std::make_shared<gloo::rendezvous::FileStore>(folder), options);
  std::filesystem::remove_all(folder);
  REQUIRE(!alone);
  CHECK(alone.error().kind == ErrorKind::timed_out);
  CHECK_THAT(alone.error().message, contains("rank 0 of 2 could not connect"));
  CHECK(GlooCollective::connect(2, 2, std::make_shared<gloo::rendezvous::HashStore>(), options).error().kind ==
        ErrorKind::invalid);
  CHECK(GlooCollective::connect(0, 1, nullptr, options).error().kind == ErrorKind::invalid);
  options.host = "no such host";
  CHECK(GlooCollective::connect(0, 1, std::make_shared<gloo::rendezvous::HashStore>(), options).error().kind ==
        ErrorKind::not_found);
}
