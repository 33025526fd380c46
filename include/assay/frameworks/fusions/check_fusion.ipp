#pragma once

#include "assay/frameworks/fusions/check_fusion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/formats/classify.hpp"
#include "assay/frameworks/door/lowered_precision.hpp"
#include "assay/frameworks/fusions/bounded_evaluation.hpp"
#include "assay/frameworks/onnx/write_onnx.hpp"

namespace assay::inline v0 {

namespace detail {

/// The largest error in allowed errors; infinite for other extents and for what is no number.
[[nodiscard]] inline double error_ratio(const GraphTensor& given, const BoundedTensor& due) {
  if (given.extents != due.extents || given.byte_size() != static_cast<std::int64_t>(given.bytes.size()))
    return std::numeric_limits<double>::infinity();
  const bool real = given.type == TensorType::float32;
  double worst = 0;
  for (std::size_t i = 0; i < due.values.size(); ++i) {
    const double y = value_at(given, static_cast<std::int64_t>(i)), r = due.values[i];
    const double allowed = due.errors[i] + (real ? 0x1p-24 * std::fabs(r) + 0x1p-149 : 0);
    if (allowed >= std::numeric_limits<double>::infinity() && is_finite(r)) continue;  // not decided
    if (y == r) continue;
    const double error = std::fabs(y - r);
    if (!is_finite(y) || !is_finite(r)) return std::numeric_limits<double>::infinity();
    if (error > 0) worst = std::max(worst, allowed > 0 ? error / allowed : std::numeric_limits<double>::infinity());
  }
  return worst;
}

/// Whole graphs, beginnings of them and single nodes of a `FusionGraph` on a runtime.
class FusionRuns {
 public:
  FusionRuns(const FusionGraph& own, const BoundedTensors& exact, const ExecutionMode& mode, const RunProgram& run)
      : own_(own), exact_(exact), mode_(mode), run_(run) {}

  /// The output of the first `count` nodes compiled together.
  [[nodiscard]] Result<GraphTensor> beginning(std::size_t count) {
    OperatorGraph graph = own_.graph;
    graph.nodes.resize(count);
    return output_of(std::move(graph), own_.inputs);
  }
  /// The output of one node by itself on what was given.
  [[nodiscard]] Result<GraphTensor> alone(std::size_t position, const std::map<std::string, GraphTensor>& given) {
    OperatorGraph graph;
    graph.nodes.push_back(own_.graph.nodes[position]);
    graph.constants = own_.graph.constants;
    std::vector<GraphTensor> inputs;
    for (const std::string& name : graph.nodes[0].inputs) {
      const auto found = given.find(name);
      const bool twice = std::any_of(inputs.begin(), inputs.end(), [&](const auto& own) { return own.name == name; });
      if (found == given.end() || twice) continue;
      graph.inputs.push_back({name, found->second.type, found->second.extents});
      inputs.push_back(found->second);
    }
    if (inputs.empty()) make_input(graph, inputs);
    return output_of(std::move(graph), inputs);
  }
  /// Of nodes that ran in the last program in a narrower format than the graph's.
  [[nodiscard]] const std::string& lowered() const { return lowered_; }

