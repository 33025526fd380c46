#include "assay/collectives/flight/hang_report.hpp"

#include "collectives/flight/sample_flights.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;
using enum CollectiveOperation;
using enum FlightState;

namespace {

/// 4 ranks, 16 operations that went well; 0 to 2 are in the 17th, at the second 17.
SampleFlights waiting_three() {
  SampleFlights flights(4);
  flights.go_well(8);
  for (int rank = 0; rank < 3; ++rank) flights.record(rank, all_reduce, entered);
  return flights;
}

HangReport at_27(const SampleFlights& flights) {
  return hang_report(flights.ranks, 27 * second);
}

}  // namespace

TEST_CASE("the rank that did not come is named, with its last operation and how long the others wait") {
  const HangReport report = at_27(waiting_three());
  CHECK(report.cause == HangCause::never_entered);
  CHECK(report.culprits == std::vector<int>{3});
  CHECK(report.waiting == std::vector<int>{0, 1, 2});
  CHECK(report.communicator == "world");
  CHECK(report.sequence == 17);
  CHECK(report.sentence ==
        "rank 3 never entered all_reduce #17 (f32, 1024, sum); its last was broadcast #16 (f32, 1024, root 0), "
        "completed 10.5 s ago; ranks "
        "0 to 2 have waited for 10.0 s");
  CHECK_THAT(report.text(), contains("ranks 0 to 2: alive, in all_reduce #17 (f32, 1024, sum) in 'world', for 10.0 s"));
}

TEST_CASE("whoever is behind is accused, though it is the most that are") {
  SampleFlights flights(4);
  flights.go_well(1);
  flights.record(2, all_reduce, timed_out);
  const HangReport report = at_27(flights);
  CHECK(report.culprits == std::vector<int>{0, 1, 3});
  CHECK(report.waiting == std::vector<int>{2});
  CHECK_THAT(report.sentence, contains("ranks 0, 1, 3 never entered all_reduce #3"));
  CHECK_THAT(report.sentence, contains("rank 2 gave up after 500 ms"));
}

TEST_CASE("what was refused after a hang does not hide it") {
  SampleFlights flights = waiting_three();
  for (int rank = 0; rank < 3; ++rank) {
    flights.ranks[static_cast<std::size_t>(rank)].records.back().state = timed_out;
    flights.ranks[static_cast<std::size_t>(rank)].records.back().ended_at = 27 * second;
    flights.record(rank, broadcast, failed).error = ErrorKind::aborted;
  }
  flights.record(3, broadcast, failed).error = ErrorKind::aborted;
  const HangReport report = hang_report(flights.ranks, 30 * second);
  CHECK(report.sequence == 17);
  CHECK_THAT(report.sentence, contains("gave up after 10.0 s"));
}

TEST_CASE(
    "a rank that comes when the others have given up came too late; one that was aborted while it waited did not") {
  SampleFlights flights = waiting_three();
  for (int rank = 0; rank < 3; ++rank) {
    flights.ranks[static_cast<std::size_t>(rank)].records.back().state = rank == 1 ? failed : timed_out;
    flights.ranks[static_cast<std::size_t>(rank)].records.back().error = ErrorKind::aborted;
    flights.ranks[static_cast<std::size_t>(rank)].records.back().ended_at = 27 * second;
  }
  FlightRecord& late = flights.record(3, all_reduce, failed);
  late.error = ErrorKind::aborted;
  late.entered_at = 28 * second;
  const HangReport report = hang_report(flights.ranks, 30 * second);
  CHECK(report.cause == HangCause::never_entered);
  CHECK(report.culprits == std::vector<int>{3});
  CHECK_THAT(report.sentence,
             contains("rank 3 came too late to all_reduce #17 (f32, 1024, sum); its last was broadcast #16"));
}

TEST_CASE("ranks that go well, or wait for nobody, are not accused") {
  SampleFlights flights(4);
  flights.go_well(3);
  CHECK(!at_27(flights).hangs());
  SECTION("an operation that no rank has") {
    for (int rank = 0; rank < 4; ++rank) flights.record(rank, all_to_all, failed).error = ErrorKind::unsupported;
    CHECK(!at_27(flights).hangs());
  }
  SECTION("a root that left a broadcast before the others came") {
    flights.record(0, broadcast, completed);
    CHECK(!at_27(flights).hangs());
  }
  SECTION("ranks that ended in order") {
    for (RankFlight& flight : flights.ranks) flight.life = ProcessLife::ended;
    CHECK(!at_27(flights).hangs());
  }
  SECTION("rings that hold different parts") {
    flights.ranks[1].records.erase(flights.ranks[1].records.begin(), flights.ranks[1].records.begin() + 4);
    CHECK(!at_27(flights).hangs());
  }
  SECTION("multipliers and blocks that are each rank's own") {
    for (int rank = 0; rank < 4; ++rank) {
      FlightRecord& record = flights.record(rank, all_to_all_v, completed, 10 + rank);
      record.received_count = 13 - rank;
    }
    CHECK(!at_27(flights).hangs());
  }
  SECTION("a hang that was overcome with a new communicator") {
    flights.record(0, all_reduce, timed_out);
    for (int rank = 0; rank < 4; ++rank) {
      flights.ranks[static_cast<std::size_t>(rank)].communicators.push_back({"world.2", rank, 4});
      flights.record(rank, all_reduce, completed, 5, "world.2");
    }
    CHECK(!at_27(flights).hangs());
  }
}

