#include "assay/collectives/model/prediction.hpp"

#include <set>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::Approx;

TEST_CASE("the fastest algorithm is expected: switches in a node, trees for short messages over many") {
  CHECK(expected_collective(CollectiveOperation::all_reduce, 1e9, h100_nodes(1)).model == CostModel::in_network);
  CHECK(expected_collective(CollectiveOperation::all_reduce, 1e9, h100_nodes(512)).model == CostModel::tree);
  CHECK(expected_collective(CollectiveOperation::all_to_all, 1e9, h100_nodes(512)).model == CostModel::ring);
  CHECK(expected_collective(CollectiveOperation::all_reduce, 1e9, h100_nodes(1)).bandwidth.bus ==
        Approx(480e9).epsilon(0.025));
}

TEST_CASE("what was not fitted is extrapolated") {
  const FittedRange range{8, 1000, 1e9};
  CHECK(!predict(CostModel::ring, CollectiveOperation::all_reduce, 1e6, h100_nodes(1), range)->extrapolated);
  CHECK(predict(CostModel::ring, CollectiveOperation::all_reduce, 1e6, h100_nodes(2), range)->extrapolated);
  CHECK(predict(CostModel::ring, CollectiveOperation::all_reduce, 10, h100_nodes(1), range)->extrapolated);
  CHECK(predict(CostModel::ring, CollectiveOperation::all_reduce, 1e10, h100_nodes(1), range)->extrapolated);
  CHECK(predict(CostModel::ring, CollectiveOperation::all_reduce, 1e6, h100_nodes(1))->extrapolated);
}

TEST_CASE("a sweep reaches 100,000 ranks by all algorithms, with finite times") {
  Topology nodes = h100_nodes(1);
  nodes.between_switch = {true, 2e-6, 0.9};
  std::vector<double> sizes;
  for (double bytes = 1; bytes <= 16e9; bytes *= 2) sizes.push_back(bytes);
  const std::vector<Index> ranks{1, 2, 7, 8, 16, 1000, 100'000};
  const auto predictions = predict_sweep(all_collective_operations, sizes, ranks, nodes);
  std::set<CostModel> models;
  Index most = 0;
  for (const Prediction& one : predictions) {
    models.insert(one.model);
    most = std::max(most, one.ranks);
    if (!(one.seconds > 0 && one.seconds < 1e9 && one.bandwidth.bus >= 0))
      FAIL(name_of(one.model) << " " << name_of(one.operation) << " " << one.ranks << " ranks, " << one.bytes
                              << " bytes: " << one.seconds);
  }
  CHECK(models.size() == all_cost_models.size());
  CHECK(most == 100'000);
  CHECK(predictions.size() > 3000);
}
