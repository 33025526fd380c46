#include "assay/collectives/mpi.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "assay/collectives/flight/flight_board.hpp"
#include "assay/collectives/flight/hang_report.hpp"
#include "assay/collectives/flight/recorded_collective.hpp"
#include "assay/collectives/guarded_collective.hpp"
#include "assay/collectives/mpi_coordinator.hpp"
#include "assay/collectives/mpi_session.hpp"
#include "collectives/runtime_cases.hpp"
#include "testing/catch.hpp"

// Run alone, and by mpirun.py with 2, 4 and 8 processes: every rank runs every test. What hangs runs into deadlines.

using namespace assay;
using assay::testing::contains;

static_assert(Collective<MpiCollective>);

namespace {

/// One for the program; it ends with it.
const MpiSession& session() {
  static const MpiSession only = [] {
    auto opened = MpiSession::open();
    if (!opened) {
      std::fprintf(stderr, "%s\n", opened.error().message.c_str());
      std::exit(1);
    }
    return std::move(opened).value();
  }();
  return only;
}

MpiCollective world(MpiOptions options = {}) {
  static_cast<void>(session());
  return std::move(MpiCollective::create(MPI_COMM_WORLD, options)).value();
}
std::shared_ptr<Coordinator> coordinator() {
  static_cast<void>(session());
  return std::move(MpiCoordinator::create(MPI_COMM_WORLD)).value();
}

Deadline soon(int milliseconds) {
  return deadline_after(std::chrono::milliseconds(milliseconds));
}

CollectiveCall sum_of(std::int64_t* values, Index count) {
  CollectiveCall call;
  call.type = ElementType::int64;
  call.count = count;
  call.send = call.receive = values;
  return call;
}

/// What MPI may still write to after an operation was given up.
std::int64_t* kept_until_the_end(std::size_t count) {
  return new std::int64_t[count]();
}

}  // namespace

TEST_CASE("MPI that does not run is told of, not called") {
  int runs = 0;
  MPI_Initialized(&runs);
  if (runs != 0) return;
  const auto made = MpiCollective::create(MPI_COMM_WORLD);
  REQUIRE(!made);
  CHECK(made.error().kind == ErrorKind::invalid);
  CHECK_THAT(made.error().message, contains("MPI is not initialized"));
  CHECK(MpiCoordinator::create(MPI_COMM_WORLD).error().kind == ErrorKind::invalid);
}

TEST_CASE("a session knows its library and its threads, and is the only one") {
  CHECK(session().threads() >= MpiThreads::serialized);
  Environment environment;
  MpiSession::describe(environment);
  REQUIRE(environment.libraries.size() == 1);
  CHECK(environment.libraries[0].first == "MPI");
  CHECK_THAT(environment.libraries[0].second, contains("; MPI "));
  const auto second = MpiSession::open();
  REQUIRE(!second);
  CHECK_THAT(second.error().message, contains("MPI runs already"));
}

TEST_CASE("every operation of MPI gives what it should, for every type and reduction") {
  MpiOptions options;
  std::size_t stride = 5;
  SECTION("in its non-blocking form") {}
  SECTION("in its blocking form") {
    options.blocking = true;
  }
  SECTION("in pieces, where counts do not reach") {
    options.largest_count = 100;
    stride = 11;
  }
  AnyCollective collective(world(options));
  const auto beside = coordinator();
  auto problems =
      testing::some_of(testing::runtime_problems(collective.size()), collective.size() > 4 ? 5 * stride : stride);
  // Its blocks may be no longer than counts reach, which other ranks do not see.
  if (options.largest_count == 100)
    std::erase_if(problems, [](const CollectiveProblem& problem) {
      return problem.operation == CollectiveOperation::all_to_all_v;
    });
  CHECK(testing::faults_of(collective, *beside, problems) == std::vector<std::string>{});
}

TEST_CASE("operations of a group are under way at once") {
  MpiCollective collective = world();
  const int size = collective.size(), rank = collective.rank();
  std::int64_t sums[2] = {rank, 1}, message = rank, received = -1;
  CollectiveCall around;
  around.operation = CollectiveOperation::send_receive;
  around.type = ElementType::int64;
  around.count = 1;
  around.destination = (rank + 1) % size;
  around.source = (rank + size - 1) % size;
  around.send = &message;
  around.receive = &received;
  const std::vector<CollectiveCall> calls{sum_of(&sums[0], 1), around, sum_of(&sums[1], 1)};
  REQUIRE(collective.run_group(calls, soon(20000)));
  CHECK(sums[0] == size * (size - 1) / 2);
  CHECK(sums[1] == size);
  CHECK(received == (rank + size - 1) % size);
}