TEST_CASE("every field that ranks must agree on is compared, and the few against the many are named") {
  SampleFlights flights = waiting_three();
  FlightRecord& odd = flights.record(3, all_reduce, entered);
  std::string field;
  SECTION("count") {
    odd.count = 1023, field = "count: rank 3 gives 1023, ranks 0 to 2 give 1024";
  }
  SECTION("type") {
    odd.type = ElementType::float16, field = "type: rank 3 gives f16, ranks 0 to 2 give f32";
  }
  SECTION("reduction") {
    odd.reduction = ReductionOperator::maximum, field = "reduction: rank 3 gives maximum, ranks 0 to 2 give sum";
  }
  SECTION("operation") {
    odd.operation = reduce_scatter, field = "operation: rank 3 gives reduce_scatter, ranks 0 to 2 give all_reduce";
  }
  SECTION("root") {
    for (RankFlight& flight : flights.ranks) flight.records.back().operation = broadcast;
    odd.root = 1;
    field = "root: rank 3 gives 1, ranks 0 to 2 give 0";
  }
  const HangReport report = at_27(flights);
  CHECK(report.cause == HangCause::mismatched_calls);
  CHECK(report.culprits == std::vector<int>{3});
  CHECK(report.sequence == 17);
  CHECK_THAT(report.sentence, contains(field));
}

TEST_CASE("of two equal sides nobody is in the right") {
  SampleFlights flights(2);
  flights.record(0, all_reduce, entered, 5);
  flights.record(1, all_reduce, entered, 6);
  CHECK(at_27(flights).culprits == std::vector<int>{0, 1});
}

TEST_CASE("the first mismatch counts, though it went through and the hang came later") {
  SampleFlights flights(3);
  for (int rank = 0; rank < 3; ++rank) flights.record(rank, all_reduce, completed, rank == 1 ? 7 : 8);
  flights.record(0, barrier, entered);
  flights.record(2, barrier, entered);
  const HangReport report = at_27(flights);
  CHECK(report.cause == HangCause::mismatched_calls);
  CHECK(report.sequence == 1);
  CHECK(report.culprits == std::vector<int>{1});
}

TEST_CASE("the order of calls is told by what comes later, or came before") {
  const auto order_of = [](const SampleFlights& flights) {
    const HangReport report = at_27(flights);
    REQUIRE(!report.findings.empty());
    return report.findings.front();
  };
  SampleFlights flights(4);
  SECTION("inverted, in a runtime that lets calls through") {
    for (int rank = 0; rank < 4; ++rank) {
      flights.record(rank, rank == 3 ? broadcast : all_reduce, completed);
      flights.record(rank, rank == 3 ? all_reduce : broadcast, completed);
    }
    CHECK_THAT(
        order_of(flights),
        contains("order inverted: rank 3 calls broadcast (f32, 1024, root 0) before all_reduce (f32, 1024, sum)"));
  }
  SECTION("left out") {
    for (int rank = 0; rank < 4; ++rank) {
      if (rank != 3) flights.record(rank, all_reduce, completed);
      flights.record(rank, broadcast, completed);
    }
    CHECK_THAT(order_of(flights), contains("rank 3 has left out all_reduce"));
  }
  SECTION("in addition") {
    for (int rank = 0; rank < 4; ++rank) {
      if (rank == 3) flights.record(rank, broadcast, completed);
      flights.record(rank, all_reduce, completed);
    }
    CHECK_THAT(order_of(flights), contains("rank 3 calls broadcast (f32, 1024, root 0) in addition"));
  }
  SECTION("nothing comes later, since all wait; but steps before were alike") {
    flights = waiting_three();
    flights.record(3, broadcast, entered);
    CHECK_THAT(order_of(flights), contains("as #15 and #16 all called all_reduce"));
    CHECK_THAT(order_of(flights), contains("rank 3 inverted the order, or left the first out"));
  }
}

