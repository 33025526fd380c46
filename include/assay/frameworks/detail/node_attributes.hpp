#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/frameworks/graph/operator_graph.hpp"

namespace assay::inline v0::detail {

[[nodiscard]] inline bool has_input(const GraphNode& node, std::size_t input) {
  return input < node.inputs.size() && !node.inputs[input].empty();
}
[[nodiscard]] inline bool wants_output(const GraphNode& node, std::size_t output) {
  return output < node.outputs.size() && !node.outputs[output].empty();
}

/// Null where the node has none of that name.
[[nodiscard]] const GraphAttribute* attribute_of(const GraphNode& node, const char* name);
[[nodiscard]] std::int64_t integer_of(const GraphNode& node, const char* name, std::int64_t otherwise);
[[nodiscard]] double real_of(const GraphNode& node, const char* name, double otherwise);
[[nodiscard]] std::string text_of(const GraphNode& node, const char* name, const char* otherwise);
[[nodiscard]] std::vector<std::int64_t> integers_of(const GraphNode& node, const char* name,
                                                    std::vector<std::int64_t> otherwise);
/// The elements of a list of integers. The ends of 64 bits stand for "as far as it goes". Precondition: its type has an
/// element format.
[[nodiscard]] std::vector<std::int64_t> integers_in(const GraphTensor& tensor);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/node_attributes.ipp"
#endif
