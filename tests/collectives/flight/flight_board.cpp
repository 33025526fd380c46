#include "assay/collectives/flight/flight_board.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <unistd.h>
#include <fstream>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

/// A folder of its own, removed afterwards.
struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("assay-flight-" + std::to_string(::getpid()));
  Folder() { std::filesystem::remove_all(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

CollectiveCall some_call() {
  CollectiveCall call;
  call.count = 12345;
  return call;
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}
void put(const std::filesystem::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

}  // namespace

TEST_CASE("another process reads a board while a rank runs, after it was killed, and after it ended in order") {
  const Folder folder;
  const FlightBoard board(folder.path, "job 7");
  int told[2];
  REQUIRE(::pipe(told) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    auto recorder = board.recorder(1, 2, 16);
    if (!recorder) ::_exit(1);
    const int world = recorder.value().join("world", 1, 2).value();
    recorder.value().leave(recorder.value().enter(world, some_call()), FlightState::completed);
    recorder.value().enter(world, some_call());
    static_cast<void>(::write(told[1], "x", 1));
    for (;;) ::pause();
  }
  REQUIRE(child > 0);
  char byte;
  REQUIRE(::read(told[0], &byte, 1) == 1);
  {
    const auto reading = board.read();
    REQUIRE(reading);
    REQUIRE(reading.value().problems.empty());
    REQUIRE(reading.value().flights.size() == 1);
    const RankFlight& flight = reading.value().flights[0];
    CHECK(flight.life == ProcessLife::alive);
    CHECK(flight.rank == 1);
    CHECK(flight.process == child);
    REQUIRE(flight.records.size() == 2);
    CHECK(flight.records[1].count == 12345);
    CHECK(flight.records[1].state == FlightState::entered);
    CHECK(flight.last_seen_at > 0);
  }
  REQUIRE(::kill(child, SIGKILL) == 0);
  siginfo_t info{};
  REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) == 0);
  CHECK(board.read().value().flights.at(0).life == ProcessLife::dead);  // though nobody has waited for it yet
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  {
    const auto flight = board.read_file(board.file_of(1));
    REQUIRE(flight);
    CHECK(flight.value().life == ProcessLife::dead);
    CHECK(flight.value().records.size() == 2);
  }
  {
    auto recorder = board.recorder(1, 2, 16);
    REQUIRE(recorder);
    CHECK(board.read().value().flights.at(0).records.empty());  // the old file was replaced
  }
  CHECK(board.read().value().flights.at(0).life == ProcessLife::ended);
  ::close(told[0]);
  ::close(told[1]);
}

TEST_CASE("files that are foreign, cut short or torn are problems with their name, and never read") {
  const Folder folder;
  const FlightBoard board(folder.path, "job 7");
  {
    auto recorder = board.recorder(0, 3, 4);
    REQUIRE(recorder);
    const int world = recorder.value().join("world", 0, 3).value();
    for (int i = 0; i < 6; ++i)
      recorder.value().leave(recorder.value().enter(world, some_call()), FlightState::completed);
  }
  const std::string good = content_of(board.file_of(0));
  const std::size_t header = detail::flight_header_bytes;
  REQUIRE(good.size() == header + 4 * 128);
  const auto refused = [&](const std::string& content) {
    put(board.file_of(0), content);
    const auto read = board.read();
    REQUIRE(read);
    REQUIRE(read.value().flights.empty());
    REQUIRE(read.value().problems.size() == 1);
    CHECK_THAT(read.value().problems[0], contains("rank-0.flight"));
    return read.value().problems[0];
  };
  const auto changed = [&](std::size_t at) {
    std::string content = good;
    content[at] = static_cast<char>(content[at] ^ 0x40);
    return content;
  };
  CHECK_THAT(refused(""), contains("0 bytes"));
  CHECK_THAT(refused(good.substr(0, 2000)), contains("cut short"));
  CHECK_THAT(refused(good.substr(0, header + 3 * 128)), contains("cut short"));
  CHECK_THAT(refused(good + std::string(128, '\0')), contains("names 4 records"));
  CHECK_THAT(refused(std::string(good.size(), 'x')), contains("another kind of file"));
  CHECK_THAT(refused(changed(16)), contains("torn header"));      // the capacity
  CHECK_THAT(refused(changed(24)), contains("torn header"));      // the rank
  for (const std::size_t word : {1u, 4u, 5u, 9u, 10u, 11u, 12u})  // time, sequence, count, places, kinds, check
    CHECK_THAT(refused(changed(header + 128 + word * 8)), contains("is torn: record 5"));
  put(board.file_of(0), good);
  CHECK_THAT(FlightBoard(folder.path, "job 8").read().value().problems.at(0),
             contains("of the run 'job 7', not of 'job 8'"));
  CHECK(FlightBoard(folder.path, "").read().value().flights.size() == 1);
  put(board.file_of(2), good);
  CHECK_THAT(board.read().value().problems.at(0), contains("is that of rank 0 by its content"));
  std::filesystem::create_directory(folder.path / "rank-1.flight");
  CHECK(board.read().value().problems.size() == 2);
  CHECK(board.read().value().flights.size() == 1);
  CHECK(FlightBoard(folder.path / "absent").read().error().kind == ErrorKind::not_found);
}

TEST_CASE("a record that was being written when its process died is left out, and told") {
  const Folder folder;
  const FlightBoard board(folder.path, "");
  {
    auto recorder = board.recorder(0, 1, 4);
    REQUIRE(recorder);
    const int world = recorder.value().join("world", 0, 1).value();
    for (int i = 0; i < 2; ++i)
      recorder.value().leave(recorder.value().enter(world, some_call()), FlightState::completed);
  }
  std::string content = content_of(board.file_of(0));
  content[detail::flight_header_bytes + 128] = static_cast<char>(1 * 8 + detail::FlightSlot::writing);
  put(board.file_of(0), content);
  const RankFlight flight = board.read_file(board.file_of(0)).value();
  CHECK(flight.unfinished == 1);
  CHECK(flight.records.size() == 1);
}

TEST_CASE("a folder that cannot be made is an error with its name") {
  const Folder folder;
  put(folder.path, "a file");
  const auto refused = FlightBoard(folder.path).recorder(0, 1);
  REQUIRE(!refused);
  CHECK(refused.error().kind == ErrorKind::io);
  CHECK_THAT(refused.error().message, contains("rank-0.flight"));
}

TEST_CASE("a process is known by its start, not by its number alone") {
  const detail::ProcessIdentity self = detail::this_process();
  CHECK(detail::life_of(self) == ProcessLife::alive);
  detail::ProcessIdentity other = self;
  other.started += 1;  // the number was given again
  CHECK(detail::life_of(other) == ProcessLife::dead);
  other = self;
  other.boot = "another machine";
  CHECK(detail::life_of(other) == ProcessLife::unknown);
  other = self;
  other.space += 1;
  CHECK(detail::life_of(other) == ProcessLife::unknown);
}