TEST_CASE("parts of a communicator work by themselves") {
  MpiCollective collective = world();
  auto part = collective.split(collective.rank() % 2);
  REQUIRE(part);
  CHECK(part.value().size() == (collective.size() + 1 - collective.rank() % 2) / 2);
  CHECK(part.value().rank() == collective.rank() / 2);
  std::int64_t value = 1;
  REQUIRE(part.value().run(sum_of(&value, 1), soon(20000)));
  CHECK(value == part.value().size());
  CHECK(collective.split(-1).error().kind == ErrorKind::invalid);
}

TEST_CASE("coordinators exchange texts of any length, again and again") {
  const auto beside = coordinator();
  const auto text = [](int rank, int round) {
    return std::string(static_cast<std::size_t>(round % 7 == 6 ? 200000 : round), static_cast<char>('a' + rank)) + '\0';
  };
  for (int round = 0; round < 50; ++round) {
    const auto all = beside->exchange(text(beside->rank(), round), soon(20000));
    REQUIRE(all);
    for (int rank = 0; rank < beside->size(); ++rank)
      REQUIRE(all.value()[static_cast<std::size_t>(rank)] == text(rank, round));
  }
}

TEST_CASE("ranks that do not come to an exchange are absent for all, themselves included") {
  const auto beside = coordinator(), after = coordinator();
  if (beside->size() == 1) return;
  const int late = beside->size() - 1;
  if (beside->rank() == late) std::this_thread::sleep_for(std::chrono::milliseconds(400));
  const auto met = meet(*beside, soon(100));
  REQUIRE(!met);
  CHECK(met.error().message == "these ranks did not come in time: " + std::to_string(late));
  CHECK(meet(*beside, soon(20000)));  // all are in step again
  CHECK(meet(*after, soon(20000)));
}

TEST_CASE("a coordinator's rank 0 that does not come is named") {
  const auto beside = coordinator(), after = coordinator();
  if (beside->size() == 1) return;
  if (beside->rank() != 0) {
    const auto met = meet(*beside, soon(50));
    REQUIRE(!met);
    CHECK(met.error().kind == ErrorKind::io);
    CHECK_THAT(met.error().message, contains("rank 0, through which ranks exchange, did not answer"));
  }
  CHECK(meet(*after, soon(20000)));
}

TEST_CASE("an operation whose ranks do not come ends at its deadline, and the communicator with it") {
  MpiCollective collective = world();
  const auto beside = coordinator();
  if (collective.size() == 1) return;
  if (collective.rank() != 0) {
    std::int64_t* values = kept_until_the_end(4);
    const auto start = std::chrono::steady_clock::now();
    const auto done = collective.run(sum_of(values, 4), soon(100));
    REQUIRE(!done);
    CHECK(done.error().kind == ErrorKind::timed_out);
    CHECK_THAT(done.error().message,
               contains("rank " + std::to_string(collective.rank()) + " of " + std::to_string(collective.size()) +
                        ", all_reduce int64 4 sum: not complete by the deadline"));
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
    CHECK(collective.run(sum_of(values, 4), soon(100)).error().kind == ErrorKind::aborted);
  }
  CHECK(meet(*beside, soon(20000)));
}

TEST_CASE("abort ends an operation that waits, from another thread") {
  MpiCollective collective = world();
  const auto beside = coordinator();
  if (collective.size() == 1) return;
  if (collective.rank() == 0) {
    std::int64_t* values = kept_until_the_end(1);
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      collective.abort("asked for by the test");
    });
    const auto done = collective.run(sum_of(values, 1), soon(60000));
    other.join();
    REQUIRE(!done);
    CHECK(done.error().kind == ErrorKind::aborted);
    CHECK_THAT(done.error().message, contains("asked for by the test"));
  }
  CHECK(meet(*beside, soon(20000)));
}

TEST_CASE("mismatched calls do not reach MPI where it is guarded") {
  AnyCollective guarded(GuardedCollective(world(), coordinator()));
  const int size = guarded.size(), odd = size - 1;
  if (size < 3) return;
  std::int64_t values[8] = {};
  CollectiveCall call = sum_of(values, 4);
  call.operation = CollectiveOperation::broadcast;
  std::string expected;
  SECTION("root") {
    if (guarded.rank() == odd) call.root = 1;
    expected = "root: rank " + std::to_string(odd) + " gives 1, ranks ";
  }
  SECTION("count") {
    if (guarded.rank() == odd) call.count = 5;
    expected = "count: rank " + std::to_string(odd) + " gives 5, ranks ";
  }
  SECTION("type") {
    if (guarded.rank() == odd) call.type = ElementType::float64;
    expected = "type: rank " + std::to_string(odd) + " gives f64, ranks ";
  }
  const auto refused = guarded.run(call, soon(20000));
  REQUIRE(!refused);
  CHECK(refused.error().kind == ErrorKind::invalid);
  CHECK_THAT(refused.error().message, contains(expected));

  std::fill(values, values + 8, 1);  // and the communicator is as good as before
  REQUIRE(guarded.run(sum_of(values, 4), soon(20000)));
  CHECK(values[3] == size);
}

