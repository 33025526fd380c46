#pragma once

#include "assay/frameworks/detail/eager_graph.hpp"

#include <algorithm>
#include <string_view>

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/stablehlo_builder.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE EagerTensor EagerGraph::in(const GraphNode& node, std::size_t input) {
  const std::string name = input < node.inputs.size() ? node.inputs[input] : "";
  if (const auto found = values_.find(name); found != values_.end()) return found->second;
  if (const auto found = constants_.find(name); found != constants_.end() && !refused())
    return values_[name] = bring(*found->second);
  refuse(ErrorKind::invalid, node.operation + " has no input " + std::to_string(input));
  return {};
}

ASSAY_DETAIL_HEADER_INLINE void EagerGraph::out(const GraphNode& node, const EagerTensor& value, std::size_t output) {
  if (wants_output(node, output)) values_[node.outputs[output]] = value;
}

ASSAY_DETAIL_HEADER_INLINE EagerExtents EagerGraph::list(const GraphNode& node, std::size_t input) {
  const auto found = input < node.inputs.size() ? constants_.find(node.inputs[input]) : constants_.end();
  if (found != constants_.end() && element_format_of(found->second->type)) return integers_in(*found->second);
  refuse(node.operation + " takes a list that is computed, which is not mapped");
  return {};
}

ASSAY_DETAIL_HEADER_INLINE std::int64_t EagerGraph::axis(const GraphNode& node, const EagerTensor& x,
                                                         std::int64_t otherwise) {
  std::int64_t own = integer_of(node, "axis", otherwise);
  if (own < 0) own += x.rank();
  if (own >= 0 && own < x.rank()) return own;
  refuse(ErrorKind::invalid, node.operation + " has no such axis");
  return 0;
}

ASSAY_DETAIL_HEADER_INLINE EagerExtents EagerGraph::axes(const GraphNode& node, const EagerTensor& x) {
  EagerExtents all = has_input(node, 1) ? list(node, 1) : EagerExtents{};
  if (all.empty() && integer_of(node, "noop_with_empty_axes", 0) != 0) {
    refuse(node.operation + " of no axes is not mapped");
  } else if (all.empty()) {
    for (std::int64_t d = 0; d < x.rank(); ++d) all.push_back(d);
  }
  for (std::int64_t& own : all) {
    own += own < 0 ? x.rank() : 0;
    if (own < 0 || own >= x.rank()) refuse(ErrorKind::invalid, node.operation + " has no such axis");
  }
  return all;
}

ASSAY_DETAIL_HEADER_INLINE EagerTensor EagerGraph::apply(const char* operation, const std::vector<EagerTensor>& inputs,
                                                         std::vector<GraphAttribute> attributes) {
  if (refused()) return {};
  // Names with a blank are no names of a model's tensors.
  const std::string prefix = "composed " + std::to_string(path_.size()) + " ";
  GraphNode node{operation, {}, {prefix + "y"}, std::move(attributes)};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    node.inputs.push_back(prefix + std::to_string(i));
    values_[node.inputs.back()] = inputs[i];
  }
  map_node(node);
  EagerTensor y;
  if (const auto found = values_.find(node.outputs[0]); found != values_.end()) y = found->second;
  values_.erase(node.outputs[0]);
  for (const std::string& name : node.inputs) values_.erase(name);
  return y;
}

ASSAY_DETAIL_HEADER_INLINE EagerTensor EagerGraph::convert(const EagerTensor& x, TensorType type) {
  if (refused() || x.type == type) return x;
  return apply("Cast", {x}, {GraphAttribute("to", static_cast<std::int64_t>(type))});
}

ASSAY_DETAIL_HEADER_INLINE EagerTensor EagerGraph::wide(const EagerTensor& x) {
  return is_float(x.type) && bits_of(x.type) < 32 ? convert(x, TensorType::float32) : x;
}

ASSAY_DETAIL_HEADER_INLINE EagerTensor EagerGraph::constant(const GraphTensor& tensor) {
  if (refused()) return {};
  own_.push_back(std::make_unique<GraphTensor>(tensor));
  return bring(*own_.back());
}

