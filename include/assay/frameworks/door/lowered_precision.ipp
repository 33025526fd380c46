#pragma once

#include "assay/frameworks/door/lowered_precision.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// The format at the end of a kernel's name: its bits, and whether it is one of integers.
struct KernelFormat {
  std::string_view name;
  int bits;
  bool integer;
};
[[nodiscard]] inline std::optional<KernelFormat> kernel_format(std::string_view execution) {
  static constexpr KernelFormat known[] = {
      {"f64", 64, false},   {"f32", 32, false}, {"f16", 16, false}, {"bf16", 16, false}, {"f8e4m3", 8, false},
      {"f8e5m2", 8, false}, {"i64", 64, true},  {"i32", 32, true},  {"i16", 16, true},   {"i8", 8, true},
      {"u8", 8, true},      {"u64", 64, true},  {"u32", 32, true},  {"u16", 16, true}};
  const std::string_view end = execution.substr(execution.rfind('_') + 1);
  for (const KernelFormat& own : known)
    if (end == own.name) return own;
  return std::nullopt;
}

[[nodiscard]] inline bool is_floating(TensorType type) {
  const auto format = element_format_of(type);
  return format && format->is_float();
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<LoweredNode> lowered_nodes(const OperatorGraph& graph,
                                                                  const std::vector<NodeAssignment>& assignment) {
  TensorType real = TensorType::undefined, whole = TensorType::undefined;
  const auto narrow = [](TensorType& least, TensorType type) {
    if (least == TensorType::undefined || bits_of(type) < bits_of(least)) least = type;
  };
  const auto see = [&](TensorType type) {
    if (detail::is_floating(type)) narrow(real, type);
  };
  const auto see_integer = [&](TensorType type) {
    if (!detail::is_floating(type) && type != TensorType::boolean && bits_of(type) > 0) narrow(whole, type);
  };
  for (const GraphTensor& tensor : graph.constants) see(tensor.type);
  for (const GraphValue& value : graph.inputs) {
    see(value.type);
    see_integer(value.type);
  }
  const bool of_integers = whole != TensorType::undefined;
  for (const GraphValue& value : graph.outputs) {
    see(value.type);
    if (of_integers) see_integer(value.type);
  }
  for (const GraphNode& node : graph.nodes)
    for (const GraphAttribute& attribute : node.attributes)
      if (node.operation == "Cast" && attribute.name == "to") see(static_cast<TensorType>(attribute.integer));
  std::vector<LoweredNode> lowered;
  for (const NodeAssignment& node : assignment) {
    const auto format = detail::kernel_format(node.execution);
    if (!format) continue;
    const TensorType declared = format->integer ? whole : real;
    if (declared == TensorType::undefined || format->bits >= bits_of(declared)) continue;
    lowered.push_back({node.node, node.operation, std::string(format->name), node.execution, declared});
  }
  return lowered;
}

ASSAY_DETAIL_HEADER_INLINE std::string lowered_text(const std::vector<LoweredNode>& nodes) {
  std::vector<std::string> told;
  std::string all;
  for (const LoweredNode& node : nodes) {
    const std::string own = node.operation + " in " + node.computed + " (" + node.execution + "), declared " +
                            std::string(name_of(node.declared));
    if (std::find(told.begin(), told.end(), own) != told.end()) continue;
    told.push_back(own);
    all += (all.empty() ? "" : "; ") + own;
  }
  return all;
}

}  // namespace assay::inline v0
