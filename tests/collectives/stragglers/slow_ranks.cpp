#include "assay/collectives/stragglers/slow_ranks.hpp"

#include <random>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

/// Iterations of 1 ms with a long tail, now and then twice as long for one, or for all.
RankTimes sampled_times(int ranks, int iterations, std::mt19937_64& random, int slow = -1, double slowdown = 1.3) {
  std::lognormal_distribution<double> tail(0, 0.5);
  RankTimes times(static_cast<std::size_t>(ranks));
  for (int i = 0; i < iterations; ++i) {
    const double all = random() % 10 == 0 ? 2 : 1;
    for (int rank = 0; rank < ranks; ++rank)
      times[static_cast<std::size_t>(rank)].push_back(1e-3 * all * (rank == slow ? slowdown : 1) *
                                                      (1 + 0.03 * tail(random)) * (random() % 20 == 0 ? 2 : 1));
  }
  return times;
}

}  // namespace

TEST_CASE(
    "of a thousand even clusters none is accused; a rank that takes 1.3 times as long is found among any number") {
  std::mt19937_64 random(11);
  int accused = 0, clusters = 0, found = 0, slow_clusters = 0;
  for (const int ranks : {2, 4, 8, 64, 512})
    for (int cluster = 0; cluster < (ranks == 512 ? 8 : 248); ++cluster, ++clusters) {
      accused += find_slow_ranks(sampled_times(ranks, 40, random), {1.15, 0.01}).verdict != Verdict::pass ? 1 : 0;
      if (cluster >= 20) continue;
      const int slow = static_cast<int>(random() % static_cast<unsigned>(ranks));
      const StragglerReport report = find_slow_ranks(sampled_times(ranks, 40, random, slow), {1.15, 0.01});
      ++slow_clusters;
      found += report.verdict == Verdict::fail && report.ranks.size() == 1 && report.ranks[0].rank == slow &&
                       report.ranks[0].at_least > 1.15
                   ? 1
                   : 0;
    }
  CHECK(clusters == 1000);
  CHECK(accused <= 10);  // the stated error of 1 %
  CHECK(found == slow_clusters);
}

TEST_CASE("fewer than half of the ranks may be slow, the slowest first") {
  std::mt19937_64 random(1);
  RankTimes times = sampled_times(8, 60, random);
  for (double& time : times[2]) time *= 1.5;
  for (double& time : times[5]) time *= 3;
  const StragglerReport report = find_slow_ranks(times);
  REQUIRE(report.ranks.size() == 2);
  CHECK(report.ranks[0].rank == 5);
  CHECK(report.ranks[1].rank == 2);
  CHECK_THAT(report.reason, contains("rank 5 is "));
  CHECK_THAT(straggler_outcome(report, "x").tables.at(0).rows.at(0).at(0), contains("rank 5"));
}

TEST_CASE("a rank is compared with the others, not with itself") {
  const StragglerReport report =
      find_slow_ranks({std::vector<double>(20, 1), std::vector<double>(20, 2), std::vector<double>(20, 4)});
  REQUIRE(report.slowdowns.size() == 3);
  CHECK(report.slowdowns[0] == testing::Approx(1.0 / 3));
  CHECK(report.slowdowns[1] == testing::Approx(2.0 / 2.5));
  CHECK(report.slowdowns[2] == testing::Approx(4.0 / 1.5));
}

TEST_CASE("too few iterations are inconclusive, and say how many are needed") {
  std::mt19937_64 random(1);
  const StragglerReport report = find_slow_ranks(sampled_times(512, 15, random, 3, 10));
  CHECK(report.verdict == Verdict::inconclusive);
  CHECK_THAT(report.reason, contains("15, and 16 are needed"));
  CHECK(find_slow_ranks(sampled_times(512, 16, random, 3, 10)).ranks.size() == 1);
  CHECK(find_slow_ranks({}).verdict == Verdict::inconclusive);
  CHECK(find_slow_ranks(sampled_times(1, 50, random)).verdict == Verdict::inconclusive);
}

TEST_CASE("iterations that are not known of a rank are left out, and no others") {
  std::mt19937_64 random(1);
  RankTimes times = sampled_times(4, 60, random, 1, 1.5);
  for (std::size_t i = 0; i < 30; ++i) {
    times[1][i] = std::numeric_limits<double>::quiet_NaN();
    times[2][i + 20] = i % 2 == 0 ? 0 : std::numeric_limits<double>::infinity();
  }
  const StragglerReport report = find_slow_ranks(times);
  REQUIRE(report.ranks.size() == 1);
  CHECK(report.ranks[0].rank == 1);
  for (double& time : times[3]) time = -1;
  CHECK(find_slow_ranks(times).ranks.size() == 1);
  times[0].pop_back();
  CHECK_THROWS_AS(find_slow_ranks(times), Misuse);
  CHECK_THROWS_AS(find_slow_ranks({}, {0.9, 0.01}), Misuse);
  CHECK_THROWS_AS(find_slow_ranks({}, {1.1, 0}), Misuse);
}

TEST_CASE("a flight tells what each rank did between operations, apart from its waiting for others") {
  constexpr std::int64_t ms = 1'000'000;
  std::vector<RankFlight> flights(3);
  for (int rank = 0; rank < 3; ++rank) {
    const std::int64_t work = rank == 1 ? 13 * ms : 10 * ms;  // all leave together, 1 ms after the last has come
    for (int i = 0; i < 40; ++i) {
      FlightRecord record;
      record.rank = rank;
      record.size = 3;
      record.sequence = static_cast<std::uint64_t>(i + 1);
      record.state = FlightState::completed;
      record.entered_at = rank * 1'000'000'000'000 + i * 14 * ms + work;  // clocks that do not agree
      record.ended_at = rank * 1'000'000'000'000 + (i + 1) * 14 * ms;
      flights[static_cast<std::size_t>(rank)].records.push_back(record);
    }
  }
  flights[2].records.erase(flights[2].records.begin() + 10);
  const RankTimes times = rank_times_of(flights);
  REQUIRE(times.size() == 3);
  REQUIRE(times[0].size() == 39);
  CHECK(times[0][0] == testing::Approx(11e-3));
  CHECK(times[1][0] == testing::Approx(14e-3));
  CHECK(std::isnan(times[2][9]));
  CHECK(std::isnan(times[2][10]));
  CHECK(!std::isnan(times[2][11]));
  const StragglerReport report = find_slow_ranks(times);
  REQUIRE(report.ranks.size() == 1);
  CHECK(report.ranks[0].rank == 1);
  CHECK(report.ranks[0].slowdown == testing::Approx(14.0 / 11));
  CHECK(rank_times_of(flights, "another").empty());
}
