#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "assay/frameworks/cases/check_onnx_case.hpp"
#include "assay/frameworks/fusions/bounded_evaluation.hpp"
#include "assay/frameworks/onnx/read_onnx.hpp"

namespace assay::testing {

/// A runtime of graphs in this process, which computes node by node and rounds what each gives to its type. A
/// compiler's faults come in two ways.
struct GraphRuntime {
  /// Edits a graph of several nodes before it is computed: what a wrong fusion does. May be null.
  std::function<void(OperatorGraph&)> compile;
  /// Changes what a node gave. May be null.
  std::function<void(const GraphNode&, BoundedTensor&)> computed;

  [[nodiscard]] Result<GraphRun> run(const GraphProgram& program, const std::vector<GraphTensor>& inputs) const {
    auto read = read_onnx_model(program.model);
    if (!read) return read.propagate();
    OperatorGraph graph = std::move(read.value().graph);
    if (graph.nodes.size() > 1 && compile) compile(graph);
    BoundedTensors values;
    for (const GraphTensor& input : inputs) values[input.name] = exact_tensor(input);
    for (const GraphNode& node : graph.nodes) {
      OperatorGraph single;
      single.nodes = {node};
      single.constants = graph.constants;
      auto evaluated = evaluate_with_bounds(single, values);
      if (!evaluated) return evaluated.propagate();
      BoundedTensor own = evaluated.value().at(node.outputs[0]);
      if (computed) computed(node, own);
      const bool codes = node.operation == "QuantizeLinear";
      for (std::size_t i = 0; i < own.values.size(); ++i) {
        if (!codes) own.values[i] = static_cast<double>(static_cast<float>(own.values[i]));
        own.errors[i] = 0;
      }
      values[node.outputs[0]] = std::move(own);
    }
    GraphRun run;
    for (const GraphValue& output : graph.outputs) {
      const BoundedTensor& own = values.at(output.name);
      run.outputs.push_back(tensor_of_values(output.name, output.type, own.extents, own.values));
    }
    return run;
  }
  [[nodiscard]] RunProgram program() const {
    return [own = *this](const GraphProgram& asked, const std::vector<GraphTensor>& inputs) {
      return own.run(asked, inputs);
    };
  }
};

}  // namespace assay::testing
