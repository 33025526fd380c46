#include "assay/collectives/flight/flight_exchange.hpp"

#include "collectives/flight/sample_flights.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// What other ranks would say.
struct Answers final : Coordinator {
  std::vector<std::optional<std::string>> texts;
  int rank() const override { return 0; }
  int size() const override { return static_cast<int>(texts.size()); }
  Result<std::vector<std::optional<std::string>>> exchange(std::string mine, Deadline) override {
    texts[0] = std::move(mine);
    return texts;
  }
};

}  // namespace

TEST_CASE("a flight comes back from its text as it was, the oldest records apart") {
  SampleFlights flights(3);
  flights.go_well(2);
  FlightRecord& last = flights.record(1, CollectiveOperation::send_receive, FlightState::failed, 77);
  last.type = ElementType::float8_e5m2, last.reduction = ReductionOperator::average, last.error = ErrorKind::aborted;
  last.destination = 2, last.source = -1, last.sent_number = 9, last.communicator = "a name with blanks";
  flights.ranks[1].lost = 5;
  flights.ranks[1].communicators.push_back({"a name with blanks", 1, 2});
  flights.ranks[1].life = ProcessLife::dead;
  const auto read = flight_of_text(text_of_flight(flights.ranks[1], 3));
  REQUIRE(read);
  const RankFlight& flight = read.value();
  CHECK(flight.rank == 1);
  CHECK(flight.size == 3);
  CHECK(flight.life == ProcessLife::dead);
  CHECK(flight.host == "node");
  CHECK(flight.lost == 7);
  REQUIRE(flight.communicators.size() == 2);
  CHECK(flight.communicators[1].communicator == "a name with blanks");
  REQUIRE(flight.records.size() == 3);
  CHECK(text_of_flight(flight) == text_of_flight(flights.ranks[1], 3));
  CHECK(description_of(flight.records.back()) == "send_receive #1 (e5m2, 77, to 2)");
  CHECK(flight.records.back().sent_number == 9);
  CHECK(flight.records.back().error == ErrorKind::aborted);
  CHECK(flight.records.back().ended_at == last.ended_at);
}

TEST_CASE("texts that are no flight are refused with the line") {
  SampleFlights flights(2);
  flights.go_well(1);
  const std::string good = text_of_flight(flights.ranks[0]);
  for (std::size_t length = 0; length < good.size(); ++length) CHECK(!flight_of_text(good.substr(0, length)));
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return flight_of_text(text);
  };
  CHECK(!with("assay-flight/1", "assay-flight/2"));
  CHECK(!with("\nr0 2 1 0 10 ", "\nr0 2 1 11 10 "));  // no such operation
  CHECK(!with("\nr0 2 1 0 10 ", "\nr0 2 1 0 14 "));   // no such type
  CHECK(!with("\nr0 2 1 0 10 ", "\nr0 2 x 0 10 "));
  CHECK(!with("\nr0 2", "\nq0 2"));
  CHECK(!with("\n0 2 ", "\n2 2 "));  // rank 2 of 2
  CHECK_THAT(with("\nr0 2", "\nq0 2").error().message, contains("line 4 of a flight is 'q0 2"));
}

TEST_CASE("ranks that do not answer are absent, and what is no flight of the rank that sent it is a problem") {
  SampleFlights flights(4);
  flights.go_well(1);
  Answers answers;
  answers.texts = {std::nullopt, text_of_flight(flights.ranks[1]), std::nullopt, text_of_flight(flights.ranks[1])};
  const auto exchanged = exchange_flights(answers, flights.ranks[0], deadline_after(std::chrono::seconds(1)));
  REQUIRE(exchanged);
  REQUIRE(exchanged.value().flights.size() == 2);
  CHECK(exchanged.value().flights[1].rank == 1);
  REQUIRE(exchanged.value().problems.size() == 1);
  CHECK_THAT(exchanged.value().problems[0], contains("rank 3 sent no flight of its own"));
}
