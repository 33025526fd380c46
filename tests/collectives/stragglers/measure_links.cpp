#include "assay/collectives/stragglers/measure_links.hpp"

#include <set>

#include "assay/collectives/in_process/in_process_coordinator.hpp"
#include "assay/collectives/in_process/run_ranks.hpp"
#include "assay/collectives/stragglers/slow_links.hpp"
#include "testing/catch.hpp"
#include "testing/under_sanitizer.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

/// What rank 0 made of it.
Result<LinkMatrix> measured(int size, const InProcessOptions& network, const LinkOptions& options,
                            std::chrono::milliseconds time = std::chrono::seconds(20)) {
  const InProcessWorld world(size, network);
  auto coordinators = in_process_coordinators(size);
  Result<LinkMatrix> first = failure(ErrorKind::device, "nothing");
  const Deadline until = deadline_after(time);
  run_ranks(world, [&](InProcessCollective& end) {
    AnyCollective collective(end);
    auto matrix = measure_links(collective, coordinators[static_cast<std::size_t>(end.rank())], until, options);
    if (end.rank() == 0) first = std::move(matrix);
  });
  return first;
}

LinkOptions quick() {
  LinkOptions options;
  options.bandwidth_bytes = 1 << 16;
  options.message_deadline = std::chrono::milliseconds(300);
  return options;
}

}  // namespace

TEST_CASE("in a tournament every pair meets once, and nobody plays two games at a time") {
  for (int size = 1; size <= 33; ++size) {
    std::set<std::pair<int, int>> met;
    for (int round = 0; round < detail::tournament_rounds(size); ++round)
      for (int rank = 0; rank < size; ++rank) {
        const int partner = detail::tournament_partner(rank, round, size);
        if (partner < 0) continue;
        REQUIRE(partner < size);
        REQUIRE(partner != rank);
        REQUIRE(detail::tournament_partner(partner, round, size) == rank);
        if (rank < partner) REQUIRE(met.insert({rank, partner}).second);
      }
    REQUIRE(met.size() == static_cast<std::size_t>(size * (size - 1) / 2));
  }
}

TEST_CASE("every link is measured in both directions, and the slow one found") {
  InProcessOptions network;
  // 1.3 ms against 0.07; a sanitizer takes a millisecond itself
  const double slow = testing::under_sanitizer() ? 5e6 : 5e7;
  network.link = [slow](int from, int to) { return EmulatedLink{1e-4, from == 2 && to == 1 ? slow : 1e9}; };
  LinkOptions options = quick();
  options.one_at_a_time = GENERATE(false, true);
  const int size = options.one_at_a_time ? 4 : 5;
  const auto matrix = measured(size, network, options);
  REQUIRE(matrix);
  REQUIRE(matrix.value().hosts.size() == static_cast<std::size_t>(size));
  for (int from = 0; from < size; ++from)
    for (int to = 0; to < size; ++to) {
      if (from == to) {
        CHECK(std::isnan(matrix.value().bandwidth.at(from, to).seconds));
        continue;
      }
      CHECK(matrix.value().latency.at(from, to).seconds >= 1e-4);
      CHECK(matrix.value().bandwidth.at(from, to).lower >= (from == 2 && to == 1 ? 65e3 / slow : 0.6e-4));
      CHECK(matrix.value().latency.at(from, to).seconds == matrix.value().latency.at(to, from).seconds);
    }
  const StragglerReport report = find_slow_links(matrix.value().bandwidth, {3, {}});
  REQUIRE(!report.links.empty());
  CHECK(report.links[0].from == 2);
  CHECK(report.links[0].to == 1);
}

TEST_CASE("when time is up, all ranks stop at the same round, and what was not reached is not known") {
  const auto matrix = measured(4, {}, quick(), std::chrono::milliseconds(0));
  REQUIRE(matrix);
  CHECK(find_slow_links(matrix.value().latency).verdict == Verdict::inconclusive);
}

TEST_CASE("a message that does not arrive is an error on all ranks, with the rank that noticed") {
  InProcessOptions network;
  network.hooks.on_message = [](InProcessMessage& message) {
    return message.from == 3 && message.to == 1 ? MessageFate::withhold : MessageFate::deliver;
  };
  const auto matrix = measured(4, network, quick());
  REQUIRE(!matrix);
  CHECK_THAT(matrix.error().message, contains("rank "));
  CHECK((matrix.error().kind == ErrorKind::timed_out || matrix.error().kind == ErrorKind::aborted));
}

TEST_CASE("what another rank says of its links is checked") {
  LinkTimes times(3, 8);
  const auto reads = [&](const std::string& text) {
    const char* at = text.c_str();
    return detail::read_links(at, 0, times);
  };
  CHECK(reads("1 0.5 0.25 inf 2 nan -inf inf \n"));
  CHECK(times.at(0, 1).lower == 0.25);
  CHECK(std::isnan(times.at(0, 2).seconds));
  CHECK(!reads("3 0.5 0.25 1 \n"));
  CHECK(!reads("-1 0.5 0.25 1 \n"));
  CHECK(!reads("1 0.5 0.25\n"));
  CHECK(!reads("x\n"));
}
