#pragma once

#include <string>
#include <vector>

#include "assay/frameworks/door/graph_executor.hpp"
#include "assay/frameworks/graph/operator_graph.hpp"

namespace assay::inline v0 {

/// A node that was computed in a narrower format than any that the graph has.
struct LoweredNode {
  std::string node;       ///< its name, as the runtime tells it
  std::string operation;  ///< of the operator
  std::string computed;   ///< "bf16", "f32"
  std::string execution;  ///< the kernel: "brgemm_avx512_bf16"
  TensorType declared{};  ///< the narrowest type of the kind (floating point, integer) that the graph has
};

/// Nodes of an assignment that were computed in fewer bits than the graph's tensors have: a model in float32 in
/// bfloat16, one in float64 in float32, sums of int64 in int32. Read from the ends of kernels' names, as OpenVINO gives
/// them; kernels that tell no format are not known and are not among them. Types between nodes are those of inputs,
/// outputs, constants and casts; of integers inputs and outputs count, where an input is one, since indices and shapes
/// are of 64 bits everywhere. O(nodes + tensors).
[[nodiscard]] std::vector<LoweredNode> lowered_nodes(const OperatorGraph& graph,
                                                     const std::vector<NodeAssignment>& assignment);

/// "MatMul in bf16 (brgemm_avx512_bf16), declared float32", each once, in their order; empty where there is none.
[[nodiscard]] std::string lowered_text(const std::vector<LoweredNode>& nodes);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/door/lowered_precision.ipp"
#endif
