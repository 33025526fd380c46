#include "assay/frameworks/fusions/fusion_graphs.hpp"

#include <set>
#include <string>

#include "assay/frameworks/fusions/bounded_evaluation.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("patterns are graphs whose tensors all have types, and which can be computed") {
  std::set<std::string> names;
  for (const FusionGraph& own : fusion_graphs()) {
    CAPTURE(own.name);
    CHECK(names.insert(own.name).second);
    CHECK(check_graph(own.graph));
    CHECK(own.graph.nodes.size() >= 2);
    CHECK(own.graph.values.size() == own.graph.nodes.size());
    BoundedTensors inputs;
    for (const GraphTensor& input : own.inputs) inputs[input.name] = exact_tensor(input);
    const auto computed = evaluate_with_bounds(own.graph, inputs);
    REQUIRE(computed);
    for (const auto& [name, tensor] : computed.value()) CHECK(tensor.values.size() == tensor.errors.size());
  }
  CHECK(names.size() > 30);
}

TEST_CASE("the same seed draws the same values, another one others") {
  CHECK(fusion_graphs(3).at(0).inputs.at(0).bytes == fusion_graphs(3).at(0).inputs.at(0).bytes);
  CHECK(fusion_graphs(3).at(0).inputs.at(0).bytes != fusion_graphs(4).at(0).inputs.at(0).bytes);
}
