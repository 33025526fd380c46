#pragma once

#include "assay/frameworks/graph/operator_graph.hpp"

#include <set>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

// Here, where the graph that an attribute may hold is complete.
ASSAY_DETAIL_HEADER_INLINE GraphAttribute::GraphAttribute() = default;
ASSAY_DETAIL_HEADER_INLINE GraphAttribute::GraphAttribute(std::string own_name, std::int64_t value)
    : name(std::move(own_name)), integer(value) {}
ASSAY_DETAIL_HEADER_INLINE GraphAttribute::GraphAttribute(std::string own_name, float value)
    : name(std::move(own_name)), kind(AttributeKind::real), real(value) {}
ASSAY_DETAIL_HEADER_INLINE GraphAttribute::GraphAttribute(std::string own_name, std::string value)
    : name(std::move(own_name)), kind(AttributeKind::text), text(std::move(value)) {}
ASSAY_DETAIL_HEADER_INLINE GraphAttribute::GraphAttribute(std::string own_name, std::vector<std::int64_t> values)
    : name(std::move(own_name)), kind(AttributeKind::integers), integers(std::move(values)) {}

namespace detail {

[[nodiscard]] inline Result<void> check_graph_within(const OperatorGraph& graph, std::set<std::string> known) {
  std::set<std::string> given;
  for (const GraphValue& input : graph.inputs) known.insert(input.name);
  for (const GraphTensor& constant : graph.constants) known.insert(constant.name);
  for (const GraphNode& node : graph.nodes)
    for (const std::string& output : node.outputs)
      if (!output.empty()) given.insert(output);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const GraphNode& node = graph.nodes[i];
    const std::string who = "node " + std::to_string(i) + " (" + node.operation + ")";
    if (node.operation.empty()) return failure(ErrorKind::invalid, "node " + std::to_string(i) + " has no operator");
    for (const std::string& input : node.inputs)
      if (!input.empty() && known.count(input) == 0)
        return failure(ErrorKind::invalid,
                       who + " reads '" + input + "', which " +
                           (given.count(input) > 0 ? "a later node or itself gives: a cycle, or nodes out of order"
                                                   : "nothing gives"));
    for (const GraphAttribute& attribute : node.attributes)
      for (const OperatorGraph& inner : attribute.graphs)
        if (auto checked = check_graph_within(inner, known); !checked)
          return failure(checked.error().kind, who + ", attribute " + attribute.name + ": " + checked.error().message);
    for (const std::string& output : node.outputs)
      if (!output.empty() && !known.insert(output).second)
        return failure(ErrorKind::invalid, who + " gives '" + output + "' a second time");
  }
  for (const GraphValue& output : graph.outputs)
    if (known.count(output.name) == 0)
      return failure(ErrorKind::invalid, "nothing gives the output '" + output.name + "'");
  return {};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<void> check_graph(const OperatorGraph& graph) {
  return detail::check_graph_within(graph, {});
}

}  // namespace assay::inline v0