 private:
  [[nodiscard]] Result<GraphTensor> output_of(OperatorGraph graph, const std::vector<GraphTensor>& inputs) {
    const std::string name = graph.nodes.back().outputs[0];
    const auto declared = std::find_if(own_.graph.values.begin(), own_.graph.values.end(),
                                       [&](const GraphValue& value) { return value.name == name; });
    if (declared == own_.graph.values.end())
      return failure(ErrorKind::invalid, "the type of '" + name + "' is not told among the graph's values");
    graph.values.clear();
    graph.outputs = {{name, declared->type, exact_.at(name).extents}};
    keep_what_is_read(graph);
    std::vector<GraphTensor> read;
    for (const GraphTensor& input : inputs)
      if (std::any_of(graph.inputs.begin(), graph.inputs.end(),
                      [&](const auto& own) { return own.name == input.name; }))
        read.push_back(input);
    GraphModel model;
    model.graph = graph;
    auto result = run_({write_onnx_model(model), mode_}, read);
    if (!result) return result.propagate();
    lowered_ = lowered_text(lowered_nodes(graph, result.value().assignment));
    for (GraphTensor& output : result.value().outputs)
      if (output.name == name) {
        if (output.type == declared->type) return std::move(output);
        return failure(ErrorKind::device, "the output '" + name + "' is " + shape_text(output.type, output.extents) +
                                              "; the graph declares " + std::string(name_of(declared->type)));
      }
    return failure(ErrorKind::device, "there is no output '" + name + "'");
  }
  /// A node of constants alone gets the first of them as an input: runtimes refuse programs without inputs.
  static void make_input(OperatorGraph& graph, std::vector<GraphTensor>& inputs) {
    const auto first = std::find_if(graph.constants.begin(), graph.constants.end(),
                                    [&](const GraphTensor& tensor) { return tensor.name == graph.nodes[0].inputs[0]; });
    if (first == graph.constants.end()) return;
    graph.inputs.push_back({first->name, first->type, first->extents});
    inputs.push_back(*first);
    graph.constants.erase(first);
  }
  /// Constants, inputs and nodes on which the output does not depend are no part of a program.
  static void keep_what_is_read(OperatorGraph& graph) {
    std::vector<std::string> read{graph.outputs[0].name};
    const auto is_read = [&](const std::string& name) {
      return std::find(read.begin(), read.end(), name) != read.end();
    };
    std::vector<GraphNode> nodes;
    for (std::size_t i = graph.nodes.size(); i-- > 0;) {
      if (!is_read(graph.nodes[i].outputs[0])) continue;
      read.insert(read.end(), graph.nodes[i].inputs.begin(), graph.nodes[i].inputs.end());
      nodes.insert(nodes.begin(), graph.nodes[i]);
    }
    graph.nodes = std::move(nodes);
    std::erase_if(graph.constants, [&](const GraphTensor& tensor) { return !is_read(tensor.name); });
    std::erase_if(graph.inputs, [&](const GraphValue& value) { return !is_read(value.name); });
  }