TEST_CASE("elements of an all_to_all_v that are sent and not received are told") {
  SampleFlights flights(2);
  flights.record(0, all_to_all_v, entered, 5).received_count = 5;
  flights.record(1, all_to_all_v, entered, 5).received_count = 4;
  CHECK_THAT(at_27(flights).sentence, contains("the ranks send 10 elements together, and receive 9"));
}

TEST_CASE("a rank that died is named, with its process") {
  SampleFlights flights = waiting_three();
  flights.ranks[3].life = ProcessLife::dead;
  SECTION("before it came") {}
  SECTION("within the operation") {
    flights.record(3, all_reduce, entered);
  }
  const HangReport report = at_27(flights);
  CHECK(report.cause == HangCause::rank_died);
  CHECK(report.culprits == std::vector<int>{3});
  CHECK_THAT(report.sentence, contains("rank 3 died (process 1003 on node)"));
  CHECK_THAT(report.sentence, contains("ranks 0 to 2 have waited for 10.0 s in all_reduce #17"));
}

TEST_CASE("ranks that gave up and then ended are not taken for the cause") {
  SampleFlights flights = waiting_three();
  for (const std::size_t rank : {0u, 1u}) {
    flights.ranks[rank].records.back().state = rank == 0 ? timed_out : failed;
    flights.ranks[rank].records.back().error = ErrorKind::aborted;
    flights.ranks[rank].records.back().ended_at = 18 * second;
    flights.ranks[rank].life = ProcessLife::dead;
  }
  CHECK(at_27(flights).cause == HangCause::never_entered);
  CHECK(at_27(flights).culprits == std::vector<int>{3});
  flights.ranks[3].life = ProcessLife::dead;
  CHECK(at_27(flights).cause == HangCause::rank_died);
  CHECK(at_27(flights).culprits == std::vector<int>{3});
}

TEST_CASE("where all processes are dead, the one that was seen last long before the others died first") {
  SampleFlights flights = waiting_three();
  for (RankFlight& flight : flights.ranks) flight.life = ProcessLife::dead, flight.last_seen_at = 40 * second;
  SECTION("together: death accuses nobody, records do") {
    const HangReport report = at_27(flights);
    CHECK(report.cause == HangCause::never_entered);
    CHECK(report.culprits == std::vector<int>{3});
    CHECK_THAT(report.findings.at(0), contains("no process lives any more"));
  }
  SECTION("one before") {
    flights.ranks[3].last_seen_at = 17 * second;
    CHECK(at_27(flights).cause == HangCause::rank_died);
    CHECK(at_27(flights).culprits == std::vector<int>{3});
  }
}

TEST_CASE("a rank without a record is not said to have stayed away") {
  SampleFlights flights = waiting_three();
  flights.ranks.pop_back();
  HangReport report = at_27(flights);
  CHECK(report.cause == HangCause::no_record);
  CHECK(report.culprits == std::vector<int>{3});
  CHECK_THAT(report.sentence, contains("rank 3 left no record, and all others came to all_reduce #17"));

  SECTION("if another is known to have stayed away, that one is accused") {
    flights.ranks[0].records.pop_back();
    report = at_27(flights);
    CHECK(report.cause == HangCause::never_entered);
    CHECK(report.culprits == std::vector<int>{0});
    CHECK_THAT(report.text(), contains("no record of rank 3"));
  }
}

TEST_CASE("a rank that failed, one that is still inside, and a runtime that hangs are told apart") {
  SampleFlights flights(4);
  flights.go_well(1);
  SECTION("failed") {
    for (int rank = 0; rank < 4; ++rank)
      flights.record(rank, all_reduce, rank == 2 ? failed : entered).error = ErrorKind::device;
    const HangReport report = at_27(flights);
    CHECK(report.cause == HangCause::failed);
    CHECK(report.culprits == std::vector<int>{2});
    CHECK_THAT(report.sentence, contains("which failed (device)"));
  }
  SECTION("still inside what the others have left") {
    for (int rank = 0; rank < 4; ++rank) flights.record(rank, broadcast, rank == 2 ? entered : completed);
    for (const int rank : {0, 1, 3}) flights.record(rank, all_reduce, entered);
    const HangReport report = at_27(flights);
    CHECK(report.cause == HangCause::still_inside);
    CHECK(report.culprits == std::vector<int>{2});
    CHECK_THAT(report.sentence, contains("rank 2 is still inside broadcast #3"));
    CHECK_THAT(report.sentence, contains("ranks 0, 1, 3 have waited for 23.0 s"));
  }
  SECTION("all inside") {
    for (int rank = 0; rank < 4; ++rank) flights.record(rank, all_reduce, entered);
    const HangReport report = at_27(flights);
    CHECK(report.cause == HangCause::all_inside);
    CHECK(report.culprits.empty());
    CHECK_THAT(report.sentence, contains("all ranks of 'world' came to all_reduce #3"));
  }
}

