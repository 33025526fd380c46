#include "assay/collectives/measurement/sweep_outcomes.hpp"

#include "collectives/measurement/sweep_sample.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::Approx;

TEST_CASE("points become outcomes whose verdicts speak of results") {
  const auto outcomes = sweep_outcomes(sweep_sample());
  REQUIRE(outcomes.size() == 4 + 3);
  CHECK(outcomes[0].id == "all_reduce.sum/mpi/f32/n4.bytes100000000/speed");
  CHECK(outcomes[0].verdict == Verdict::pass);
  CHECK(outcomes[0].measurement("bus_bandwidth") == Approx(3));
  CHECK(!outcomes[0].measurement("fraction_of_theory"));
  CHECK(outcomes[1].id == "all_reduce.sum/mpi/f32/n4.bytes100000000.in_place/speed");
  CHECK(outcomes[1].verdict == Verdict::fail);
  CHECK(outcomes[1].diagnosis.size() == 1);
  CHECK(outcomes[2].verdict == Verdict::inconclusive);
  CHECK(outcomes[3].verdict == Verdict::unsupported);
  CHECK(outcomes[4].id == "all_reduce.sum/mpi/f32/n4/curve");
  CHECK(outcomes[5].verdict == Verdict::fail);
  for (const Outcome& outcome : outcomes)
    if (outcome.verdict != Verdict::pass) CHECK(!outcome.reason.empty());
}

TEST_CASE("theory stands beside what was measured, and says on what it rests") {
  Link link;
  link.line_rate = 4e9;
  const SweepTheory theory{flat_topology(4, link), {4, 1e6, 1e9}, "a described machine"};
  const auto outcomes = sweep_outcomes(sweep_sample(), theory);
  // A ring moves 150 MB at 4 GB/s: 37.5 ms of the 50 that it took.
  CHECK(outcomes[0].measurement("expected_seconds") == Approx(0.0375));
  CHECK(outcomes[0].measurement("fraction_of_theory") == Approx(0.75));
  CHECK(outcomes[0].derivation[0].find("a described machine") != std::string::npos);
  CHECK(outcomes[0].derivation[0].find("extrapolated") == std::string::npos);
  CHECK(outcomes[2].derivation[0].find("extrapolated") != std::string::npos);  // 8 bytes
  CHECK(outcomes[4].series.size() == 2);
  CHECK(outcomes[4].measurement("best_fraction_of_theory") == Approx(0.75));
}

TEST_CASE("a curve of three sizes has a latency, a bandwidth and a knee") {
  SweepResult result = sweep_sample();
  result.points.resize(1);
  for (const double bytes : {1e3, 1e5, 1e6}) {
    SweepPoint point = result.points[0];
    point.bytes = bytes;
    point.seconds = 1e-5 + bytes / 2e9;
    result.points.push_back(point);
  }
  result.points.erase(result.points.begin());
  const auto outcomes = sweep_outcomes(result);
  CHECK(outcomes.back().measurement("fitted_latency") == Approx(1e-5));
  CHECK(outcomes.back().measurement("fitted_algorithm_bandwidth") == Approx(2));
  CHECK(outcomes.back().measurement("knee") == Approx(20'000));
  CHECK(!fit_of(sweep_sample(), sweep_sample().points[0]));
}