  const FusionGraph& own_;
  const BoundedTensors& exact_;
  const ExecutionMode& mode_;
  const RunProgram& run_;
  std::string lowered_;
};

/// What the graph gives node by node, and which nodes are wrong by themselves.
struct NodeByNode {
  GraphTensor output;
  std::vector<std::string> wrong;
};
[[nodiscard]] inline Result<NodeByNode> node_by_node(const FusionGraph& own, FusionRuns& runs) {
  NodeByNode result;
  std::map<std::string, GraphTensor> given;
  for (const GraphTensor& input : own.inputs) given[input.name] = input;
  for (std::size_t i = 0; i < own.graph.nodes.size(); ++i) {
    const GraphNode& node = own.graph.nodes[i];
    auto output = runs.alone(i, given);
    if (!output) return failure(output.error().kind, "node " + node.name + " by itself: " + output.error().message);
    OperatorGraph single;
    single.nodes = {node};
    single.constants = own.graph.constants;
    BoundedTensors exact;
    for (const auto& [name, tensor] : given) exact[name] = exact_tensor(tensor);
    const auto due = evaluate_with_bounds(single, std::move(exact));
    if (!due) return due.propagate();
    const double ratio = error_ratio(output.value(), due.value().at(node.outputs[0]));
    if (!(ratio <= 1))
      result.wrong.push_back("node " + node.name + " is wrong by itself: its worst error is " +
                             printed_number(ratio, 3) + " × what is allowed" +
                             (runs.lowered().empty() ? "" : ", computed as " + runs.lowered()));
    given[node.outputs[0]] = output.value();
    result.output = std::move(output).value();
  }
  return result;
}

/// From which node on the wrong ones begin, where beginnings of the graph are compiled together.
[[nodiscard]] inline std::string first_wrong_beginning(const FusionGraph& own, const BoundedTensors& exact,
                                                       FusionRuns& runs) {
  for (std::size_t count = 1; count <= own.graph.nodes.size(); ++count) {
    const GraphNode& last = own.graph.nodes[count - 1];
    const auto output = runs.beginning(count);
    if (!output || error_ratio(output.value(), exact.at(last.outputs[0])) <= 1) continue;
    return "every node is right by itself: wrong is what is compiled of them together, first with " + last.name +
           ", the node number " + std::to_string(count) + " of " + std::to_string(own.graph.nodes.size());
  }
  return "every node and every shorter beginning of the graph is right: wrong is what is compiled of all";
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Outcome check_fusion(const FusionGraph& own, const std::string& backend,
                                                const ExecutionMode& mode, const RunProgram& run) {
  Outcome outcome;
  outcome.id = "fusion/" + backend + "/f32/" + own.name + "/uniform";
  outcome.labels = {
      {"operation", "fusion"}, {"backend", backend}, {"formats", "f32"}, {"shape", own.name}, {"data", "uniform"}};
  const auto end = [&](Verdict verdict, std::string reason) {
    outcome.verdict = verdict;
    outcome.reason = std::move(reason);
    return outcome;
  };
  const auto refused = [&](const Error& error) {
    return end(error.kind == ErrorKind::unsupported ? Verdict::unsupported : Verdict::error, error.message);
  };
  BoundedTensors inputs;
  for (const GraphTensor& input : own.inputs) inputs[input.name] = exact_tensor(input);
  const auto exact = evaluate_with_bounds(own.graph, inputs);
  if (!exact) return refused(exact.error());
  detail::FusionRuns runs(own, exact.value(), mode, run);
  const auto fused = runs.beginning(own.graph.nodes.size());
  if (!fused) return refused(fused.error());
  const std::string lowered = runs.lowered();
  const auto unfused = detail::node_by_node(own, runs);
  if (!unfused) return refused(unfused.error());
  const BoundedTensor& due = exact.value().at(own.graph.nodes.back().outputs[0]);
  const double fused_ratio = detail::error_ratio(fused.value(), due),
               unfused_ratio = detail::error_ratio(unfused.value().output, due);
  std::size_t differ = 0;
  for (std::int64_t i = 0;
       i < fused.value().size() && fused.value().bytes.size() == unfused.value().output.bytes.size(); ++i)
    differ += code_at(fused.value(), i) != code_at(unfused.value().output, i) ? 1 : 0;
  // Infinite where what is exact differs, or what is no number.
  const auto measured = [](double ratio) { return std::min(ratio, 1e300); };
  outcome.measure("fused_error_ratio", measured(fused_ratio));
  outcome.measure("unfused_error_ratio", measured(unfused_ratio));
  outcome.measure("elements_that_differ", static_cast<double>(differ));
  outcome.measure(measurement::worst_error_ratio, measured(std::max(fused_ratio, unfused_ratio)));
  const std::string of = " of " + std::to_string(due.values.size()) + " elements";
  outcome.diagnosis.push_back(differ == 0
                                  ? "compiled together and node by node give the same bits"
                                  : std::to_string(differ) + of + " differ; " +
                                        (fused_ratio < unfused_ratio ? "compiled together is nearer to the truth: "
                                                                     : "node by node is nearer to the truth: ") +
                                        detail::printed_number(fused_ratio, 3) + " against " +
                                        detail::printed_number(unfused_ratio, 3) + " of what is allowed");
  if (!lowered.empty()) {
    outcome.labels["computed"] = lowered;
    outcome.diagnosis.insert(outcome.diagnosis.begin(), backend + " computed " + lowered);
  }
  if (fused_ratio <= 1 && unfused.value().wrong.empty()) return end(Verdict::pass, "");
  std::vector<std::string> guilty = unfused.value().wrong;
  if (guilty.empty()) guilty.push_back(detail::first_wrong_beginning(own, exact.value(), runs));
  outcome.diagnosis.insert(outcome.diagnosis.begin(), guilty.begin(), guilty.end());
  if (fused_ratio <= 1)
    return end(Verdict::fail, std::to_string(unfused.value().wrong.size()) +
                                  " nodes are wrong by themselves; compiled together they are right");
  return end(Verdict::fail, "compiled together the worst error is " + detail::printed_number(fused_ratio, 3) +
                                " × what is allowed, node by node " + detail::printed_number(unfused_ratio, 3) + " ×");
}

}  // namespace assay::inline v0