ASSAY_DETAIL_HEADER_INLINE EagerTensor EagerGraph::integers(const EagerExtents& values) {
  GraphTensor tensor{"", TensorType::int64, {static_cast<std::int64_t>(values.size())}, {}, {}};
  tensor.bytes.assign(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(std::int64_t));
  return constant(tensor);
}

ASSAY_DETAIL_HEADER_INLINE EagerTensor EagerGraph::slice(const EagerTensor& x, std::int64_t axis, std::int64_t from,
                                                         std::int64_t to, std::int64_t step) {
  if (refused()) return {};
  // The lists of a Slice are constants of the model.
  std::vector<std::string> names{"composed slice x"};
  values_[names[0]] = x;
  for (const std::int64_t value : {from, to, axis, step}) {
    own_.push_back(std::make_unique<GraphTensor>(GraphTensor{"", TensorType::int64, {1}, {}, {}}));
    own_.back()->bytes.assign(reinterpret_cast<const char*>(&value), sizeof value);
    names.push_back("composed slice " + std::to_string(names.size()));
    constants_[names.back()] = own_.back().get();
  }
  const GraphNode node{"Slice", names, {"composed slice y"}};
  map_node(node);
  EagerTensor y;
  if (const auto found = values_.find(node.outputs[0]); found != values_.end()) y = found->second;
  for (const std::string& name : names) {
    values_.erase(name);
    constants_.erase(name);
  }
  values_.erase(node.outputs[0]);
  return y;
}

ASSAY_DETAIL_HEADER_INLINE void EagerGraph::note(const std::string& kernel, const std::string& device) {
  if (path_.empty()) return;
  assignment_.push_back({path_.front()->name, path_.front()->operation, device, kernel});
}

/// Whether a list of words separated by blanks has this one.
[[nodiscard]] inline bool has_word(std::string_view words, std::string_view word) {
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    if (words.substr(at, end - at) == word) return true;
    at = end + 1;
  }
  return false;
}

ASSAY_DETAIL_HEADER_INLINE void EagerGraph::map_node(const GraphNode& node) {
  const Operator own = node.domain.empty() ? mapping(node.operation) : Operator{};
  if (own.map == nullptr)
    return refuse(std::string(framework()) + " has no mapping of ONNX's " +
                  (node.domain.empty() ? "" : node.domain + ".") + node.operation);
  for (const GraphAttribute& attribute : node.attributes)
    if (!has_word(own.attributes, attribute.name))
      return refuse("the mapping of " + node.operation + " to " + framework() + " does not heed its attribute " +
                    attribute.name);
  path_.push_back(&node);
  own.map(*this, node);
  path_.pop_back();
}

ASSAY_DETAIL_HEADER_INLINE Result<GraphRun> EagerGraph::run(const GraphModel& model,
                                                            const std::vector<GraphTensor>& inputs) {
  const OperatorGraph& graph = model.graph;
  if (auto checked = check_graph(graph); !checked) return checked.propagate();
  const auto version = model.opsets.find("");
  if (version == model.opsets.end() || version->second < oldest_eager_opset)
    return failure(ErrorKind::unsupported, "the model is written in operators of a version before " +
                                               std::to_string(oldest_eager_opset) + ", whose meaning is not mapped");
  for (const GraphTensor& tensor : graph.constants) constants_[tensor.name] = &tensor;
  for (const GraphTensor& tensor : inputs) {
    if (tensor.byte_size() < 0 || tensor.byte_size() != static_cast<std::int64_t>(tensor.bytes.size()))
      return failure(ErrorKind::invalid, "input '" + tensor.name + "' is " + shape_text(tensor.type, tensor.extents) +
                                             " of " + std::to_string(tensor.bytes.size()) + " bytes");
    if (!refused()) values_[tensor.name] = bring(tensor);
  }
  for (const GraphNode& node : graph.nodes)
    if (!refused()) map_node(node);
  GraphRun result;
  for (const GraphValue& output : graph.outputs) {
    if (refused()) break;
    const EagerTensor value = in({"an output", {output.name}, {}}, 0);
    if (refused()) break;
    result.outputs.push_back(fetch(value));
    result.outputs.back().name = output.name;
  }
  if (refused_) return Failure{*refused_};
  result.assignment = std::move(assignment_);
  return result;
}

}  // namespace assay::inline v0::detail
