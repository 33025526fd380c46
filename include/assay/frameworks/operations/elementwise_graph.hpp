#pragma once

#include "assay/core/result.hpp"
#include "assay/frameworks/operations/operation_graph.hpp"
#include "assay/kernels/elementwise/problem.hpp"

namespace assay::inline v0 {

/// The problem of an operation as a graph of ONNX's operators: one, in the formats that it has, wherever ONNX has one;
/// what 16-bit formats would round in between is computed in float32 between casts.
///
/// `unsupported`, with the reason, where ONNX cannot express the problem. O(operands), and of constants of the graph
/// their elements.
///
/// Casts, functions and arithmetic, element by element; ONNX has no gradients of them.
[[nodiscard]] Result<OperationGraph> operation_graph(const ElementwiseProblem& problem);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/operations/elementwise_graph.ipp"
#endif
