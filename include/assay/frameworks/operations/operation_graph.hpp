#pragma once

#include <string>
#include <vector>

#include "assay/frameworks/graph/operator_graph.hpp"

namespace assay::inline v0 {

/// An operand of an operation as a tensor of a graph.
struct GraphOperand {
  int position = 0;  ///< in the operation's list
  std::string tensor;
  TensorType type = TensorType::float32;
  std::vector<std::int64_t> extents;  ///< as many elements as the operand's, in the same row-major order
  bool transposed = false;            ///< the operand's last two dimensions are exchanged first: as it lies in memory
};

/// A problem as a graph of ONNX's operators, and where its operands go. Made by `operation_graph(problem)`, which
/// headers beside this one have for families of operations.
struct OperationGraph {
  GraphModel model;
  std::vector<GraphOperand> inputs;   ///< what the graph reads
  std::vector<GraphOperand> outputs;  ///< and writes
  /// Where not empty, what ONNX leaves open for inputs with NaN among them: such launches are refused with that reason.
  std::string open_for_nan;
  bool open_for_infinity = false;  ///< the same for infinities
};

}  // namespace assay::inline v0