TEST_CASE("errors of MPI are named") {
  CHECK(MpiCollective::create(MPI_COMM_NULL).error().kind == ErrorKind::invalid);
  MpiCollective collective = world();
  const auto beside = coordinator();
  if (collective.size() < 2) return;
  std::int64_t* values = kept_until_the_end(8);
  CollectiveCall call;
  call.operation = CollectiveOperation::send_receive;
  call.type = ElementType::int64;
  if (collective.rank() == 0) {
    call.count = 8;
    call.destination = 1;
    call.send = values;
    CHECK(collective.run(call, soon(20000)));
  } else if (collective.rank() == 1) {
    call.count = 1;
    call.source = 0;
    call.receive = values;
    const auto done = collective.run(call, soon(20000));
    REQUIRE(!done);
    CHECK(done.error().kind == ErrorKind::device);
    CHECK_THAT(done.error().message, contains("TRUNCATE"));
  }
  CHECK(meet(*beside, soon(20000)));
}

TEST_CASE("blocks that no count reaches are refused where ranks cannot agree on a way round") {
  MpiOptions options;
  options.largest_count = 10;
  MpiCollective collective = world(options);
  const auto ranks = static_cast<std::size_t>(collective.size());
  std::int64_t values[1] = {};
  CollectiveCall call;
  call.operation = CollectiveOperation::all_to_all_v;
  call.type = ElementType::int64;
  call.sent.counts.assign(ranks, 0);
  call.sent.displacements.assign(ranks, 11);
  call.received = call.sent;
  call.send = call.receive = values;
  const auto refused = collective.run(call, soon(20000));
  REQUIRE(!refused);
  CHECK(refused.error().kind == ErrorKind::unsupported);
  std::int64_t value = 1;
  CHECK(collective.run(sum_of(&value, 1), soon(20000)));
}

// In a process of its own: MPI does not start again.
TEST_CASE("MPI that was finalized is told of, not called", "[.finalized]") {
  std::optional<MpiCollective> left;
  std::unique_ptr<Coordinator> left_beside;
  {
    auto opened = MpiSession::open();
    REQUIRE(opened);
    left.emplace(std::move(MpiCollective::create(MPI_COMM_WORLD)).value());
    left_beside = std::move(MpiCoordinator::create(MPI_COMM_WORLD)).value();
  }
  std::int64_t value = 1;
  const auto late = left->run(sum_of(&value, 1), soon(100));
  REQUIRE(!late);
  CHECK(late.error().kind == ErrorKind::invalid);
  CHECK_THAT(late.error().message, contains("MPI was finalized already"));
  CHECK(left_beside->exchange("x", soon(100)).error().kind == ErrorKind::invalid);
  CHECK(MpiCollective::create(MPI_COMM_WORLD).error().kind == ErrorKind::invalid);
  CHECK(MpiSession::open().error().kind == ErrorKind::invalid);
}

// mpirun.py runs these two: ranks note what they do in files, the last one kills itself, and the survivors, if the
// launcher leaves any, or who reads the files afterwards, tell who died.

namespace {

FlightBoard board() {
  const char* folder = std::getenv("ASSAY_FLIGHT_FOLDER");
  return FlightBoard(folder == nullptr ? "flight" : folder, "killed");
}

void print_report(const std::string& who) {
  auto reading = board().read();
  REQUIRE(reading);
  const HangReport report =
      hang_report(std::move(reading.value().flights), flight_time_now(), reading.value().problems);
  std::printf("%s: %s\n", who.c_str(), report.sentence.c_str());
  for (const int culprit : report.culprits) std::printf("%s: culprit %d\n", who.c_str(), culprit);
  std::fflush(stdout);
}

}  // namespace

TEST_CASE("the last rank is killed in its 21st operation", "[.killed]") {
  MpiCollective collective = world();
  const int rank = collective.rank(), size = collective.size();
  const auto recorder = std::make_shared<FlightRecorder>(std::move(board().recorder(rank, size)).value());
  auto recorded = RecordedCollective::make(std::move(collective), recorder);
  REQUIRE(recorded);
  std::int64_t* values = kept_until_the_end(1000);
  for (int call = 0; call < 30; ++call) {
    if (call == 20 && rank == size - 1) ::raise(SIGKILL);
    if (const auto done = recorded.value().run(sum_of(values, 1000), soon(1000)); done) continue;
    print_report("survivor " + std::to_string(rank));
    std::this_thread::sleep_for(std::chrono::seconds(1));  // until the other survivors have seen that this one lives
    ::_exit(0);                                            // MPI cannot be finalized without the dead
  }
  FAIL("nobody missed the dead rank");
}

TEST_CASE("the records of a run are read after it", "[.flight_report]") {
  print_report("reader");
}
