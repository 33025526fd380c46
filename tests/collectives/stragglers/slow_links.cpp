#include "assay/collectives/stragglers/slow_links.hpp"

#include "collectives/stragglers/sample_links.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("of a thousand even clusters with heavy-tailed noise none is accused") {
  std::mt19937_64 random(7);
  int accused = 0, clusters = 0;
  for (const int size : {2, 3, 4, 5, 8, 16})
    for (int cluster = 0; cluster < (size < 16 ? 190 : 50); ++cluster, ++clusters)
      accused +=
          find_slow_links(sampled_links(size, random, [](int, int) { return 1e-3; })).verdict != Verdict::pass ? 1 : 0;
  CHECK(clusters == 1000);
  CHECK(accused <= 10);  // the stated error of 1 %
}

TEST_CASE("a slow link is told from a slow rank, in one direction and in both") {
  std::mt19937_64 random(3);
  const int size = GENERATE(4, 5, 8, 33);
  const int slow = size - 2;
  SECTION("a network interface: all that a rank sends and receives") {
    const StragglerReport report = find_slow_links(
        sampled_links(size, random, [&](int from, int to) { return from == slow || to == slow ? 2e-3 : 1e-3; }));
    REQUIRE(report.ranks.size() == 1);
    CHECK(report.ranks[0].rank == slow);
    CHECK(report.ranks[0].what == "sending and receiving");
    CHECK(report.ranks[0].slowdown == Approx(2).epsilon(0.05));
    CHECK(report.links.empty());
    CHECK(report.verdict == Verdict::fail);
  }
  SECTION("all that it receives") {
    const StragglerReport report =
        find_slow_links(sampled_links(size, random, [&](int, int to) { return to == slow ? 2e-3 : 1e-3; }));
    REQUIRE(report.ranks.size() == 1);
    CHECK(report.ranks[0].what == "receiving");
    CHECK_THAT(report.reason, contains("rank " + std::to_string(slow) + " is "));
  }
  SECTION("one link, one way") {
    const StragglerReport report = find_slow_links(
        sampled_links(size, random, [&](int from, int to) { return from == slow && to == 0 ? 2e-3 : 1e-3; }));
    CHECK(report.ranks.empty());
    REQUIRE(report.links.size() == 1);
    CHECK(report.links[0].from == slow);
    CHECK(report.links[0].to == 0);
  }
  SECTION("one link, both ways") {
    const StragglerReport report = find_slow_links(sampled_links(
        size, random, [&](int from, int to) { return from + to == slow && (from == 0 || to == 0) ? 2e-3 : 1e-3; }));
    CHECK(report.ranks.empty());
    CHECK(report.links.size() == 2);
  }
  SECTION("a slow link of a slow rank") {
    const StragglerReport report = find_slow_links(sampled_links(size, random, [&](int from, int to) {
      return (from == slow ? 2e-3 : 1e-3) * (from == slow && to == 0 ? 2 : 1);
    }));
    REQUIRE(report.ranks.size() == 1);
    REQUIRE(report.links.size() == 1);
    CHECK(report.links[0].to == 0);
  }
}

TEST_CASE("512 ranks: a slow interface and a slow link are found, and nothing else") {
  LinkTimes times(512, 1 << 20);
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> noise(0.97, 1.03);
  for (int from = 0; from < 512; ++from)
    for (int to = 0; to < 512; ++to) {
      if (from == to) continue;
      const double seconds = noise(random) * 1e-3 * (from == 77 || to == 77 ? 2 : 1) * (from == 500 && to == 3 ? 2 : 1);
      times.at(from, to) = {seconds, seconds * 0.98, seconds * 1.02};
    }
  const StragglerReport report = find_slow_links(times);
  REQUIRE(report.ranks.size() == 1);
  CHECK(report.ranks[0].rank == 77);
  REQUIRE(report.links.size() == 1);
  CHECK(report.links[0].from == 500);
}

TEST_CASE("two or three ranks: links are held to the fastest, and no rank is told from its links") {
  std::mt19937_64 random(2);
  const StragglerReport two =
      find_slow_links(sampled_links(2, random, [](int from, int) { return from == 1 ? 2e-3 : 1e-3; }));
  REQUIRE(two.links.size() == 1);
  CHECK(two.links[0].from == 1);
  const StragglerReport three =
      find_slow_links(sampled_links(3, random, [](int from, int to) { return from == 1 || to == 1 ? 2e-3 : 1e-3; }));
  CHECK(three.ranks.empty());
  CHECK(three.links.size() == 4);
}