TEST_CASE("through several communicators the wait is followed to its cause") {
  SampleFlights flights(4);  // rows {0, 1}, {2, 3}; columns {0, 2}, {1, 3}
  for (int rank = 0; rank < 4; ++rank) {
    flights.ranks[static_cast<std::size_t>(rank)].communicators.push_back({rank < 2 ? "row0" : "row1", rank % 2, 2});
    flights.ranks[static_cast<std::size_t>(rank)].communicators.push_back(
        {rank % 2 == 0 ? "column0" : "column1", rank / 2, 2});
  }
  flights.go_well(1);
  SECTION("0 waits for 1, 1 for 3, and 3 is elsewhere") {
    flights.record(0, all_gather, entered, 4, "row0");
    flights.record(1, all_reduce, entered, 4, "column1");
    const HangReport report = at_27(flights);
    CHECK(report.culprits == std::vector<int>{3});
    CHECK(report.communicator == "column1");
    CHECK_THAT(report.sentence, contains("rank 3 never entered all_reduce #1 (f32, 4, sum) in 'column1'"));
  }
  SECTION("each waits for another") {
    flights.record(0, all_gather, entered, 4, "row0");
    flights.record(1, all_gather, entered, 4, "column1");
    flights.record(3, all_gather, entered, 4, "row1");
    flights.record(2, all_gather, entered, 4, "column0");
    const HangReport report = at_27(flights);
    CHECK(report.cause == HangCause::communicators_crossed);
    CHECK(report.culprits == std::vector<int>{0, 1, 2, 3});
    CHECK_THAT(report.sentence, contains("rank 1 in all_gather #1 (f32, 4) of 'column1'"));
  }
}

TEST_CASE("messages are matched by sender, receiver and number") {
  SampleFlights flights(3);
  FlightRecord& sent = flights.record(0, send_receive, entered, 16);
  sent.destination = 2, sent.sent_number = 1;
  SECTION("the receiver does not come") {
    const HangReport report = at_27(flights);
    CHECK(report.culprits == std::vector<int>{2});
    CHECK_THAT(report.sentence,
               contains("rank 2 never came to the other end of rank 0's send_receive #1 (f32, 16, to 2)"));
  }
  SECTION("it receives something shorter") {
    FlightRecord& received = flights.record(2, send_receive, entered, 15);
    received.source = 0, received.received_number = 1;
    const HangReport report = at_27(flights);
    CHECK(report.cause == HangCause::mismatched_calls);
    CHECK_THAT(report.sentence, contains("message 1 from rank 0 to rank 2 does not match between ranks: count: rank 0 "
                                         "sends 16 f32, rank 2 receives 15 f32"));
  }
  SECTION("it waits for the other") {
    FlightRecord& received = flights.record(2, send_receive, entered, 16);
    received.source = 1, received.received_number = 1;
    const HangReport report = at_27(flights);
    CHECK(report.culprits == std::vector<int>{1});
  }
}

TEST_CASE("thousands of ranks stay readable") {
  SampleFlights flights(4096);
  for (int rank = 0; rank < 4096; ++rank)
    if (rank % 3 != 1) flights.record(rank, all_reduce, entered);
  const HangReport report = at_27(flights);
  CHECK(report.culprits.size() == 1365);
  CHECK(report.sentence.size() < 800);
  CHECK(report.groups.size() == 2);
  CHECK(report.text().size() < 4000);
}

TEST_CASE("flights that contradict themselves are told and lead nowhere") {
  CHECK(!hang_report({}, 0).hangs());
  SampleFlights flights(2);
  flights.record(0, all_reduce, completed);
  flights.record(1, all_reduce, completed);
  flights.ranks.push_back(flights.ranks[0]);
  flights.ranks.emplace_back().rank = 7;
  flights.ranks[1].communicators = {{"world", 9, 2}};
  flights.ranks[1].records[0].rank = -4;
  const std::vector<std::string> problems{"the flight record 'x' is torn"};
  const HangReport report = hang_report(flights.ranks, 27 * second, problems);
  CHECK(!report.hangs());
  CHECK_THAT(report.text(), contains("rank 0 has several flights"));
  CHECK_THAT(report.text(), contains("a flight of rank 7 of 1 is left out"));
  CHECK_THAT(report.text(), contains("'x' is torn"));
}
