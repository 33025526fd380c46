#include "assay/collectives/model/cost_fit.hpp"

#include <limits>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::Approx;

namespace {

Topology truth(Index ranks) {
  Link link;
  link.latency_seconds = 2e-6;
  link.line_rate = 10e9;
  return flat_topology(ranks, link, 5e-6, 40e9);
}

std::vector<TimedCollective> measured(std::initializer_list<CollectiveOperation> operations,
                                      std::initializer_list<Index> ranks, double noise) {
  std::vector<TimedCollective> points;
  detail::RandomSequence random(1);
  for (const CollectiveOperation operation : operations)
    for (const Index count : ranks)
      for (double bytes = 64; bytes < 1e9; bytes *= 4) {
        const double seconds = modeled_seconds(CostModel::ring, operation, bytes, truth(count)).value();
        points.push_back(
            {CostModel::ring, operation, bytes, count, seconds * (1 + noise * (random.below(2001) / 1000.0 - 1))});
      }
  return points;
}

}  // namespace

TEST_CASE("launch, latency, bandwidth and reduction are told apart by ranks and operations, and predict others") {
  const CostFit fit =
      fit_cost(measured({CollectiveOperation::all_reduce, CollectiveOperation::all_gather}, {2, 4, 8}, 0.02)).value();
  CHECK(fit.launch_seconds.estimate == Approx(5e-6).epsilon(0.1));
  CHECK(fit.latency_seconds.estimate == Approx(2e-6).epsilon(0.1));
  CHECK(1 / fit.seconds_per_byte.estimate == Approx(10e9).epsilon(0.05));
  CHECK(1 / fit.seconds_per_byte_reduced.estimate == Approx(40e9).epsilon(0.25));
  CHECK(fit.latency_seconds.lower <= 2e-6);
  CHECK(fit.latency_seconds.upper >= 2e-6);
  CHECK(fit.most_ranks == 8);
  CHECK(fit.largest_relative_error < 0.05);
  const double predicted =
      modeled_seconds(CostModel::ring, CollectiveOperation::all_reduce, 1e6, fit.topology(1024)).value();
  CHECK(predicted == Approx(modeled_seconds(CostModel::ring, CollectiveOperation::all_reduce, 1e6, truth(1024)).value())
                         .epsilon(0.05));
}

TEST_CASE("what the points cannot tell apart has the right sum, and is counted as what grows with ranks") {
  const CostFit fit = fit_cost(measured({CollectiveOperation::all_reduce}, {4}, 0), {100, 0.95, 1}).value();
  CHECK(fit.largest_relative_error < 1e-6);
  CHECK(fit.launch_seconds.estimate == 0);
  CHECK(6 * fit.latency_seconds.estimate == Approx(5e-6 + 6 * 2e-6));
  CHECK(fit.seconds_per_byte_reduced.estimate == 0);
}

TEST_CASE("points that no algorithm has are refused, naming them") {
  using enum CollectiveOperation;
  const auto refused = [](std::vector<TimedCollective> points) {
    const auto fit = fit_cost(points);
    REQUIRE(!fit);
    return fit.error().message;
  };
  CHECK(refused({}).find("too few") != std::string::npos);
  CHECK(refused({{CostModel::tree, all_to_all, 8, 4, 1}}).find("no such algorithm as tree") != std::string::npos);
  CHECK(refused({{CostModel::ring, all_reduce, 8, 1, 1}}).find("two ranks or more") != std::string::npos);
  CHECK(refused({{CostModel::ring, all_reduce, 8, 2, 0}}).find("cannot be fitted") != std::string::npos);
  CHECK(refused({{CostModel::ring, all_reduce, std::numeric_limits<double>::quiet_NaN(), 2, 1}})
            .find("cannot be fitted") != std::string::npos);
}