TEST_CASE("links within hosts are compared with each other, as are those between") {
  std::mt19937_64 random(4);
  LinkMatrix matrix;
  for (int rank = 0; rank < 8; ++rank)
    matrix.hosts.push_back(rank < 6 ? "a" : "b");  // most of a's links stay within it
  const auto within = [&](int from, int to) { return matrix.same_host(from, to) ? 1e-4 : 1e-3; };
  CHECK(find_slow_links(sampled_links(8, random, within)).verdict == Verdict::fail);
  CHECK(find_slow_links(sampled_links(8, random, within), compared_by_host(matrix)).verdict == Verdict::pass);
  const StragglerReport report = find_slow_links(
      sampled_links(8, random, [&](int from, int to) { return within(from, to) * (from == 0 && to == 1 ? 2 : 1); }),
      compared_by_host(matrix));
  REQUIRE(report.links.size() == 1);
  CHECK(report.links[0].to == 1);
}

TEST_CASE("a rank is accused if most of its links are shown to be slow, not if they only look so") {
  LinkTimes times(8, 8);
  for (int from = 0; from < 8; ++from)
    for (int to = 0; to < 8; ++to)
      if (from != to)
        times.at(from, to) =
            from == 3 ? LinkTime{1.5e-3, to < 2 ? 1.4e-3 : 0.9e-3, 2e-3} : LinkTime{1e-3, 0.99e-3, 1.01e-3};
  const StragglerReport report = find_slow_links(times);
  CHECK(report.ranks.empty());
  CHECK(report.links.size() == 2);
}

TEST_CASE("what was not measured decides nothing; what was may still accuse") {
  std::mt19937_64 random(9);
  LinkTimes times = sampled_links(6, random, [](int, int) { return 1e-3; });
  for (int from = 0; from < 4; ++from)
    for (int to = 0; to < 6; ++to) times.at(from, to) = {};
  CHECK(find_slow_links(times).verdict == Verdict::inconclusive);
  CHECK_THAT(find_slow_links(times).reason, contains("only 10 of 30 links were measured"));
  CHECK(find_slow_links(LinkTimes(1, 8)).verdict == Verdict::inconclusive);
  CHECK(find_slow_links(LinkTimes(5, 8)).verdict == Verdict::inconclusive);
  times = sampled_links(6, random, [](int, int) { return 1e-3; });
  for (LinkTime& link : times.links) link.lower = -std::numeric_limits<double>::infinity();
  CHECK(find_slow_links(times).verdict == Verdict::inconclusive);
  times = sampled_links(6, random, [](int, int) { return 1e-3; });
  times.at(0, 1) = {0, 0, 0};
  times.at(0, 2) = {std::numeric_limits<double>::infinity(), 1, 2};
  CHECK(find_slow_links(times).verdict == Verdict::pass);
  times.links.pop_back();
  CHECK_THROWS_AS(find_slow_links(times), Misuse);
  CHECK_THROWS_AS(find_slow_links(LinkTimes(2, 8), {0.5, {}}), Misuse);
}

TEST_CASE("the map of slowdowns is above 1 where a link is slow, and the outcome names it") {
  std::mt19937_64 random(8);
  const LinkTimes times = sampled_links(4, random, [](int from, int to) { return from == 2 && to == 1 ? 2e-3 : 1e-3; });
  const StragglerReport report = find_slow_links(times);
  const HeatMap map = slowdown_map(report, times, 1.25);
  CHECK_THAT(map.title, contains("/ allowed"));
  CHECK(map.at(2, 1) > 1);
  CHECK(map.at(1, 2) < 1);
  CHECK(std::isnan(map.at(0, 0)));
  const Outcome outcome = straggler_outcome(report, "links");
  CHECK(outcome.verdict == Verdict::fail);
  REQUIRE(outcome.tables.size() == 1);
  CHECK(outcome.tables[0].rows[0][0] == "2 → 1");
  CHECK_THAT(outcome.reason, contains("the link 2 → 1 takes "));
}

TEST_CASE("median polish leaves what is neither of a row, a column nor a class") {
  std::vector<double> table(36);
  std::vector<int> classes(36);
  for (std::size_t i = 0; i < 36; ++i) table[i] = 10 + (i / 6 == 2 ? 3 : 0) + (i % 6 == 4 ? 5 : 0) + (i == 7 ? 1 : 0);
  const detail::MedianPolish fit = detail::median_polish(table, 6, classes);
  CHECK(fit.rows[2] == Approx(3));
  CHECK(fit.columns[4] == Approx(5));
  CHECK(fit.overall + fit.classes.at(0) == Approx(10));
  CHECK(fit.residuals[7] == Approx(1));
  CHECK(fit.residuals[8] == Approx(0).margin(1e-12));
}
