#include "assay/collectives/flight/flight_recorder.hpp"

#include <unistd.h>
#include <atomic>
#include <thread>
#include <vector>

#include "testing/catch.hpp"

using namespace assay;

namespace {

CollectiveCall call_of_count(Index count) {
  CollectiveCall call;
  call.count = count;
  return call;
}

}  // namespace

TEST_CASE("a recorder keeps the latest calls, with their sequence in their communicator, and how they ended") {
  FlightRecorder recorder(2, 4, 4);
  const int world = recorder.join("world", 2, 4).value(), row = recorder.join("row", 0, 2).value();
  for (Index i = 1; i <= 5; ++i) recorder.leave(recorder.enter(world, call_of_count(i)), FlightState::completed);
  CollectiveCall message;
  message.operation = CollectiveOperation::send_receive;
  message.type = ElementType::uint16;
  message.destination = 1;
  recorder.leave(recorder.enter(row, message, 3, 0), FlightState::failed, ErrorKind::device);
  CollectiveCall blocks;
  blocks.operation = CollectiveOperation::all_to_all_v;
  blocks.sent.counts = {1, 2, 3, 4};
  blocks.received.counts = {5, 5, 5, 5};
  blocks.root = -3;
  const auto ticket = recorder.enter(world, blocks);
  CHECK(ticket.sequence == 6);

  const RankFlight flight = recorder.flight();
  CHECK(flight.rank == 2);
  CHECK(flight.size == 4);
  CHECK(flight.life == ProcessLife::alive);
  CHECK(flight.process == ::getpid());
  CHECK(flight.lost == 3);
  REQUIRE(flight.records.size() == 4);
  CHECK(flight.records[0].sequence == 4);
  CHECK(flight.records[0].count == 4);
  CHECK(flight.records[0].state == FlightState::completed);
  CHECK(flight.records[0].ended_at >= flight.records[0].entered_at);
  CHECK(flight.records[2].communicator == "row");
  CHECK(flight.records[2].rank == 0);
  CHECK(flight.records[2].size == 2);
  CHECK(flight.records[2].sequence == 1);
  CHECK(flight.records[2].sent_number == 3);
  CHECK(flight.records[2].destination == 1);
  CHECK(flight.records[2].source == -1);
  CHECK(flight.records[2].type == ElementType::uint16);
  CHECK(flight.records[2].state == FlightState::failed);
  CHECK(flight.records[3].count == 10);
  CHECK(flight.records[3].received_count == 20);
  CHECK(flight.records[3].root == -3);
  CHECK(flight.records[3].state == FlightState::entered);
  CHECK(flight.records[3].ended_at == 0);
  const std::int64_t now = flight_time_now();
  CHECK(std::abs(now - flight.records[3].entered_at) < 60'000'000'000);
}

TEST_CASE("an operation ends once: what the watchdog noted stays") {
  FlightRecorder recorder(0, 1, 2);
  const int world = recorder.join("world", 0, 1).value();
  const auto ticket = recorder.enter(world, call_of_count(1));
  CHECK(recorder.leave(ticket, FlightState::timed_out));
  CHECK(!recorder.leave(ticket, FlightState::completed));
  CHECK(recorder.flight().records.back().state == FlightState::timed_out);
  recorder.enter(world, call_of_count(2));
  recorder.enter(world, call_of_count(3));  // in the place of the first
  CHECK(!recorder.leave(ticket, FlightState::completed));
  CHECK(recorder.flight().records.back().state == FlightState::entered);
}

TEST_CASE("communicators have names of their own; too many, too long and none are refused") {
  FlightRecorder recorder(0, 1);
  REQUIRE(recorder.join("world", 0, 1));
  REQUIRE(recorder.join("world", 0, 1));
  REQUIRE(recorder.join("world", 0, 1));
  CHECK(recorder.flight().communicators.back().communicator == "world.3");
  CHECK(recorder.join("", 0, 1).error().kind == ErrorKind::invalid);
  CHECK(recorder.join(std::string(41, 'a'), 0, 1).error().kind == ErrorKind::invalid);
  int joined = 3;
  while (recorder.join("world", 0, 1)) ++joined;
  CHECK(joined == 48);
  CHECK_THAT(recorder.join("more", 0, 1).error().message, testing::contains("takes 48"));
}

TEST_CASE("a rank that does not exist, and no room, are misuse") {
  CHECK_THROWS_AS(FlightRecorder(4, 4), Misuse);
  CHECK_THROWS_AS(FlightRecorder(-1, 4), Misuse);
  CHECK_THROWS_AS(FlightRecorder(0, 4, 0), Misuse);
}

TEST_CASE("readers see whole records while several threads write") {
  FlightRecorder recorder(0, 1, 64);
  const int world = recorder.join("world", 0, 1).value();
  std::atomic<bool> stop{false};
  std::vector<std::thread> writers;
  for (int thread = 0; thread < 2; ++thread)
    writers.emplace_back([&, thread] {
      for (Index i = 0; !stop; ++i) {
        CollectiveCall call = call_of_count(i);
        call.root = static_cast<int>(i % 1000);
        call.operation = thread == 0 ? CollectiveOperation::broadcast : CollectiveOperation::reduce;
        recorder.leave(recorder.enter(world, call), FlightState::completed);
      }
    });
  while (recorder.flight().records.size() < 4) std::this_thread::yield();
  std::size_t seen = 0;
  for (int reading = 0; reading < 1000; ++reading) {
    const RankFlight flight = recorder.flight();
    bool whole = true;
    for (const FlightRecord& record : flight.records) {
      whole = whole && record.root == record.count % 1000 &&
              (record.operation == CollectiveOperation::broadcast || record.operation == CollectiveOperation::reduce);
      ++seen;
    }
    REQUIRE(whole);
    REQUIRE(flight.records.size() <= 64);
  }
  stop = true;
  for (std::thread& writer : writers) writer.join();
  CHECK(seen > 0);
}
