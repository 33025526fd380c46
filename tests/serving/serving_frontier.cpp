#include "assay/serving/serving_frontier.hpp"

#include "testing/catch.hpp"

using namespace assay::testing;

namespace {

assay::FrontierPoint point(std::size_t users, double interactivity, double throughput, double seconds = 1200) {
  return {users, interactivity, throughput, 0.1, true, seconds, true};
}

assay::LoadSummary summary_of(double tpot_p50, double tpot_p90) {
  assay::LoadSummary summary;
  summary.requests = summary.served = 10;
  summary.output_tokens_per_second = 300;
  summary.input_tokens_per_second = 500;
  summary.window = {0, 60'000'000'000};
  assay::MetricSummary tpot{"tpot", "s", 0, {}, {}};
  for (const double value : {0.0, tpot_p50, tpot_p90, 0.0, 0.0}) {
    assay::LatencyPercentile percentile;
    percentile.value = value;
    tpot.percentiles.push_back(percentile);
  }
  summary.metrics.push_back(tpot);
  return summary;
}

}  // namespace

TEST_CASE("both benchmarks define speed and throughput in their own ways", "[serving]") {
  const auto summary = summary_of(0.01, 0.02);
  const auto a = assay::inference_max_point(summary, 8, 4), b = assay::endpoints_point(summary, 8);
  CHECK(a.interactivity == 100);
  CHECK(a.throughput == 200);
  CHECK(b.interactivity == 50);
  CHECK(b.throughput == 300);
  CHECK(a.served);
  CHECK_THAT(a.seconds, Catch::Matchers::WithinRel(60, 1e-9));
  CHECK(assay::inference_max_point({}, 1, 1).interactivity == 0);
}

TEST_CASE("the frontier has what nothing else beats", "[serving]") {
  const std::vector<assay::FrontierPoint> points{point(1, 100, 100), point(2, 95, 190),  point(4, 60, 180),
                                                 point(8, 50, 400),  point(16, 50, 390), point(32, 20, 400)};
  std::vector<std::size_t> users;
  for (const auto& one : assay::pareto_frontier(points)) users.push_back(one.users);
  CHECK(users == std::vector<std::size_t>{8, 2, 1});
  const auto outcome = assay::frontier_outcome(points, 1, "frontier");
  CHECK(outcome.verdict == assay::Verdict::pass);
  CHECK(outcome.measurement("most_throughput") == 400);
  CHECK(outcome.measurement("interactivity_at_most_throughput") == 50);
  CHECK(outcome.series.front().points.size() == 3);
}

TEST_CASE("a load that was not served is on no frontier, and fails", "[serving]") {
  auto lost = point(64, 500, 500);
  lost.served = false;
  const std::vector<assay::FrontierPoint> points{point(1, 100, 100), point(2, 95, 190), lost};
  const auto outcome = assay::frontier_outcome(points, 1, "frontier");
  CHECK(outcome.verdict == assay::Verdict::fail);
  CHECK(outcome.measurement("most_throughput") == 190);
  auto late = points;
  late.back().served = true;
  late.back().valid = false;
  const auto undecided = assay::frontier_outcome(late, 1, "frontier");
  CHECK(undecided.verdict == assay::Verdict::inconclusive);
  CHECK(undecided.measurement("most_throughput") == 190);
  CHECK_THAT(undecided.reason, contains("the client was late with 64 users"));
  CHECK(assay::frontier_outcome(std::vector{point(1, 1, 1)}, 1, "f").verdict == assay::Verdict::inconclusive);
}

TEST_CASE("the regions of a curve are those of MLPerf's own program", "[serving]") {
  using Ends = std::pair<std::size_t, std::size_t>;
  CHECK(assay::endpoints_regions(32, 8192) == Ends{52, 437});
  CHECK(assay::endpoints_regions(1, 256) == Ends{7, 41});
  CHECK(assay::endpoints_regions(16, 1024) == Ends{26, 116});
}

TEST_CASE("a curve is held to the rules", "[serving]") {
  std::vector<assay::FrontierPoint> points;
  for (const std::size_t users : {1, 4, 8, 16, 64, 128, 256})
    points.push_back(point(users, 200.0 / static_cast<double>(users), 100 + static_cast<double>(users)));
  CHECK(assay::endpoints_outcome(points, {}, "curve").verdict == assay::Verdict::pass);
  CHECK(assay::endpoints_outcome(points, {}, "curve").series.front().points.size() == 13);
  const auto reason = [&](auto change) {
    auto changed = points;
    change(changed);
    const auto outcome = assay::endpoints_outcome(changed, {}, "curve");
    CHECK(outcome.verdict == assay::Verdict::fail);
    return outcome.reason;
  };
  CHECK_THAT(reason([](auto& list) { list.pop_back(); }), contains("6 points; 7 to 32"));
  CHECK_THAT(reason([](auto& list) { list[4].seconds = 600; }), contains("with 64 users it ran 600 s; 1200 s"));
  CHECK_THAT(reason([](auto& list) { list[0].seconds = 500; }), contains("with 1 users it ran 500 s; 600 s"));
  CHECK_THAT(reason([](auto& list) { list[2].served = false; }), contains("with 8 users not all"));
  CHECK_THAT(reason([](auto& list) { list[2].valid = false; }), contains("with 8 users the run is void"));
  CHECK_THAT(reason([](auto& list) {
               for (auto& one : list) one.users += 100;
             }),
             contains("no point has 1 to 32 users"));
  CHECK_THAT(reason([](auto& list) {
               for (std::size_t i = 1; i + 1 < list.size(); ++i) list[i].users = 200 + i;
             }),
             contains("region 2 of 3"));
  CHECK_THAT(reason([](auto& list) {
               for (auto& one : list) one.users = 3;
             }),
             contains("there is no curve"));
}
